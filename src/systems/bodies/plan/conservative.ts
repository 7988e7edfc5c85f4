// Detects conserved energy, so that any change is an error.

import {
  BushingData,
  ForceKind,
  SpringData,
  StopData,
} from "../../../../assembly/layout-bodies.js";
import { dependsOnTime } from "../../../model/measured/measured-formula.js";
import type { BlockData, ForceData, ModelData } from "../../../model/model-data.js";

/**
 * Slots of dampers and actuators among the constants of the laws that have a potential, as in
 * assembly/forces: their potential covers the spring alone. Undefined: the law has no potential.
 */
const WORKING: { readonly [Kind in ForceKind]: readonly number[] | undefined } = {
  [ForceKind.SPRING]: [SpringData.DAMPING, SpringData.FORCE],
  [ForceKind.SENSOR_SPRING]: [SpringData.DAMPING, SpringData.FORCE],
  [ForceKind.BUSHING]: [
    BushingData.DAMPING,
    BushingData.TURN_DAMPING,
    BushingData.FORCE,
    BushingData.TURN_FORCE,
  ].flatMap((slot) => [slot, slot + 1, slot + 2]),
  [ForceKind.FORCE]: undefined,
  [ForceKind.TORQUE]: undefined,
  [ForceKind.DRAG]: undefined,
  [ForceKind.TYRE]: undefined,
  [ForceKind.STOP]: [StopData.DAMPING],
  [ForceKind.FRICTION]: undefined,
  [ForceKind.MOTOR]: undefined,
};

/**
 * Returns true if only errors can change the energy: no drive, no constraint that depends on time, and no force but
 * those of springs and bushings. Loads and tyres have no potential here, and the potential of user laws is unknown.
 */
export function isConservative(model: ModelData): boolean {
  let found = known.get(model);
  if (found === undefined) {
    const { joints, forces, userForces } = model;
    found =
      userForces.length === 0 &&
      model.driven === undefined &&
      forces.every(keepsEnergy) &&
      joints.every(({ blocks }) => blocks.every(isFixedInTime));
    known.set(model, found);
  }
  return found;
}

/** Cached, since the analysis allocates, and steps use the result. */
const known = new WeakMap<ModelData, boolean>();

function keepsEnergy({ kind, constants, update, formulas }: ForceData): boolean {
  const working = WORKING[kind];
  const isLaw = update === undefined && formulas === undefined;
  return working?.every((slot) => constants[slot] === 0) === true && isLaw;
}

/** Formulas of velocities may be driven without naming the time: vx('belt') - 1. */
function isFixedInTime({ rows, user, holonomic }: BlockData): boolean {
  const isDriven = rows.some(({ prescribed }) => typeof prescribed === "object");
  return !isDriven && !dependsOnTime(user) && (holonomic || user === undefined);
}
