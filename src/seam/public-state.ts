import type { Address } from "../ground/memory/arena.js";
import type { Coordinates } from "./coordinates.js";

/** Names and numbers of what users see of a state. */
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
 * Present where users see other numbers than methods integrate: positions and velocities of bodies, where the system's
 * own are joint coordinates. Rows, multipliers and accelerations that users see are those of {@link maximal} as well.
 */
export interface PublicState<S> {
  /** What the public q and v are. */
  readonly coordinates: PublicCoordinates;
  /** The coordinates were chosen, not asked for: methods that cost less in maximal ones take these. */
  readonly isAutomatic?: boolean | undefined;
  /** States may miss the joints by as much: the geometry of some mechanisms fits only nearly. Default: 0. */
  readonly misfit?: number | undefined;
  /** The public q, then v, for the system's q and v at `from`. Does not disturb the trial state. */
  write(from: Address, out: Address): void;
  /**
   * The system's q, then v, at `out` for the public q and v at `from`, which satisfy the joints: angles are taken on the
   * turn that is nearest to what continuation.turns says. What does not fit a joint is left out; returns how much that
   * is at most, in the units of its coordinates. Addresses are in the memory of the system.
   */
  read(from: Address, out: Address): number;
  /**
   * Another system, with memory of its own, of the same mechanism, whose q and v are the public ones: for projecting given
   * states, impulses and for questions about rows and reactions. Made when first asked for; it is not sealed.
   */
  maximal(): S;
}
