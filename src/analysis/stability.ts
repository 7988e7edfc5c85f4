import {
  listOf,
  needed,
  notNegative,
  numbers,
  optionsOf,
  positive,
  type Rule,
  type Shape,
} from "../base/checking/index.js";
import { NodriftError } from "../base/errors.js";
import type { EquationsDescription } from "../systems/equations/description.js";
import { equations } from "../systems/equations/equations.js";
import { EquationSystem } from "../systems/equations/system.js";

/** A linear system without forces, M a + B^T lambda = 0 with B q = 0, and a step. */
export interface LinearConstraints {
  /** Diagonal entries, or the matrix as rows. */
  readonly mass: Extract<EquationsDescription["mass"], readonly unknown[]>;
  /** B as rows. */
  readonly jacobian: readonly (readonly number[])[];
  /** Step size. */
  readonly step: number;
}

const row: Rule<readonly number[]> = {
  wants: "a list of numbers",
  read: (value, place) => Array.from(numbers.read(value, place)),
};

const SHAPE: Shape<LinearConstraints> = {
  mass: needed({
    wants: "diagonal entries, or a matrix as rows",
    read: (value, place) => {
      const rows = Array.isArray(value) && Array.isArray(value[0]);
      return rows ? listOf(row).read(value, place) : row.read(value, place);
    },
  }),
  jacobian: needed(listOf(row, "a matrix as rows")),
  step: needed(positive),
};

const BAUMGARTE_SHAPE = { ...SHAPE, alpha: needed(notNegative), beta: needed(notNegative) };

/**
 * Computes the map of `welch()` from (q, v) to the next (q, v), column-major (Welch et al., eq. 61):
 *
 *   X = [I - G, h (I - G); -2 G / h, I - 2 G],   G = M^-1 B^T (B M^-1 B^T)^+ B
 *
 * Its eigenvalues are 0, -1 and 1 for any step size: a position error vanishes after a step, and a velocity error
 * persists with alternating sign.
 *
 * @example
 * spectralRadius(12, welchMap({ mass: [1, 1, 2, 1, 1, 2], jacobian: rows, step: 0.01 }));
 */
export function welchMap(given: LinearConstraints, ...more: undefined[]): Float64Array {
  const system = optionsOf("welchMap", "DESCRIPTION", given, SHAPE, more);
  const { step: h } = system;
  return blocks(projector(system), [
    [
      [1, -1],
      [h, -h],
    ],
    [
      [0, -2 / h],
      [1, -2],
    ],
  ]);
}

/**
 * Computes the map of Baumgarte's stabilisation with Heun's method, column-major (eq. 64):
 *
 *   Lambda = I + h K + (h K)^2 / 2,   K = [0, I; -beta^2 G, -2 alpha G],   G^2 = G
 *
 * The first row of the printed formula differs from this one. With alpha and beta proportional to 1 / h
 * the eigenvalues do not depend on the step size.
 */
export function baumgarteHeunMap(
  given: LinearConstraints & { readonly alpha: number; readonly beta: number },
  ...more: undefined[]
): Float64Array {
  const system = optionsOf("baumgarteHeunMap", "DESCRIPTION", given, BAUMGARTE_SHAPE, more);
  const { step: h, alpha, beta } = system;
  const [velocity, position] = [alpha * h, (beta * h) ** 2];
  return blocks(projector(system), [
    [
      [1, -position / 2],
      [h, -velocity * h],
    ],
    [
      [0, (position * (velocity - 1)) / h],
      [1, 2 * velocity * (velocity - 1) - position / 2],
    ],
  ]);
}

/** A matrix of 2 x 2 blocks, each a multiple of I and of G. */
function blocks(
  g: Float64Array,
  factors: readonly (readonly (readonly [identity: number, projector: number])[])[],
): Float64Array {
  const n = Math.sqrt(g.length);
  const matrix = new Float64Array(4 * n * n);
  for (const [down, row] of factors.entries()) {
    for (const [across, [identity, onG]] of row.entries()) {
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const entry = (i === j ? identity : 0) + onG * (g[i + j * n] as number);
          matrix[down * n + i + 2 * n * (across * n + j)] = entry;
        }
      }
    }
  }
  return matrix;
}

/** Computes G, column-major, which removes B q by the smallest change in the metric of M. */
function projector({ mass, jacobian }: LinearConstraints): Float64Array {
  const n = mass.length;
  const rows = jacobian.length;
  const bad = jacobian.findIndex((each) => each.length !== n);
  if (bad >= 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `jacobian[${bad}] has ${jacobian[bad]!.length} entries for ${n} coordinates`,
    );
  }
  const entries = jacobian.flat();
  const description = {
    name: "linear constraints",
    coordinates: n,
    mass,
    forces: (_q, _v, out) => void out.fill(0),
    holonomic: {
      rows,
      // Only the Jacobian is used, so the values do not matter.
      value: (_q, out) => void out.fill(0),
      jacobian: (_q, out) => out.set(entries),
    },
  } satisfies EquationsDescription;
  const system = new EquationSystem(equations(description));
  const { workspace } = system;
  const solver = system.dynamics.solver("auto");
  const columns = Array.from(
    { length: n * rows },
    (_, k) => entries[(k % rows) * n + (k - (k % rows)) / rows] as number,
  );
  const rhs = workspace.constants("columns of B", columns);
  const answer = workspace.reserve("projector", n * n);
  const arena = workspace.seal();
  system.at(0);
  solver.minnorm(n, rhs, answer.address);
  return arena.floats(answer).slice();
}
