import type { Turn } from "../../assembly/layout-bodies.js";
import type { Address } from "../base/memory/arena.js";

/**
 * Addresses of the components of a state, which are contiguous: q, then v, then the work that some stabilisations
 * integrate.
 */
export interface StateAddress {
  /** Address of the positions. */
  readonly q: Address;
  /** Address of the velocities. */
  readonly v: Address;
  /** Address of the work. */
  readonly work: Address;
}

/**
 * A body with seven coordinates in q: its centre of mass in the world and four Euler parameters, scalar first, which
 * rotate its frame into the world.
 */
export interface RigidBodyInfo {
  /** Name of the body. */
  readonly name: string;
  /** Centre of mass, in the frame of the body. */
  readonly centre: ArrayLike<number>;
}

/**
 * Indices of the states of controllers, filters and the like. They are stored as velocities after those of the motion;
 * the positions that belong to them are their integrals and have no meaning.
 */
export interface StateIndices {
  /** Index of the first position that does not belong to the motion. */
  readonly firstPosition: number;
  /** Index of the first velocity that does not belong to the motion. */
  readonly firstVelocity: number;
  /** Number of velocities before it that are always zero: unused velocities of the auxiliary bodies of rotors. */
  readonly idle: number;
}

/** The coordinates of a state, and the kinematic equation q' = T(q) v. */
export interface Coordinates {
  /** Number of positions: the length of q. */
  readonly positions: number;
  /** Number of velocities: the length of v. */
  readonly velocities: number;
  /** True if q' = v: no rotation has other coordinates. */
  readonly ratesAreVelocities: boolean;
  /** Names of the velocities, for messages and options. */
  readonly velocityNames: readonly string[];
  /** Names of the positions; the same list as {@link velocityNames} if velocities have no names of their own. */
  readonly positionNames: readonly string[];
  /** The bodies, if q consists of rigid bodies and nothing else. */
  readonly rigidBodies?: readonly RigidBodyInfo[];
  /** Indices of states that do not belong to the motion: after all others if the system has no such states. */
  readonly states: StateIndices;
  /** Size of a mechanism that is many times this size away from the origin; otherwise 0. */
  readonly positionScale: number;
  /** out = q' for the velocity v + scale correction. */
  positionRate(v: Address, scale: number, correction: Address, out: Address): void;
  /**
   * Adds a small displacement, in velocity coordinates, to the q at an address. Rotations are updated exactly, or by
   * the rule `turn`.
   */
  displace(q: Address, displacement: Address, turn?: Turn): void;
  /** Normalises the q at an address: Euler parameters become unit quaternions. */
  normalise(q: Address): void;
  /**
   * From the next `at` on, uses Euler parameters without normalisation: R = (2 e0^2 - 1) I + 2 (e e^T + e0 [e x]) is a
   * rotation for unit length only, and J follows the tables of Haug 1989, 9.4. For methods that request it; false ends
   * it. Does nothing without Euler parameters, and in relative coordinates.
   */
  useUnnormalised(isPlain: boolean): void;
}
