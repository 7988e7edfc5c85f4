import type { System } from "../contracts.js";
import { NodriftError } from "../errors.js";

/** Residual, relative to the speed, that rounding does not explain. */
const NONLINEAR = 1e-6;

/**
 * Announces the accepted state at the beginning of a step. Formulations on the level of velocities solve
 * J v + b = 0 for v, so nonholonomic constraints must be linear: refuses those of which Pi(v) is not
 * J v + Pi(0).
 */
export function bindLoad(system: System): (t: number) => void {
  const { workspace, positions, velocities, rows, holonomicRows, state, trial } = system;
  const residual = workspace.vector("residual of velocities", rows);
  const product = workspace.vector("constraints times velocity", rows);
  const zero = workspace.vector("velocity of rest", velocities);
  const v = trial + 8 * positions;

  function announce(t: number): void {
    workspace.kernels.copyVector(positions + velocities, state, trial);
    system.at(t);
  }

  return (t) => {
    announce(t);
    if (rows === holonomicRows) return;
    const { kernels } = workspace;
    system.jacobianTimes(v, product);
    kernels.axpy(rows, -1, product, system.phiDot(), residual);
    kernels.copyVector(velocities, zero, v);
    system.at(t);
    kernels.axpy(rows, -1, system.phiDot(), residual, residual);
    announce(t);
    const speed = kernels.largestMagnitude(velocities, v);
    // NaN passes: the solve that follows says whose it is.
    if (!(kernels.largestMagnitude(rows, residual) > NONLINEAR * (1 + speed))) return;
    throw new NodriftError(
      "METHOD",
      "the nonholonomic constraints are not linear in the velocities, which a formulation on the level " +
        "of velocities or positions needs: use one on the level of accelerations, like udwadiaKalaba()",
    );
  };
}
