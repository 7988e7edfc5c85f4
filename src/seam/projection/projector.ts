import { checkpoint } from "../../ground/watch.js";
import type { ConstraintSolver, System } from "../methods.js";

export interface ProjectionOptions {
  /** Newton iterations on the positions at most. */
  readonly iterations: number;
  /** Largest constraint error that is left alone. */
  readonly tolerance: number;
  /** States are close to the constraints: one factor does for positions and then velocities. */
  readonly near?: boolean;
  /** Limits of the run end it between iterations. Not for readers of states: functions of users call them. */
  readonly stoppable?: boolean;
}

/** Constraint errors of so many spacings of the coordinates are rounding. */
const ROUNDING = 2 * Number.EPSILON;
/** A factor that makes errors smaller by less than this is not worth keeping. */
const SLOW = 1e-3;

/** Brings the state onto the constraints. */
export interface Projector {
  /**
   * Newton's iteration q += minnorm(-Phi): the nearest pose in the metric of the mass matrix. Ends when
   * the error is below the tolerance or no longer halves. Returns the largest error left. An error that is
   * NaN goes to the solver, which says whose it is.
   */
  positions(t: number): number;
  /** v += minnorm(-Phi'): exact at once when velocity constraints are linear. Returns what is left. */
  velocities(t: number): number;
}

/** A projector of the accepted state of a system, by its own solver or one that holds some coordinates. */
export function bindProjector(
  system: System,
  { iterations, tolerance, near = false, stoppable = false }: ProjectionOptions,
  solver: ConstraintSolver = system.solver("auto"),
): Projector {
  const { workspace, positions, velocities, rows, state, trial } = system;
  const negated = workspace.vector("negated residual", rows);
  const step = workspace.vector("projection step", velocities);
  const zero = workspace.vector("zero rows", rows);

  function load(t: number): void {
    workspace.kernels.copyVector(positions + velocities, state, trial);
    system.at(t);
  }

  let held = false;
  // The trial state is the accepted one, and announced.
  let placed = false;
  const refined = !near || system.closesLoops === true;

  /** Uses the factor of this state for those that follow. */
  function hold(): void {
    if (near && !held) solver.freeze?.();
    held = near;
  }

  function correction(residual: number): void {
    const { kernels } = workspace;
    if (stoppable) checkpoint();
    hold();
    kernels.stabilisedRight(rows, 1, 0, zero, residual, zero, negated);
    solver.minnorm(1, negated, step, refined);
  }

  /** The largest of what can be corrected, of residuals of which some may stay open. */
  const largest = (residual: number) =>
    workspace.kernels.largestMagnitude(rows, system.closable?.(residual) ?? residual);

  /** What is left alone, of coordinates of this size. */
  const enough = (count: number, address: number) =>
    Math.max(tolerance, ROUNDING * workspace.kernels.largestMagnitude(count, address));

  function correctVelocities(t: number): number {
    const { kernels } = workspace;
    const v = trial + 8 * positions;
    const limit = enough(velocities, v);
    let error = largest(system.phiDot());
    for (let iteration = 0; iteration < iterations && !(error <= limit); iteration++) {
      correction(system.phiDot());
      kernels.axpy(velocities, 1, step, v, v);
      if (system.atVelocity) system.atVelocity();
      else system.at(t);
      const next = largest(system.phiDot());
      if (!(next < error)) return error;
      kernels.copyVector(velocities, v, state + 8 * positions);
      const halved = next <= error / 2;
      error = next;
      if (!halved) break;
    }
    return error;
  }

  return {
    positions(t) {
      const { kernels } = workspace;
      load(t);
      held = false;
      placed = true;
      const limit = enough(positions, trial);
      let error = largest(system.phi());
      for (let iteration = 0; iteration < iterations && !(error <= limit); iteration++) {
        correction(system.phi());
        system.displace(trial, step);
        system.at(t);
        const next = largest(system.phi());
        placed = next < error;
        if (!placed) break;
        kernels.copyVector(positions, trial, state);
        if (next > SLOW * error) held = false;
        const halved = next <= error / 2;
        error = next;
        if (!halved) break;
      }
      return error;
    },
    velocities(t) {
      if (!placed) load(t);
      placed = false;
      return correctVelocities(t);
    },
  };
}
