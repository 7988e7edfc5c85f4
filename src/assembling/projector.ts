import type { System } from "../contracts.js";

export interface ProjectionOptions {
  /** Newton iterations on the positions at most. */
  readonly iterations: number;
  /** Largest constraint error that is left alone. */
  readonly tolerance: number;
}

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

/** A projector of the accepted state of a system. */
export function bindProjector(
  system: System,
  { iterations, tolerance }: ProjectionOptions,
): Projector {
  const { workspace, positions, velocities, rows, state, trial } = system;
  const solver = system.solver("auto");
  const negated = workspace.vector("negated residual", rows);
  const step = workspace.vector("projection step", velocities);
  const zero = workspace.vector("zero rows", rows);

  function load(t: number): void {
    workspace.kernels.copyVector(positions + velocities, state, trial);
    system.at(t);
  }

  function correction(residual: number): void {
    const { kernels } = workspace;
    kernels.stabilisedRight(rows, 1, 0, zero, residual, zero, negated);
    solver.minnorm(1, negated, step);
  }

  return {
    positions(t) {
      const { kernels } = workspace;
      load(t);
      let error = kernels.largestMagnitude(rows, system.phi());
      for (let iteration = 0; iteration < iterations && !(error <= tolerance); iteration++) {
        correction(system.phi());
        system.displace(trial, step);
        system.at(t);
        const next = kernels.largestMagnitude(rows, system.phi());
        if (!(next < error)) break;
        kernels.copyVector(positions, trial, state);
        const halved = next <= error / 2;
        error = next;
        if (!halved) break;
      }
      return error;
    },
    velocities(t) {
      const { kernels } = workspace;
      load(t);
      for (let iteration = 0; iteration < iterations; iteration++) {
        const error = kernels.largestMagnitude(rows, system.phiDot());
        if (error <= tolerance) return error;
        correction(system.phiDot());
        const v = trial + 8 * positions;
        kernels.axpy(velocities, 1, step, v, v);
        system.at(t);
        const next = kernels.largestMagnitude(rows, system.phiDot());
        if (!(next < error)) return error;
        kernels.copyVector(velocities, v, state + 8 * positions);
        if (!(next <= error / 2)) return next;
      }
      return kernels.largestMagnitude(rows, system.phiDot());
    },
  };
}
