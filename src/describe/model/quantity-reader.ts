// What functions of the user may read of a mechanism while it is evaluated.

import type { Handle } from "./handles.js";

/** A handle of a kind, or its name. */
export type Named<Kind extends Handle["kind"]> = string | Extract<Handle, { readonly kind: Kind }>;

/**
 * Quantities of the mechanism at the state that is being evaluated, which need not be one that a step ends at. Everything is
 * by handle or by name. Vectors are overwritten by the next call for the same body.
 */
export interface QuantityReader {
  /** Angle of a joint in radians, whole turns counted. */
  angle(joint: Named<"joint">): number;
  /** Its rate, rad/s. */
  angleRate(joint: Named<"joint">): number;
  /** Displacement of a joint along its axis, m. */
  displacement(joint: Named<"joint">): number;
  /** Its rate, m/s. */
  displacementRate(joint: Named<"joint">): number;
  /** What a joint that measures a length measures, m. */
  length(joint: Named<"joint">): number;
  /** Its rate, m/s. */
  lengthRate(joint: Named<"joint">): number;
  /** A point of a body in the world, given in its frame; its origin by default. */
  position(body: Named<"body">, point?: ArrayLike<number>): Float64Array;
  /** Velocity of such a point, in the world. */
  velocity(body: Named<"body">, point?: ArrayLike<number>): Float64Array;
  /** Rotation of a body, 3 x 3 by columns, body to world. */
  rotation(body: Named<"body">): Float64Array;
  /** Angular velocity of a body, in the world. */
  angularVelocity(body: Named<"body">): Float64Array;
  /** Torque or force of a motor at its joint, as evaluated at this state. Not for targets of motors themselves. */
  motorTorque(motor: Named<"force">): number;
  /** Power a motor gives to its joint, W. */
  motorPower(motor: Named<"force">): number;
  /** An output of a controller, as it is held; its name may be left out where there is only one. */
  output(controller: Named<"controller">, name?: string): number;
  /** A state by its name; that may be left out where there is only one. */
  state(states: Named<"states">, name?: string): number;
  /** What formulas call so: `quantity("vx", "crank:tip")` is `vx('crank:tip')`. All of what follows from the motion, and of motors and outputs. */
  quantity(name: string, of: string | Handle): number;
}
