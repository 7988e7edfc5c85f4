import type { Address } from "../base/memory/arena.js";
import type { Coordinates } from "./coordinates.js";

/** Sizes and names of the public coordinates. */
export type PublicCoordinates = Pick<
  Coordinates,
  | "positions"
  | "velocities"
  | "positionNames"
  | "velocityNames"
  | "rigidBodies"
  | "positionScale"
  | "states"
>;

/**
 * Public coordinates of a system that is integrated in others: positions and velocities of bodies, while the system's
 * own are joint coordinates. Public rows, multipliers and accelerations are those of {@link maximal}.
 */
export interface PublicState<S> {
  /** The public q and v. */
  readonly coordinates: PublicCoordinates;
  /** True if the coordinates were chosen automatically: methods that cost less in maximal coordinates use those. */
  readonly isAutomatic: boolean;
  /** Joint error that states may have, because the geometry fits only approximately; else 0. */
  readonly misfit: number;
  /** Writes the public q, then v, for the system's q and v at `from`. Does not change the trial state. */
  write(from: Address, out: Address): void;
  /**
   * Writes the system's q, then v, to `out` for the public q and v at `from`, which satisfy the joints. Angles are
   * unwrapped to the value nearest to `continuation.unwrappedAngles`. Components that violate a joint are dropped;
   * returns the largest of them, in the units of its coordinate. Addresses are in the memory of the system.
   */
  read(from: Address, out: Address): number;
  /**
   * Returns another system of the same mechanism, with its own memory, whose q and v are the public ones. It serves to
   * project given states, to compute impulses and to answer queries about rows and reactions. It is created on the
   * first call and not sealed.
   */
  maximal(): S;
}
