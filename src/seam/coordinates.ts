import type { Turn } from "../../assembly/layout-bodies.js";
import type { Address } from "../ground/memory/arena.js";

/** Where the numbers of a state lie: q, then v, then the work that some stabilisations count, without gaps. */
export interface StateAddress {
  /** Address of the positions. */
  readonly q: Address;
  /** Address of the velocities. */
  readonly v: Address;
  /** Address of the work. */
  readonly work: Address;
}

/**
 * A body with seven numbers in q: its centre of mass in the world and four Euler parameters, scalar first,
 * which turn its frame into the world.
 */
export interface RigidBodyInfo {
  /** Name of the body. */
  readonly name: string;
  /** Centre of mass, in the frame of the body. */
  readonly centre: ArrayLike<number>;
}

/** Behind the motion, velocities are states of controllers and the like, and positions their integrals, of no meaning. */
export interface StatePlaces {
  /** The first position that is no motion. */
  readonly firstPosition: number;
  /** The first velocity that is no motion. */
  readonly firstVelocity: number;
  /** How many velocities before it always rest: bodies of rotors have some to spare. */
  readonly idle: number;
}

/** What a state is made of, and how positions follow velocities. */
export interface Coordinates {
  /** Numbers in q. */
  readonly positions: number;
  /** Numbers in v. */
  readonly velocities: number;
  /** q' = v: no rotations with other coordinates. */
  readonly ratesAreVelocities: boolean;
  /** Names of the velocities, for messages and options. */
  readonly velocityNames: readonly string[];
  /** Missing where positions and velocities have the same names. */
  readonly positionNames?: readonly string[];
  /** The bodies, where q consists of rigid bodies and nothing else. */
  readonly rigidBodies?: readonly RigidBodyInfo[];
  /** Where states are, in what is not motion; undefined where there are none. */
  readonly states?: StatePlaces | undefined;
  /** Size of a mechanism that lies many times that size away from the origin; undefined for others. */
  readonly positionScale?: number | undefined;
  /** out = q' for the velocity v + scale correction. */
  positionRate(v: Address, scale: number, correction: Address, out: Address): void;
  /**
   * Adds a small displacement, given in velocity coordinates, to the q at an address. Rotations are updated exactly, or
   * by the rule `turn`.
   */
  displace(q: Address, displacement: Address, turn?: Turn): void;
  /** Brings the q at an address to its normal form: Euler parameters become unit quaternions. */
  normalise?(q: Address): void;
  /**
   * From the next `at` on, uses Euler parameters as they are, of unit length or not: R = (2 e0^2 - 1) I + 2 (e e^T +
   * e0 [e x]) is a rotation for units only, and J by the tables of Haug 1989, 9.4. For methods that ask for it; false ends it.
   */
  useUnnormalised?(isPlain: boolean): void;
}
