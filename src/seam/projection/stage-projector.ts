import type { System } from "../methods.js";

export interface StageOptions {
  /** Position corrections at most. 0: positions are left alone. */
  readonly corrections: number;
  /** Constraint error that is left alone. */
  readonly tolerance: number;
  /** Factor once more where the error no longer halves: at the end of a step that is worth it. */
  readonly refactor: boolean;
}

/** Constraint errors of so many spacings of the coordinates are rounding. */
const ROUNDING = 2 * Number.EPSILON;

/**
 * Moves the trial state onto the constraints with one factor: that of the state as it comes. Positions
 * by corrections q += minnorm(-Phi) with fresh J, until the error |Phi| is small or no longer halves; then
 * velocities. The factor stays for the accelerations that are asked for next; the next call replaces it. The
 * state has been announced when this returns.
 */
export function bindStageProjector(system: System): (t: number, options: StageOptions) => void {
  const { workspace, positions, velocities, rows, trial } = system;
  const solver = system.solver("auto");
  const negated = workspace.vector("negated residual of a stage", rows);
  const step = workspace.vector("step of a stage", velocities);
  const zero = workspace.vector("zero rows of a stage", rows);
  const before = workspace.vector("positions before a correction", positions);
  const v = trial + 8 * positions;

  function correction(residual: number, refined: boolean): void {
    workspace.kernels.stabilisedRight(rows, 1, 0, zero, residual, zero, negated);
    solver.minnorm(1, negated, step, refined);
  }

  /** What is to be corrected, of residuals of which some may stay open. */
  const closable = (residual: number) => system.closable?.(residual) ?? residual;

  function correctPositions(t: number, options: StageOptions): void {
    const { kernels } = workspace;
    const { corrections } = options;
    // Far from the origin positions themselves are no better than that.
    const rounding = ROUNDING * kernels.largestMagnitude(positions, trial);
    const tolerance = Math.max(options.tolerance, rounding);
    let refactored = !options.refactor;
    let open = closable(system.phi());
    let square = kernels.dot(rows, open, open);
    for (let i = 0; i < corrections; i++) {
      if (kernels.largestMagnitude(rows, open) <= tolerance) return;
      correction(system.phi(), options.refactor);
      kernels.copyVector(positions, trial, before);
      system.displace(trial, step);
      system.at(t);
      open = closable(system.phi());
      const next = kernels.dot(rows, open, open);
      if (!(next < square)) {
        kernels.copyVector(positions, before, trial);
        system.at(t);
        return;
      }
      if (system.closable && options.refactor) {
        // What stays open looks closable by the factor of another pose.
        solver.freeze?.();
      } else if (!(next <= square / 4)) {
        // The factor no longer fits: once more, with that of this pose.
        if (refactored) return;
        refactored = true;
        solver.freeze?.();
      }
      square = next;
    }
  }

  return (t, options) => {
    const { kernels } = workspace;
    system.at(t);
    solver.thaw?.();
    if (rows === 0) return;
    solver.freeze?.();
    if (options.corrections > 0) correctPositions(t, options);
    if (kernels.largestMagnitude(rows, closable(system.phiDot())) <= options.tolerance) return;
    correction(system.phiDot(), true);
    kernels.axpy(velocities, 1, step, v, v);
    if (system.atVelocity) system.atVelocity();
    else system.at(t);
  };
}
