// Constants of motors, for asc and tsc alike.

/** DATA of MOTOR: see forces/motor.ts. Limits that there are not are the greatest number. */
export enum MotorData {
  /** s* and s*'. */
  TARGET = 0,
  TARGET_RATE = 1,
  /** f: what it gives besides. */
  FEED = 2,
  /** kp, kd. */
  STIFFNESS = 3,
  DAMPING = 4,
  /** Of the rotor: M, W, P. */
  MOST_TORQUE = 5,
  MOST_SPEED = 6,
  MOST_POWER = 7,
  /** n: turns of the rotor for one of the joint. */
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
