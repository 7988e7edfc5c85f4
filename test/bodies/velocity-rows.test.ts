import { describe, expect, test } from "vitest";
import { naivePi } from "../oracles/primitives.js";
import { overStates, velocityCases } from "../support/body-cases.js";
import { dataSlot, type Mechanism, mechanism, RowKind, Want } from "../support/body-harness.js";
import { ALL, difference, displaced, evaluate, STEP, slope } from "../support/body-motion.js";

const piOf = (m: Mechanism) => {
  evaluate(m, Want.RATES);
  return m.phiDot.slice();
};

describe.each(Object.entries(velocityCases))("%s", (_, make) => {
  test("Pi is that of rotation matrices, and phi is 0", () => {
    const errors = overStates(make, (m) => {
      m.phi.fill(Number.NaN);
      evaluate(m, ALL);
      const data = m.data.subarray(dataSlot(m.spec, 0));
      const pi = naivePi(m.spec, m.spec.rows[0], data, m.q, m.v);
      return { pi: difference(m.phiDot, [pi]), phi: difference(m.phi, [0]) };
    });
    expect(errors.pi).toBeLessThan(1e-14);
    expect(errors.phi).toBe(0);
  });

  test("the Jacobian is the derivative by velocities, and gamma that along a motion", () => {
    const errors = overStates(make, (m) => {
      evaluate(m, ALL);
      const [row] = m.jacobian();
      const opposite = m.gamma.map((x) => -x);
      const [q, v] = [m.q.slice(), m.v.slice()];
      const columns = Array.from(v, (start, j) => {
        const [derivative] = slope((x) => {
          m.v[j] = start + x;
          return piOf(m);
        }, 0.5);
        m.v[j] = start;
        return derivative;
      });
      const along = slope((t) => {
        m.q.set(
          displaced(
            q,
            v.map((x) => t * x),
          ),
        );
        return piOf(m);
      }, STEP);
      return { jacobian: difference(row, columns), gamma: difference(along, opposite) };
    });
    expect(errors.jacobian).toBeLessThan(1e-14);
    expect(errors.gamma).toBeLessThan(1e-9);
  });
});

describe("an upright wheel", () => {
  // The ground's z is up; the axle is y of the world, so z of marker B is turned about x.
  const upright = { body: 0, arm: [0, 0, 0], axes: [1, 0, 0, 0, 0, -1, 0, 1, 0] };
  const ground = { body: -1, arm: [0, 0, 0], axes: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
  const rolling = { kind: RowKind.ROLLING, a: 0, b: 1, axisB: 1, data: [0.5] };
  const rows = [0, 1].map((axisA) => ({ ...rolling, axisA }));

  function moving(...v: number[]): Mechanism {
    const m = mechanism({ bodies: 1, markers: [ground, upright], rows });
    m.q.set([3, 4, 0.5, 1, 0, 0, 0]);
    m.v.set(v);
    evaluate(m, ALL);
    return m;
  }

  test("does not slip if it rolls straight, but does if it slides", () => {
    const straight = moving(1, 0, 0, 0, 2, 0);
    expect([...straight.phiDot, ...straight.gamma].map(Math.abs)).toEqual([0, 0, 0, 0]);
    expect([...moving(1, 0, 0, 0, 0, 0).phiDot]).toEqual([1, 0]);
  });

  test("rolls round a circle with the accelerations of that motion", () => {
    // Spin 2 about the axle, 3 about the vertical: r'' = 3 z x r', w' = 2 (3 z x y).
    const m = moving(1, 0, 0, 0, 2, 3);
    const a = [0, 3, 0, -6, 0, 0];
    const acceleration = m.jacobian().map((row) => row.reduce((sum, x, i) => sum + x * a[i], 0));
    expect(difference(m.phiDot, [0, 0])).toBeLessThan(1e-15);
    expect(difference(acceleration, m.gamma)).toBeLessThan(1e-14);
  });
});
