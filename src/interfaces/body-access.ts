import type { Address } from "../base/memory/arena.js";

/**
 * Adds loads to bodies: six values per body, a force in world axes and a torque about the centre of mass in body axes.
 */
export type Pushes = (frames: Float64Array, loads: Float64Array) => void;

/** The bodies of a mechanism, in maximal or relative coordinates alike. Interactive loads, sensors and views use it. */
export interface BodyAccess {
  /** Number of bodies. */
  readonly count: number;
  /** Advice for a motion that diverges, beyond a shorter step: the end of a sentence, may be empty. */
  readonly stiffAdvice: string;
  /** Frames of all bodies at the trial state, in the record layout of the kernels (`BodyFrame`). */
  frames(): Float64Array;
  /** Writes the generalised forces that correspond to forces on the bodies, at the trial state. */
  forces(onBodies: Address, out: Address): void;
  /**
   * Records of all sensors at the trial state, in the layout of the kernels (`Sensor`). Jacobians are computed only on
   * request.
   */
  sensors(withJacobians: boolean): Float64Array;
  /** Writes the velocities of the bodies for generalised velocities v, at the trial state. */
  velocities(v: Address, out: Address): void;
  /** The largest angular velocity of a body at the accepted state, in rad/s. */
  angularRate(): number;
  /** Sets loads that act in addition to those of the model until the next call; undefined removes them. */
  setPushes(pushes: Pushes | undefined): void;
}
