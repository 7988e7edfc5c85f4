import type { Address } from "../ground/memory/arena.js";

/** Adds loads to bodies: six numbers each, a force in the world and a torque about the centre of mass in the body's axes. */
export type Pushes = (frames: Float64Array, loads: Float64Array) => void;

/** The bodies of a mechanism, whatever its coordinates are: for what takes hold of them while it runs. */
export interface BodyAccess {
  /** Number of bodies. */
  readonly count: number;
  /** What to try besides a shorter step where the motion diverges, as the end of a sentence; may be empty. */
  readonly stiffAdvice: string;
  /** Frames of the bodies at the trial state, as the kernels have them (`BodyFrame`). */
  frames(): Float64Array;
  /** Forces on the coordinates for those on bodies, at the trial state. */
  forces(onBodies: Address, out: Address): void;
  /** Records of all sensors at the trial state, as the kernels have them (`Sensor`); their Jacobians only where these are wanted. */
  sensors(withJacobians: boolean): Float64Array;
  /** Velocities of bodies for those of the coordinates, at the trial state. */
  velocities(v: Address, out: Address): void;
  /** The largest angular velocity of a body at the accepted state. */
  angularRate(): number;
  /** Loads besides those of the model, from now on. */
  setPushes(pushes: Pushes | undefined): void;
}
