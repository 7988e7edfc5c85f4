import { differentiate } from "../base/algebra/differences.js";
import { spectralRadius } from "../base/algebra/eigenvalues.js";
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
import type { Method } from "../interfaces/index.js";
import {
  fixedStepMethod,
  SIMULATION_SHAPE,
  type SimulationOptions,
} from "../run/stepping/options.js";
import { simulate } from "../run/stepping/simulate.js";
import { checkSource } from "../run/stepping/source.js";
import type { EquationsDescription } from "../systems/equations/description.js";
import { type Equations, equations } from "../systems/equations/equations.js";
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

/** Displacement of each variable for finite differences, independent of its value, since the size of angles is arbitrary. */
const DIFFERENCE_STEP = 2 ** -8;
export type LinearMapOptions = Omit<SimulationOptions, "start">;

const { start: _, ...GIVEN_SHAPE } = SIMULATION_SHAPE;
const MAP_SHAPE = { ...GIVEN_SHAPE, method: needed(fixedStepMethod) };

/**
 * Computes the derivative of one step, from (q, v) to the next (q, v), column-major, by finite differences. At
 * an equilibrium its spectral radius shows whether a method is stable with this step size.
 *
 * @example
 * const map = linearMap(pendulum, { method: { coupled: welch() }, step: 0.1, q: [0, -1] });
 * console.log(spectralRadius(4, map));
 */
export function linearMap(
  equations: Equations,
  options: LinearMapOptions,
  ...more: undefined[]
): Float64Array {
  checkSource("linearMap", equations, "linearMap(pendulum, { method, step: 0.1, q: [0, -1] })");
  const read = optionsOf("linearMap", "STEP", options, MAP_SHAPE, more);
  const { method } = read;
  if ("integrator" in method && method.integrator.isMultistep) {
    throw new NodriftError(
      "METHOD",
      `${method.integrator.name} is a multistep method: its step is not a function of the state alone. ` +
        "Use a one-step method",
    );
  }
  const simulation = simulate(equations, { ...read, start: "asGiven" });
  const before = simulation.save();
  const split = simulation.q.length;
  const size = split + simulation.v.length;
  const start = Float64Array.from([...simulation.q, ...simulation.v]);
  const end = new Float64Array(size);
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    const centre = start[j] as number;
    const sample = (s: number) => {
      simulation.restore(before);
      start[j] = centre + s;
      simulation.setState(start.subarray(0, split), start.subarray(split), "asGiven");
      simulation.advance();
      end.set(simulation.q);
      end.set(simulation.v, split);
    };
    differentiate(DIFFERENCE_STEP, sample, end, matrix, j * size);
    start[j] = centre;
  }
  return matrix;
}

/** Options of {@link stabilityLimit}. */
export interface StabilityLimitOptions extends Omit<LinearMapOptions, "step"> {
  /** Step size that is stable. */
  readonly stable: number;
  /** Step size that is unstable. */
  readonly unstable: number;
  /**
   * Largest excess of the spectral radius over 1. Double eigenvalues on the unit circle have an error of the
   * square root of the rounding. Default: 1e-5.
   */
  readonly tolerance?: number;
}

const { step: length, ...REST_SHAPE } = MAP_SHAPE;
const LIMIT_SHAPE: Shape<Omit<StabilityLimitOptions, "method"> & { method: Method }> = {
  ...REST_SHAPE,
  stable: length,
  unstable: length,
  tolerance: notNegative,
};

/**
 * The longest stable step at an equilibrium, by halving the interval.
 *
 * @example
 * stabilityLimit(pendulum, { method: { coupled: hong() }, q: [0, -1], stable: 0.01, unstable: 2 });
 */
export function stabilityLimit(
  equations: Equations,
  options: StabilityLimitOptions,
  ...more: undefined[]
): number {
  checkSource("stabilityLimit", equations, "stabilityLimit(pendulum, { method, q: [0, -1], ... })");
  const read = optionsOf("stabilityLimit", "STEP", options, LIMIT_SHAPE, more);
  const { stable, unstable, tolerance = 1e-5, ...rest } = read;
  if (!(stable < unstable)) {
    throw new NodriftError(
      "STEP",
      `stabilityLimit: stable is ${stable} and unstable ${unstable}; give a shorter step that is stable`,
    );
  }
  const isStable = (step: number) => {
    const matrix = linearMap(equations, { ...rest, step });
    return spectralRadius(Math.sqrt(matrix.length), matrix) <= 1 + tolerance;
  };
  if (!isStable(stable) || isStable(unstable)) {
    throw new NodriftError(
      "STEP",
      "stabilityLimit: `stable` must be a stable step and `unstable` an unstable one; " +
        `got ${stable} and ${unstable}`,
    );
  }
  let [low, high] = [stable, unstable];
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (isStable(middle)) low = middle;
    else high = middle;
  }
  return low;
}
