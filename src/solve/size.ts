import type { Address } from "../memory/arena.js";
import type { Motion } from "./motion.js";

/** A vector like the state, in units of what is allowed at the state: its largest number. */
export function sizeOf(x: Address, { system, tolerance }: Motion): number {
  const { workspace, positions, velocities, state } = system;
  const { kernels } = workspace;
  const { relative, positions: inPositions, velocities: inVelocities } = tolerance;
  const v = 8 * positions;
  return Math.max(
    kernels.errorMaximum(positions, inPositions, relative, x, state, state),
    kernels.errorMaximum(velocities, inVelocities, relative, x + v, state + v, state + v),
  );
}
