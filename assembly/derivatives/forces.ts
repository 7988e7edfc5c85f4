// Derivatives of the forces of a mechanism by displacements and velocities, for implicit methods
// and linearisation. Displacements are those of second-blocks.ts. Velocities stay in their
// components, linear in the world and angular in the body, so while a body turns by theta its
// angular velocity w, the arms s of its points and w x s turn with it: L x = theta x x for them
// all. Torques are in the axes of the body: R^T T changes by R^T (L T - theta x T).
//
// A new law has its line below and a function of the same parameters.

import { BodyTable, ForceEntry, ForceKind } from "../layout-bodies";
import { entryOf } from "../kinematics/table";
import { getInteger } from "../math/slots";
import { addBushing } from "./forces-bushing";
import { addMotor, addSensorSpring, addSpring } from "./forces-springs";
import { addAppliedForce, addAppliedTorque, addDrag, addGyroscopic } from "./forces-single";
import { addFriction, addStop } from "./forces-stops";
import { addTyre } from "./forces-tyre";

/**
 * Adds dQ / d(displacement) of all forces Q to `stiffness` and dQ / dv to `damping`, both the
 * blocks of a pattern (second-blocks.ts). Frames hold the state with its velocities, sensors their
 * values, rates and Jacobians. Forces that are user functions, as a whole or in their constants,
 * are treated as constants, except the road of a tyre. Gravity does not change.
 */
export function bodyForceDerivatives(
  table: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const bodies = getInteger(table, BodyTable.BODY_COUNT);
  for (let body = 0; body < bodies; body++) addGyroscopic(table, body, blocks, damping);
  const count = getInteger(table, BodyTable.FORCE_COUNT);
  for (let i = 0; i < count; i++) {
    const entry = entryOf(table, BodyTable.FORCE_LIST, ForceEntry.LENGTH, i);
    switch (getInteger(entry, ForceEntry.KIND)) {
      case ForceKind.FORCE: addAppliedForce(table, entry, blocks, stiffness); break;
      case ForceKind.TORQUE: addAppliedTorque(table, entry, blocks, stiffness); break;
      case ForceKind.SPRING: addSpring(table, entry, blocks, stiffness, damping); break;
      case ForceKind.SENSOR_SPRING:
        addSensorSpring(table, entry, blocks, stiffness, damping);
        break;
      case ForceKind.BUSHING: addBushing(table, entry, blocks, stiffness, damping); break;
      case ForceKind.DRAG: addDrag(table, entry, blocks, stiffness, damping); break;
      case ForceKind.TYRE: addTyre(table, entry, blocks, stiffness, damping); break;
      case ForceKind.STOP: addStop(table, entry, blocks, stiffness, damping); break;
      case ForceKind.FRICTION: addFriction(table, entry, blocks, stiffness, damping); break;
      case ForceKind.MOTOR: addMotor(table, entry, blocks, stiffness, damping); break;
    }
  }
}
