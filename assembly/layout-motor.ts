// Constants of motors, compiled by asc and by tsc.

/** DATA of MOTOR (forces/motor.ts). An absent limit is the largest finite number. */
export enum MotorData {
  /** s* and s*'. */
  TARGET = 0,
  TARGET_RATE = 1,
  /** f: feed-forward torque. */
  FEED = 2,
  /** Gains kp and kd. */
  STIFFNESS = 3,
  DAMPING = 4,
  /** Limits of the rotor: torque M, speed W, power P. */
  MOST_TORQUE = 5,
  MOST_SPEED = 6,
  MOST_POWER = 7,
  /** n: revolutions of the rotor per revolution of the joint. */
  RATIO = 8,
  EFFICIENCY = 9,
  /** w0 */
  SLOW = 10,
  /** Written by the law: m, F, dF/ds and dF/ds'. */
  TORQUE = 11,
  FORCE = 12,
  BY_VALUE = 13,
  BY_RATE = 14,
  LENGTH = 15,
}
