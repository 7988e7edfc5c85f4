import type { System } from "../contracts.js";

export interface StageOptions {
  /** Position corrections at most. 0: positions are left alone. */
  readonly corrections: number;
  /** Constraint error that is left alone. */
  readonly tolerance: number;
}

/**
 * Moves the trial state onto the constraints with one factor: that of the state as it comes. Positions
 * by corrections q += minnorm(-Phi) with fresh J, until the error is small or no longer halves; then
 * velocities. The factor stays for the accelerations that are asked for next; the next call replaces it.
 *
 * A correction that makes the error larger is taken back. Where links do not fit exactly, a part of Phi
 * cannot be removed: the multipliers grow along the combination z of rows that repeats the others, by
 * 1 / mu. J^T z is zero at the pose of the factor, not at a pose beside it: corrections would feed
 * themselves and the motion blow up.
 */
export function bindStageProjector(system: System): (t: number, options: StageOptions) => void {
  const { workspace, positions, velocities, rows, trial } = system;
  const solver = system.solver("auto");
  const negated = workspace.vector("negated residual of a stage", rows);
  const step = workspace.vector("step of a stage", velocities);
  const zero = workspace.vector("zero rows of a stage", rows);
  const kept = workspace.vector("state before a correction", positions);
  const v = trial + 8 * positions;

  function correction(residual: number): void {
    workspace.kernels.stabilisedRight(rows, 1, 0, zero, residual, zero, negated);
    solver.minnorm(1, negated, step);
  }

  function correctPositions(t: number, { corrections, tolerance }: StageOptions): void {
    const { kernels } = workspace;
    let error = kernels.largestMagnitude(rows, system.phi());
    for (let i = 0; i < corrections && !(error <= tolerance); i++) {
      correction(system.phi());
      kernels.copyVector(positions, trial, kept);
      system.displace(trial, step);
      system.at(t);
      const next = kernels.largestMagnitude(rows, system.phi());
      if (!(next < error)) {
        kernels.copyVector(positions, kept, trial);
        system.at(t);
      }
      if (!(next <= error / 2)) return;
      error = next;
    }
  }

  return (t, options) => {
    const { kernels } = workspace;
    system.at(t);
    solver.thaw?.();
    if (rows === 0) return;
    solver.freeze?.();
    if (options.corrections > 0) correctPositions(t, options);
    const error = kernels.largestMagnitude(rows, system.phiDot());
    if (error <= options.tolerance) return;
    correction(system.phiDot());
    kernels.copyVector(velocities, v, kept);
    kernels.axpy(velocities, 1, step, v, v);
    system.at(t);
    if (kernels.largestMagnitude(rows, system.phiDot()) < error) return;
    kernels.copyVector(velocities, kept, v);
    system.at(t);
  };
}
