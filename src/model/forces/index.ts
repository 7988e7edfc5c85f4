// Forces by the name of the method that adds them. A new force needs a file and two lines here: its options, exported
// by `nodrift/bodies`, and its type with the comment shown by editors and docs/joints.md.

import { bushing } from "./bushing.js";
import { drag } from "./drag.js";
import type { AnyForceType } from "./force-builder.js";
import { friction } from "./friction.js";
import { motor } from "./motor.js";
import { pointForce } from "./point-force.js";
import { spring } from "./spring.js";
import { stop } from "./stop.js";
import { torque } from "./torque.js";
import { torsionSpring } from "./torsion-spring.js";
import { tyre } from "./tyre.js";

export type { LoadFrame } from "./applied-load.js";
export type { BushingOptions, SixComponents } from "./bushing.js";
export type { DragOptions } from "./drag.js";
export type { ElasticLaw } from "./elastic-law.js";
export type { FrictionOptions } from "./friction.js";
export type { MotorInput, MotorOptions } from "./motor.js";
export type { PointForceOptions } from "./point-force.js";
export type { RoadHeight, RoadSlope } from "./road.js";
export type { JointCoordinate } from "./sensed.js";
export type { SpringOptions } from "./spring.js";
export type { StopOptions } from "./stop.js";
export type { TorqueOptions } from "./torque.js";
export type { TorsionSpringOptions } from "./torsion-spring.js";
export type { TyreOptions } from "./tyre.js";
export type { UserForceOptions } from "./user-force.js";

/** Types of forces, by the name of the method of {@link Model} that adds them. */
export const forces = {
  /** A force at a point of a body. */
  pointForce,
  /** A torque on a body. */
  torque,
  /** A spring, damper and actuator between two points. */
  spring,
  /** A spring, damper and motor about the axis of a joint. */
  torsionSpring,
  /** Springs and dampers along and about three axes, between two bodies. */
  bushing,
  /** Resistance of air or oil. */
  drag,
  /** A tyre: spring and damper between a wheel and a road. */
  tyre,
  /** Limits of an angle, a displacement or a length. */
  stop,
  /** Dry and viscous friction in a joint. */
  friction,
  /** A motor with its gear and limits, at a joint or between two points. */
  motor,
} satisfies Record<string, AnyForceType>;
