import { checkStatus } from "nodrift/kernels";
import {
  distance,
  identity,
  multiply,
  norm,
  relativeDistance,
  transpose,
} from "../../test/support/matrix.js";
import { type Random, randomVector } from "../../test/support/random.js";
import { scratch } from "../../test/support/scratch.js";
import type { KernelCase } from "./case.js";

/** Quaternions that are not near zero. */
export function randomQuaternions(random: Random, count: number): Float64Array {
  return randomVector(random, 4 * count).map((value, i) => (i % 4 === 0 ? value + 1.5 : value));
}

/** Values of `body` in an array with a stride. */
export const partOf = (view: Float64Array, stride: number, body: number) =>
  view.subarray(stride * body, stride * (body + 1));

export const rotationCases: readonly KernelCase[] = [
  {
    name: "Updates of Euler parameters",
    kernels: ["rotationG", "updateImplicit", "updateCayley", "updateExponential", "normalise"],
    factorisation: false,
    run(random, count) {
      const h = 0.25;
      const { kernels, w, start, e, implicit, cayley, exact, g } = scratch({
        w: randomVector(random, 3 * count),
        start: randomQuaternions(random, count),
        e: 4 * count,
        implicit: 4 * count,
        cayley: 4 * count,
        exact: 4 * count,
        g: 16,
      });
      checkStatus("normalise", kernels.normalise(count, start.address, e.address));
      const update = (name: "updateImplicit" | "updateCayley" | "updateExponential", to: number) =>
        checkStatus(name, kernels[name](count, h, w.address, e.address, to));
      update("updateImplicit", implicit.address);
      update("updateCayley", cayley.address);
      update("updateExponential", exact.address);
      let error = 0;
      for (let body = 0; body < count; body++) {
        kernels.rotationG(w.address + 24 * body, g.address);
        const of = (view: Float64Array) => partOf(view, 4, body);
        const step = (scale: number, x: Float64Array) =>
          multiply(
            4,
            4,
            1,
            identity(4).map((one, i) => one + scale * g.view[i]),
            x,
          );
        // exp(h G) e by its series.
        let [term, sum] = [of(e.view), of(e.view).slice()];
        for (let k = 1; k < 16; k++) {
          term = multiply(4, 4, 1, g.view, term).map((value) => (value * h) / k);
          sum = sum.map((value, i) => value + term[i]);
        }
        error = Math.max(
          error,
          distance(step(-h, of(implicit.view)), of(e.view)),
          distance(step(-h / 2, of(cayley.view)), step(h / 2, of(e.view))),
          distance(of(exact.view), sum),
          Math.abs(norm(of(e.view)) - 1),
        );
      }
      return { error, results: [e.view, implicit.view, cayley.view, exact.view, g.view] };
    },
  },
  {
    name: "Rotations of vectors and products of quaternions",
    kernels: ["rotationMatrix", "quaternionProduct", "rotateVector", "rotateVectorBack"],
    factorisation: false,
    run(random, count) {
      const { kernels, a, b, ab, ra, rb, rab, v, out, back } = scratch({
        a: randomQuaternions(random, count),
        b: randomQuaternions(random, count),
        ab: 4 * count,
        ra: 9 * count,
        rb: 9 * count,
        rab: 9 * count,
        v: randomVector(random, 3 * count),
        out: 3 * count,
        back: 3 * count,
      });
      const product = kernels.quaternionProduct(count, a.address, b.address, ab.address);
      checkStatus("quaternionProduct", product);
      for (const [e, r] of [
        [a, ra],
        [b, rb],
        [ab, rab],
      ] as const) {
        checkStatus("rotationMatrix", kernels.rotationMatrix(count, e.address, r.address));
      }
      checkStatus("rotateVector", kernels.rotateVector(count, a.address, v.address, out.address));
      checkStatus(
        "rotateVectorBack",
        kernels.rotateVectorBack(count, a.address, out.address, back.address),
      );
      let error = distance(back.view, v.view);
      for (let body = 0; body < count; body++) {
        const [r, s, both] = [ra, rb, rab].map(({ view }) => partOf(view, 9, body));
        const rotated = multiply(3, 3, 1, r, partOf(v.view, 3, body));
        error = Math.max(
          error,
          distance(multiply(3, 3, 3, r, s), both),
          distance(multiply(3, 3, 3, r, transpose(3, 3, r)), identity(3)),
          distance(rotated, partOf(out.view, 3, body)),
        );
      }
      return { error, results: [ab.view, ra.view, rb.view, rab.view, out.view, back.view] };
    },
  },
  {
    name: "Rates of Euler parameters and angular velocities",
    kernels: ["angularVelocityToRates", "ratesToAngularVelocity"],
    factorisation: false,
    run(random, count) {
      const { kernels, w, e, rates, back } = scratch({
        w: randomVector(random, 3 * count),
        e: randomQuaternions(random, count),
        rates: 4 * count,
        back: 3 * count,
      });
      const made = kernels.angularVelocityToRates(count, w.address, e.address, rates.address);
      checkStatus("angularVelocityToRates", made);
      const found = kernels.ratesToAngularVelocity(count, e.address, rates.address, back.address);
      checkStatus("ratesToAngularVelocity", found);
      return { error: relativeDistance(back.view, w.view), results: [rates.view, back.view] };
    },
  },
];
