import { describe, expect, test } from "vitest";
import { denseOf } from "../support/block-matrix.js";
import {
  holonomicCases,
  overStates,
  randomMechanism,
  velocityCases,
} from "../support/body-cases.js";
import { type Mechanism, Want } from "../support/body-harness.js";
import { difference, displaced, evaluate, STEP, slope } from "../support/body-motion.js";
import { seeded } from "../support/random.js";

/** J^T lambda at the present state. */
function reactions(m: Mechanism): Float64Array {
  evaluate(m, Want.PHI | Want.JACOBIAN);
  const sum = new Float64Array(m.width);
  for (const [i, row] of m.jacobian().entries()) {
    for (let j = 0; j < m.width; j++) sum[j] += m.lambda[i] * row[j];
  }
  return sum;
}

function stiffness(m: Mechanism): Float64Array {
  evaluate(m, Want.PHI | Want.JACOBIAN);
  m.kernels.bodyConstraintStiffness(
    m.table,
    m.pattern.byteOffset,
    m.lambda.byteOffset,
    m.stiffness.byteOffset,
  );
  return denseOf(m.stiffness, m.width / 6);
}

describe.each(Object.entries(holonomicCases))("%s", (_, make) => {
  test("the stiffness is the derivative of J^T lambda by displacements", () => {
    const { error } = overStates(make, (m) => {
      const exact = stiffness(m);
      const q = m.q.slice();
      const columns = Array.from({ length: m.width }, (_column, j) =>
        slope((x) => {
          const delta = new Float64Array(m.width);
          delta[j] = x;
          m.q.set(displaced(q, delta));
          return reactions(m);
        }, STEP),
      );
      return {
        error: difference(
          columns.flatMap((column) => [...column]),
          exact,
        ),
      };
    });
    expect(error).toBeLessThan(1e-9);
  });
});

test("the stiffness adds to existing values, and velocity rows have none", () => {
  const m = randomMechanism(holonomicCases.dot2, seeded(1), 0);
  const once = stiffness(m);
  expect(Math.max(...once)).toBeGreaterThan(0.1);
  expect(stiffness(m)).toEqual(once.map((x) => 2 * x));
  for (const make of Object.values(velocityCases)) {
    expect(stiffness(randomMechanism(make, seeded(1), 0)).every((x) => x === 0)).toBe(true);
  }
});
