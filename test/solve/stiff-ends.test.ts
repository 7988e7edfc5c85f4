// Stiffness that ends, begins or comes in bursts inside of steps: implicit methods must not miss it.

import type { AdaptiveIntegrator } from "nodrift";
import { compile, model } from "nodrift/bodies";
import {
  bdf,
  gearGuptaLeimkuhler,
  index2,
  index3,
  ode,
  radau5,
  rodas,
  ros3,
  sdirk4,
  solve,
} from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { endingStiffness, familyNames } from "../support/stiff-ends.js";

interface Options {
  readonly integrator?: AdaptiveIntegrator;
  readonly tolerance?: number;
  readonly maximumStep?: number;
}
const methods: Record<string, Options> = {
  default: {},
  radau5: { integrator: radau5() },
  sdirk4: { integrator: sdirk4() },
  rodas: { integrator: rodas() },
  ros3: { integrator: ros3() },
  bdf: { integrator: bdf() },
};
/** Tolerances that an end may be off by: stiffness that is missed costs ten thousands of them. */
const ALLOWED = 100;
const names = Object.keys(methods);
const letsGo = (t: number, at: number) => 0.5 * (1 - Math.tanh((t - at) / 0.01));

/** A wheel of 2 kg m^2 with 5 N m, held by a damper until t = 2: it ends with 7.415115 rad/s at t = 5. */
function wheel() {
  const m = model({ name: "braked wheel" });
  const rim = m.body({ name: "rim", mass: 1, inertia: [2, 2, 2] });
  m.revolute({ name: "axle", between: [m.ground, rim], at: [0, 0, 0], axis: [0, 0, 1] });
  m.userForce({
    name: "brake",
    bodies: [rim],
    apply: ([{ angularVelocity }], [{ torque }], t) => {
      torque[2] += 5 - 2e5 * letsGo(t, 2) * angularVelocity[2];
    },
  });
  return m;
}

describe.each(["relative", "maximal"] as const)("a brake that lets go, %s", (coordinates) => {
  test.each(names)("%s", async (name) => {
    const system = await compile(wheel(), { coordinates });
    for (const tolerance of [1e-3, 1e-4, 1e-5, 1e-6]) {
      for (const maximumStep of [Number.POSITIVE_INFINITY, 0.01]) {
        const { status, end } = solve(system, {
          span: [0, 5],
          tolerance,
          ...(maximumStep < 1 && { maximumStep }),
          output: "ends",
          ...methods[name],
        });
        expect(status).toBe("finished");
        const w = end.body("rim").angularVelocity[2];
        expect(Math.abs(w - 7.415115)).toBeLessThan(ALLOWED * tolerance * (1 + w));
      }
    }
  });
});

// Accelerations are unknowns there: what is differentiated shows nothing of a force that is gone.
test.each([
  ["index3", "radau5"],
  ["index2", "radau5"],
  ["index2", "sdirk4"],
  ["gearGuptaLeimkuhler", "radau5"],
  ["gearGuptaLeimkuhler", "sdirk4"],
  ["index3", "bdf"],
  ["index2", "bdf"],
  ["gearGuptaLeimkuhler", "bdf"],
] as const)("a brake that lets go, %s with %s", async (form, name) => {
  const system = await compile(wheel(), { coordinates: "maximal" });
  const formulation = { index3, index2, gearGuptaLeimkuhler }[form]();
  const integrator = methods[name].integrator as AdaptiveIntegrator;
  for (const tolerance of [1e-3, 1e-4, 1e-5]) {
    const { status, end } = solve(system, {
      span: [0, 5],
      tolerance,
      output: "ends",
      method: { formulation, integrator },
    });
    expect(status).toBe("finished");
    const w = end.body("rim").angularVelocity[2];
    expect(Math.abs(w - 7.415115)).toBeLessThan(ALLOWED * tolerance * (1 + w));
  }
});

test.each(names)("a clutch that opens, %s", (name) => {
  // The reference is a tenth of the tolerance with short steps.
  const run = (options: Options) =>
    solve(
      ode({
        names: ["a", "b"],
        y: [20, 0],
        rate: (t, [a, b], out) => {
          const slip = 1e5 * letsGo(t, 2) * (a - b);
          out[0] = 8 - 0.1 * a - slip;
          out[1] = 1 - 0.1 * b + slip;
        },
      }),
      { span: [0, 5], output: "ends", ...options },
    ).end.y;
  const exact = run({ tolerance: 1e-9, maximumStep: 1e-3, integrator: rodas() });
  for (const tolerance of [1e-3, 1e-5]) {
    const found = run({ tolerance, ...methods[name] });
    for (const i of [0, 1]) {
      expect(Math.abs(found[i] - exact[i])).toBeLessThan(ALLOWED * tolerance * (1 + exact[i]));
    }
  }
});

test.each(names)("y' = -K (y - cos t) - sin t with K from 1e6 to 1, %s", (name) => {
  for (const tolerance of [1e-3, 1e-4, 1e-6]) {
    const system = ode({
      names: ["y"],
      y: [1],
      rate: (t, [y], out) => {
        out[0] = -(1 + 1e6 * letsGo(t, 6)) * (y - Math.cos(t)) - Math.sin(t);
      },
    });
    const { end } = solve(system, { span: [0, 12], tolerance, ...methods[name] });
    expect(Math.abs(end.y[0] - Math.cos(12))).toBeLessThan(ALLOWED * tolerance);
  }
});

// A change within the step is visible at neither end: the wheel is held at both, and was free for half of the time.
test.each(names)("a brake that is let go and applied again within one long step, %s", (name) => {
  const rate = (t: number, [, w]: Float64Array, out: Float64Array) => {
    const holds = 1 - letsGo(-t, -4) * letsGo(t, 6);
    out[0] = w;
    out[1] = 5 - 1e6 * holds * w;
  };
  const run = (options: Options) =>
    solve(ode({ names: ["p", "w"], y: [0, 0], rate }), {
      span: [0, 20],
      output: "ends",
      ...options,
    }).end.y;
  const [exact] = run({ tolerance: 1e-9, maximumStep: 1e-2, integrator: radau5() });
  expect(exact).toBeGreaterThan(9);
  const [found] = run({ tolerance: 1e-5, ...methods[name] });
  expect(Math.abs(found - exact)).toBeLessThan(1e-2);
});

test.each(familyNames)("random problems: %s", async (family) => {
  let count = 0;
  for (let seed = 301; count < 2 && seed < 311; seed++) {
    const problem = endingStiffness(family, seed);
    if (problem === undefined) continue;
    count++;
    for (const name of names) {
      const tolerance = name === "ros3" ? 1e-4 : 10 ** -(3 + (seed % 4));
      const { status, error } = await problem.solve(tolerance, methods[name]);
      expect(status, `${problem.name}, ${name}`).toBe("finished");
      expect(error, `${problem.name}, ${name}`).toBeLessThan(1000);
    }
  }
  expect(count).toBe(2);
});

test("ordinary stiff problems are checked with few evaluations, and the statistics count them", () => {
  const system = ode({
    names: ["x", "v"],
    y: [2, 0],
    rate: (_t, [x, v], out) => {
      out[0] = v;
      out[1] = 100 * (1 - x * x) * v - x;
    },
  });
  for (const integrator of [radau5(), sdirk4(), rodas(), bdf()]) {
    const { statistics } = solve(system, { span: [0, 300], tolerance: 1e-5, integrator });
    const { checks } = statistics.implicit as { checks: number };
    expect(checks).toBeGreaterThan(0);
    expect(checks).toBeLessThan(0.04 * statistics.evaluations);
  }
});
