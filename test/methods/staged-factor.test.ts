// Corrections at the end of a step of `stagedProjection` use one factor while each halves the error, and then once
// that of the present pose. The quality of a factor cannot be chosen with a mechanism, so a mock solver sets it here.

import {
  equations,
  rk4,
  type Stabilisation,
  simulate,
  stagedProjection,
  udwadiaKalaba,
} from "nodrift";
import { describe, expect, test } from "vitest";

type System = Parameters<Stabilisation["bind"]>[0];

const OFF = 1e-3;

/** At rest on x + y = 2: a linear constraint, so that a correction leaves exactly the error of its factor. */
const line = equations({
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: () => [0, 0],
  holonomic: { rows: 1, value: ([x, y]) => [x + y - 2] },
});

/**
 * Corrects a state with the error {@link OFF}. The first factor makes the fraction `shares[0]` of each exact
 * correction, the second one `shares[1]`.
 */
function corrected(...shares: number[]) {
  let factors = 0;
  let corrections = 0;
  const counting = (system: System): System => {
    const { workspace, dynamics } = system;
    const { velocities } = system.coordinates;
    const solver = dynamics.solver("auto");
    const own = {
      keepFactor: () => {
        factors++;
      },
      dropFactor: () => {},
      minnorm(count: number, right: number, out: number, refined?: boolean) {
        corrections++;
        solver.minnorm(count, right, out, refined);
        workspace.kernels.axpy(velocities, shares[factors - 1] - 1, out, out, out);
      },
    };
    return new Proxy(system, {
      get(target, key) {
        if (key === "dynamics") return { ...dynamics, solver: () => own };
        const value = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  const staged = stagedProjection();
  const stabilisation: Stabilisation = {
    ...staged,
    bind(system) {
      const { workspace, state } = system;
      const { positions } = system.coordinates;
      const bound = staged.bind(counting(system));
      return {
        ...bound,
        correct(t, h) {
          workspace.kernels.axpy(positions, OFF / 2, state.q, state.q, state.q);
          factors = 0;
          corrections = 0;
          bound.correct(t, h);
        },
      };
    },
  };
  const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
  const simulation = simulate(line, { q: [1, 1], step: 0.1, method });
  simulation.advance();
  const [x, y] = simulation.q;
  return { factors, corrections, left: (x + y - 2) / OFF };
}

describe("stagedProjection at the end of a step", () => {
  test("makes one correction if its factor is exact", () => {
    const { factors, corrections, left } = corrected(1);
    expect({ factors, corrections }).toEqual({ factors: 1, corrections: 1 });
    expect(Math.abs(left)).toBeLessThan(1e-10);
  });

  test("keeps a factor that halves the error", () => {
    const { factors, corrections, left } = corrected(0.51);
    expect({ factors, corrections }).toEqual({ factors: 1, corrections: 4 });
    expect(left).toBeCloseTo(0.49 ** 4, 8);
  });

  test("refactors if the first factor does not", () => {
    const { factors, corrections, left } = corrected(0.49, 1);
    expect({ factors, corrections }).toEqual({ factors: 2, corrections: 2 });
    expect(Math.abs(left)).toBeLessThan(1e-10);
  });

  test("stops if the second factor does not either", () => {
    const { factors, corrections, left } = corrected(0.49, 0.49);
    expect({ factors, corrections }).toEqual({ factors: 2, corrections: 2 });
    expect(left).toBeCloseTo(0.51 ** 2, 8);
  });

  test("undoes corrections that increase the error", () => {
    const { corrections, left } = corrected(2.5);
    expect(corrections).toBe(1);
    expect(left).toBeCloseTo(1, 8);
  });
});
