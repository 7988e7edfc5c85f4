// The reader of a mechanism that is passed to user functions during an evaluation.

import type { Handle } from "./handles.js";

/** A handle of the given kind, or its name. */
export type HandleOrName<Kind extends Handle["kind"]> = string | Extract<Handle, { kind: Kind }>;

/**
 * Quantities of the mechanism at the state being evaluated, which need not be the end of a step. Parts are given by
 * handle or by name. Vectors are overwritten by the next call for the same body.
 */
export interface QuantityReader {
  /** Angle of a joint in radians, including full turns. */
  angle(joint: HandleOrName<"joint">): number;
  /** Its rate, rad/s. */
  angleRate(joint: HandleOrName<"joint">): number;
  /** Displacement of a joint along its axis, m. */
  displacement(joint: HandleOrName<"joint">): number;
  /** Its rate, m/s. */
  displacementRate(joint: HandleOrName<"joint">): number;
  /** Length measured by a joint, m. */
  length(joint: HandleOrName<"joint">): number;
  /** Its rate, m/s. */
  lengthRate(joint: HandleOrName<"joint">): number;
  /** World position of a body point given in the body's frame. Default: its origin. */
  position(body: HandleOrName<"body">, point?: ArrayLike<number>): Float64Array;
  /** World velocity of a body point given in the body's frame. Default: its origin. */
  velocity(body: HandleOrName<"body">, point?: ArrayLike<number>): Float64Array;
  /** Rotation matrix of a body, 3 x 3 column-major, body to world. */
  rotation(body: HandleOrName<"body">): Float64Array;
  /** Angular velocity of a body, in the world. */
  angularVelocity(body: HandleOrName<"body">): Float64Array;
  /** Torque or force of a motor at its joint, evaluated at this state. Not available to targets of motors. */
  motorTorque(motor: HandleOrName<"force">): number;
  /** Power of a motor at its joint, W. */
  motorPower(motor: HandleOrName<"force">): number;
  /** Currently held output of a controller. `name` may be omitted if there is only one. */
  output(controller: HandleOrName<"controller">, name?: string): number;
  /** Value of a state. `name` may be omitted if there is only one. */
  state(states: HandleOrName<"states">, name?: string): number;
  /**
   * Quantity by its name in formulas: `quantity("vx", "crank:tip")` is `vx('crank:tip')`. Includes everything that
   * follows from the motion, motors and controller outputs.
   */
  quantity(name: string, of: string | Handle): number;
}
