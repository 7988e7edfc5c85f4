import { simulate } from "nodrift";
import {
  braunBiped1,
  braunBiped2,
  braunBiped3,
  braunFourBars,
  braunPendulum,
  braunSliderCrank,
} from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { braunMethod } from "#experiments";
import { distance, functionsOf, moved, slope, unit } from "../support/description.js";
import { randomVector, seeded } from "../support/random.js";

const all = [
  braunPendulum,
  braunSliderCrank,
  braunFourBars,
  braunBiped1,
  braunBiped2,
  braunBiped3,
] as const;
const cases = all.map((mechanism) => [mechanism.name, mechanism] as const);

describe.each(cases)("%s", (_, mechanism) => {
  const f = functionsOf(mechanism);
  const random = seeded(11);
  const states = Array.from({ length: 20 }, () => ({
    q: randomVector(random, f.n).map((x) => 2 * x),
    v: randomVector(random, f.n).map((x) => 3 * x),
    t: random() + 1,
  }));

  test("derivatives of the constraints match finite differences", () => {
    for (const { q, v, t } of states) {
      const jacobian = f.jacobian(q, t);
      for (let j = 0; j < f.n; j++) {
        const column = Array.from({ length: f.m }, (__, i) => jacobian[i * f.n + j]);
        const direction = unit(f.n, j);
        expect(
          distance(
            column,
            slope((s) => f.value(moved(q, direction, s), t)),
          ),
        ).toBeLessThan(1e-8);
      }
      const inTime = slope((s) => f.value(q, t + s));
      expect(distance(f.timeDerivative(q, t), inTime)).toBeLessThan(1e-8);
      const rate = (s: number) => {
        const at = moved(q, v, s);
        const j = f.jacobian(at, t + s);
        const dt = f.timeDerivative(at, t + s);
        return dt.map((x, i) => v.reduce((sum, y, k) => sum + j[i * f.n + k] * y, x));
      };
      const second = slope(rate).map((x) => -x);
      expect(distance(f.gamma(q, v, t), second)).toBeLessThan(1e-8);
    }
  });

  test("starts at the printed state, which satisfies the constraints to the printed digits", () => {
    const { q, v } = mechanism;
    const simulation = simulate(mechanism.equations, {
      method: braunMethod(),
      step: 1e-3,
      q,
      v,
      start: "asGiven",
    });
    const { position, velocity } = simulation.constraintError();
    expect(position).toBeLessThan(mechanism.name.startsWith("braun-biped") ? 2e-3 : 1e-15);
    expect(velocity).toBe(0);
  });
});

type Vector = readonly [number, number];
const add = (...list: readonly Vector[]): Vector => [
  list.reduce((sum, [x]) => sum + x, 0),
  list.reduce((sum, [, y]) => sum + y, 0),
];
const e = (size: number, angle: number): Vector => [size * Math.cos(angle), size * Math.sin(angle)];
const normal = (size: number, angle: number): Vector => e(size, angle + Math.PI / 2);

/** Bodies stated a second time: mass, inertia, centre and angle. */
type Bodies = (q: Float64Array) => readonly (readonly [number, number, Vector, number])[];

const sliderCrankBodies: Bodies = ([x, y, a, b]) => [
  [1, 1 / 12, add([x, y], e(0.5, a)), a],
  [1, 1 / 12, add([x, y], e(1, a), e(0.5, b)), b],
  [1, 0, add([x, y], e(1, a), e(1, b)), b],
];

const bipedBodies: Bodies = ([x, y, th, ...angles]) => {
  const hip = add([x, y], e(-0.3245184, th));
  const limbs = [angles.slice(0, 3), angles.slice(3)].flatMap(([a, b, c]) => {
    const knee = add(hip, e(-0.441, a));
    const ankle = add(knee, e(-0.4428, b));
    return [
      [7.5, 7.5 * (0.323 * 0.441) ** 2, add(hip, e(-0.190953, a)), a],
      [3.4875, 3.4875 * (0.302 * 0.4428) ** 2, add(knee, e(-0.1917324, b)), b],
      [1.0875, 1.0875 * (0.475 * 0.2736) ** 2, add(ankle, e(0.0684, c), normal(-0.0351, c)), c],
    ] as const;
  });
  return [[50.85, 50.85 * (0.496 * 0.5184) ** 2, [x, y], th], ...limbs];
};

describe.each([
  ["slider-crank", braunSliderCrank, sliderCrankBodies, (v: Float64Array) => 20 - 5 * v[2]],
  ["biped", braunBiped1, bipedBodies, () => 0],
] as const)("the equations of the %s", (_, mechanism, bodies, torque) => {
  const f = functionsOf(mechanism);
  const random = seeded(5);
  const states = Array.from({ length: 20 }, () => ({
    q: randomVector(random, f.n).map((x) => 2 * x),
    v: randomVector(random, f.n).map((x) => 3 * x),
  }));

  test("match the energies of the bodies", () => {
    for (const { q, v } of states) {
      const flat = (s: number) => bodies(moved(q, v, s)).flatMap(([, , c, a]) => [...c, a]);
      const rates = slope(flat);
      let [kinetic, potential] = [0, 0];
      for (const [i, [mass, inertia, [, height]]] of bodies(q).entries()) {
        const [x, y, turn] = rates.slice(3 * i);
        kinetic += (mass * (x * x + y * y) + inertia * turn * turn) / 2;
        potential += mass * 9.81 * height;
      }
      const product = f.massTimes(q, v);
      const own = v.reduce((sum, x, i) => sum + x * product[i], 0) / 2;
      expect(Math.abs(own - kinetic) / kinetic).toBeLessThan(1e-8);
      expect(Math.abs(f.potential(q) - potential)).toBeLessThan(1e-10);
    }
  });

  test("satisfy Lagrange's Q = dT/dq - (dM/dt) v - dV/dq, with the torque", () => {
    for (const { q, v } of states) {
      const momentumRate = slope((s) => f.massTimes(moved(q, v, s), v));
      const lagrangian = (at: Float64Array) => {
        const product = f.massTimes(at, v);
        return v.reduce((sum, x, i) => sum + (x * product[i]) / 2, 0) - f.potential(at);
      };
      const expected = momentumRate.map((x, j) => {
        const [d] = slope((s) => [lagrangian(moved(q, unit(f.n, j), s))]);
        return d - x + (j === 2 ? torque(v) : 0);
      });
      expect(distance(f.forces(q, v), expected)).toBeLessThan(1e-7);
    }
  });
});
