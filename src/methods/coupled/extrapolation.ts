import { number, optionsOf, type Shape } from "../../base/checking/index.js";
import type { BoundCoupledMethod, CoupledMethod, System } from "../../interfaces/index.js";
import { bindProjector, OpenJoints } from "../../interfaces/projection/projector.js";
import { NO_HISTORY, PLAIN_COUPLED } from "../defaults.js";
import { bindHalfExplicit } from "./half-explicit.js";

/** Options of {@link extrapolation}. */
export interface ExtrapolationOptions {
  /** Order, an even number from 2 to 12. Default: 6. */
  readonly order?: number;
}

const HIGHEST = 12;

const SHAPE: Shape<ExtrapolationOptions> = {
  order: number(
    `an even number from 2 to ${HIGHEST}`,
    (value) => value >= 2 && value <= HIGHEST && value % 2 === 0,
  ),
};

/** Newton iterations of the projection at the end of a step, and the violation that is not corrected. */
const PROJECTION = { iterations: 4, tolerance: 1e-14, near: true } as const;

/**
 * Extrapolation of the half-explicit midpoint rule, as in Lubich's code MEXX. A step of length h is taken with n = 2,
 * 4, 6, ... substeps of length s = h / n,
 *
 *   q_1 = q_0 + s v_0,            v_1 = v_0 + s a_0,              Phi'(q_1, v_1) = 0
 *   q_k+1 = q_k-1 + 2 s v_k,      v_k+1 = v_k-1 + 2 s a_k,        Phi'(q_k+1, v_k+1) = 0
 *
 * where a_k has the multipliers that satisfy the constraints on velocities at k + 1. For even n the error at the end
 * has an expansion in s^2, from which an Aitken-Neville table eliminates one term for each n. The result is then
 * moved to the nearest positions and velocities that satisfy the constraints. The last two entries of the table yield
 * an error estimate for adaptive steps. For smooth motions at tight tolerances.
 *
 * Rejected: half-explicit Euler steps. Their expansion has all powers of s, so an order needs twice as many substeps.
 *
 * @example
 * simulate(pendulum, { method: { coupled: extrapolation({ order: 8 }) }, step: 0.05, q: [1, 0] });
 */
export function extrapolation(
  options: ExtrapolationOptions = {},
  ...more: undefined[]
): CoupledMethod {
  const { order = 6 } = optionsOf("extrapolation", "METHOD", options, SHAPE, more);
  const parts = Array.from({ length: order / 2 }, (_, j) => 2 * (j + 1));
  return {
    ...PLAIN_COUPLED,
    name: `extrapolation(${order})`,
    reference:
      "Lubich, Impact Comput. Sci. Eng. 1 (1989) 260-268 and 3 (1991) 212-234; Lubich, Nowak, Poehle and Engstler, MEXX, Konrad-Zuse-Zentrum SC 92-12 (1992)",
    order,
    stages: parts.reduce((sum, count) => sum + count, 0),
    errorOrder: order > 2 ? order - 1 : 0,
    needs: "operators",
    bind: (system) => bindTable(system, parts),
  };
}

/**
 * Weights of the first column in the result of the table: a polynomial through values at 1 / n^2, evaluated at zero.
 */
function neville(parts: readonly number[]): number[] {
  return parts.map((n) =>
    parts.reduce((product, m) => (m === n ? product : (product * n * n) / (n * n - m * m)), 1),
  );
}

function bindTable(system: System, parts: readonly number[]): BoundCoupledMethod {
  const { workspace, state, trial, constraints, coordinates } = system;
  const { positions, velocities } = coordinates;
  // Displacements are stored after q and v: errors are measured in displacements, which differ from positions of
  // bodies.
  const moved = positions + velocities;
  const size = moved + velocities;
  const solver = system.dynamics.solver("auto");
  const stage = bindHalfExplicit(system);
  const projector = bindProjector(system, PROJECTION);
  const joints = new OpenJoints(system);
  const points = [0, 1, 2].map((k) => workspace.vector(`extrapolation: point ${k}`, size));
  const slope = workspace.vector("extrapolation: slope", size);
  const zero = workspace.vector("extrapolation: zero", size);
  const ends = workspace.vector("extrapolation: first column", size * parts.length);
  const error = workspace.vector("extrapolation: error", size);
  const result = workspace.vector("extrapolation: result", size);
  const weights = neville(parts);
  const lower = [0, ...neville(parts.slice(1))];
  const table = workspace.constants("extrapolation: weights", weights);
  const difference = workspace.constants(
    "extrapolation: weights of the error",
    weights.map((weight, j) => weight - lower[j]!),
  );
  const time = workspace.reserve("extrapolation: end of the step", 1);
  let end = new Float64Array(1);
  workspace.whenSealed((arena) => {
    end = arena.floats(time);
  });

  /**
   * Moves point `from` by the slope at the trial state to a new trial state at time t that satisfies the rows. Writes
   * it to `to`.
   */
  function move(from: number, weight: number, t: number, to: number): void {
    const { kernels } = workspace;
    const a = slope + 8 * positions;
    coordinates.positionRate(trial.v, 0, trial.v, slope);
    stage.evaluate(a);
    kernels.copyVector(velocities, trial.v, slope + 8 * moved);
    kernels.axpy(size, weight, slope, from, to);
    kernels.copyVector(moved, to, trial.q);
    system.at(t);
    stage.close(weight, a);
    kernels.copyVector(velocities, trial.v, to + 8 * positions);
  }

  /** Takes a step of `count` substeps, with the last three points in a ring. */
  function advance(t: number, h: number, count: number, to: number): void {
    const { kernels } = workspace;
    const s = h / count;
    kernels.copyVector(moved, state.q, points[0]!);
    kernels.copyVector(velocities, zero, points[0]! + 8 * moved);
    system.load(t);
    move(points[0]!, s, t + s, points[1]!);
    for (let k = 1; k < count; k++) {
      move(points[(k - 1) % 3]!, 2 * s, t + (k + 1) * s, points[(k + 1) % 3]!);
    }
    kernels.copyVector(size, points[count % 3]!, to);
  }

  return {
    ...NO_HISTORY,
    attempt(t, h) {
      const { kernels } = workspace;
      for (let j = 0; j < parts.length; j++) advance(t, h, parts[j]!, ends + 8 * size * j);
      kernels.combine(size, parts.length, 1, zero, ends, table, result);
      kernels.combine(size, parts.length, 1, zero, ends, difference, error);
      kernels.copyVector(moved, result, trial.q);
      end[0] = t + h;
    },
    accept() {
      system.store();
      joints.refuse(end[0]!, projector.positions(end[0]!));
      projector.velocities(end[0]!);
    },
    ...(parts.length > 1 && {
      estimate(_: number, ofVelocity: number, ofDisplacement: number) {
        workspace.kernels.copyVector(velocities, error + 8 * positions, ofVelocity);
        workspace.kernels.copyVector(velocities, error + 8 * moved, ofDisplacement);
      },
    }),
    accelerations: (out) => solver.accelerate(constraints.gamma(), out),
  };
}
