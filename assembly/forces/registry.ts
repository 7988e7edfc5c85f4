// All forces of a mechanism, and their potential. A new law is a file here and its lines below.

import { BODY_VELOCITIES, BodyTable, ForceEntry, ForceKind, ForcePart } from "../layout-bodies";
import { clearSlots, getInteger } from "../math/slots";
import { entryOf, loadOf } from "../kinematics/table";
import { appliedForce, appliedTorque } from "./applied";
import { gravity, gravityPotential, gyroscopic } from "./body";
import { bushing, bushingPotential } from "./bushing";
import { drag } from "./drag";
import { friction } from "./friction";
import { motor } from "./motor";
import { sensorSpring, sensorSpringPotential } from "./sensor-spring";
import { spring, springPotential } from "./spring";
import { stop, stopPotential } from "./stop";
import { tyre } from "./tyre";

/**
 * FORCES = the requested parts, bits of ForcePart, from up-to-date frames and sensors.
 * Velocities are read only for OTHER and GYROSCOPIC.
 */
export function bodyForces(table: usize, parts: i32): void {
  const bodies = getInteger(table, BodyTable.BODY_COUNT);
  clearSlots(loadOf(table, 0), BODY_VELOCITIES * (bodies + 1));
  const weighs = parts & ForcePart.CONSERVATIVE && !(parts & ForcePart.WITHOUT_GRAVITY);
  for (let body = 0; body < bodies; body++) {
    if (weighs) gravity(table, body);
    if (parts & ForcePart.GYROSCOPIC) gyroscopic(table, body);
  }
  if (!(parts & (ForcePart.CONSERVATIVE | ForcePart.OTHER))) return;
  const count = getInteger(table, BodyTable.FORCE_COUNT);
  for (let i = 0; i < count; i++) {
    addLaw(table, entryOf(table, BodyTable.FORCE_LIST, ForceEntry.LENGTH, i), parts);
  }
}

/** Returns the potential whose derivatives are minus the conservative forces. */
export function bodyPotential(table: usize): f64 {
  const bodies = getInteger(table, BodyTable.BODY_COUNT);
  const count = getInteger(table, BodyTable.FORCE_COUNT);
  let sum = 0.0;
  for (let body = 0; body < bodies; body++) sum += gravityPotential(table, body);
  for (let i = 0; i < count; i++) {
    sum += lawPotential(table, entryOf(table, BodyTable.FORCE_LIST, ForceEntry.LENGTH, i));
  }
  return sum;
}

/** The only switch over the laws. Laws without a potential belong to OTHER entirely. */
function addLaw(table: usize, entry: usize, parts: i32): void {
  const other = parts & ForcePart.OTHER;
  switch (getInteger(entry, ForceEntry.KIND)) {
    case ForceKind.FORCE: if (other) appliedForce(table, entry); break;
    case ForceKind.TORQUE: if (other) appliedTorque(table, entry); break;
    case ForceKind.SPRING: spring(table, entry, parts); break;
    case ForceKind.SENSOR_SPRING: sensorSpring(table, entry, parts); break;
    case ForceKind.BUSHING: bushing(table, entry, parts); break;
    case ForceKind.DRAG: if (other) drag(table, entry); break;
    case ForceKind.TYRE: if (other) tyre(table, entry); break;
    case ForceKind.STOP: stop(table, entry, parts); break;
    case ForceKind.FRICTION: if (other) friction(table, entry); break;
    case ForceKind.MOTOR: if (other) motor(table, entry); break;
  }
}

/** Potential of one law. */
function lawPotential(table: usize, entry: usize): f64 {
  switch (getInteger(entry, ForceEntry.KIND)) {
    case ForceKind.SPRING: return springPotential(table, entry);
    case ForceKind.SENSOR_SPRING: return sensorSpringPotential(table, entry);
    case ForceKind.BUSHING: return bushingPotential(table, entry);
    case ForceKind.STOP: return stopPotential(table, entry);
    default: return 0.0;
  }
}
