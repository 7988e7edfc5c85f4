// A model without some of its joints and forces. Markers and sensors stay, so that the remaining parts keep their
// indices.

import { descriptionError, hint } from "../../../base/checking/values.js";
import { actsOnSensor, couplesSensors, sensorsOf } from "../../../model/kinds.js";
import { atTime, dependsOnTime } from "../../../model/measured/measured-formula.js";
import type {
  BlockData,
  BodyPose,
  JointData,
  ModelData,
  RowData,
  StateSetData,
  UserRows,
} from "../../../model/model-data.js";

/** Returns the model without the named joints and forces. */
export function modelWithout(model: ModelData, names: readonly string[]): ModelData {
  const { joints, forces, userForces, states } = model;
  const known = [...joints, ...forces, ...userForces].map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw descriptionError(
      `${model.name}: without`,
      `there is no joint or force "${missing}"${hint(missing, known)}`,
    );
  }
  const turning = forces.find(({ name, rotor }) => rotor !== undefined && names.includes(name));
  if (turning !== undefined) {
    throw descriptionError(
      `${model.name}: without`,
      `motor "${turning.name}" has a rotor, which would vanish with its momentum: set its target instead`,
    );
  }
  const stays = ({ name }: { readonly name: string }) => !names.includes(name);
  const rest = Object.freeze({
    ...model,
    joints: Object.freeze(joints.filter(stays)),
    forces: Object.freeze(forces.filter(stays)),
    userForces: Object.freeze(userForces.filter(stays)),
    states: Object.freeze(states.map((set) => (set.isOfForce && !stays(set) ? atRest(set) : set))),
  });
  checkUsers(
    rest,
    joints.filter((joint) => !stays(joint)),
  );
  return rest;
}

/** States of a removed force keep their values, since all modes have the same unknowns. */
function atRest(set: StateSetData): StateSetData {
  return Object.freeze({
    ...set,
    rates: (_t: number, _y: Float64Array, _read: unknown, out: Float64Array) => {
      out.fill(0);
    },
  });
}

/** Couplings, drives and springs of removed joints must be removed as well. */
function checkUsers(
  { name: where, joints, forces, sensors: all }: ModelData,
  gone: readonly JointData[],
): void {
  const users = [
    ...joints.map((joint) => ({ name: joint.name, sensors: coupledSensors(joint) })),
    ...forces.filter(actsOnSensor).map(({ name, a }) => ({ name, sensors: [a] })),
  ];
  for (const { name, sensors } of users) {
    const owners = sensors.map((sensor) => all[sensor]?.owner);
    const joint = gone.find((each) => owners.includes(each.name));
    if (joint === undefined) continue;
    throw descriptionError(
      `${where}: without`,
      `"${name}" acts on joint "${joint.name}": remove both, without("${joint.name}", "${name}")`,
    );
  }
}

/** Sensors that the rows of a joint couple, or drive. */
function coupledSensors({ blocks }: JointData): number[] {
  return blocks.flatMap(({ rows }) => rows.filter(couplesSensors).flatMap(sensorsOf));
}

// A model with all drives held at their values at time t, for statics.

/** Returns whether a joint depends on time. */
export function hasDrives({ joints }: ModelData): boolean {
  return joints.some(({ blocks }) =>
    blocks.some(
      ({ rows, user }) =>
        rows.some(({ prescribed }) => typeof prescribed === "object") || dependsOnTime(user),
    ),
  );
}

/**
 * Returns the model with all its drives at rest, and its bodies at rest: given velocities may be those of the drives.
 */
export function withDrivesStopped(model: ModelData, t: number): ModelData {
  const bodies = model.bodies.map((body) =>
    Object.freeze({ ...body, velocity: undefined, angularVelocity: undefined }),
  );
  const joints = model.joints.map((joint) =>
    Object.freeze({ ...joint, blocks: joint.blocks.map((block) => frozenBlock(block, t)) }),
  );
  return Object.freeze({ ...model, bodies: Object.freeze(bodies), joints: Object.freeze(joints) });
}

function frozenBlock({ holonomic, rows, user }: BlockData, t: number): BlockData {
  return Object.freeze({
    holonomic,
    rows: rows.map((row) => frozenRow(row, t)),
    user: user && dependsOnTime(user) ? frozenRows(user, t) : user,
  });
}

function frozenRow(row: RowData, t: number): RowData {
  const { prescribed } = row;
  if (typeof prescribed !== "object") return row;
  return Object.freeze({ ...row, prescribed: prescribed.value(t) });
}

function frozenRows(user: UserRows, t: number): UserRows {
  const { value, formulas } = user;
  if (formulas) return { ...user, formulas: formulas.map((formula) => atTime(formula, t)) };
  return Object.freeze({
    ...user,
    value: (poses: readonly BodyPose[], out: Float64Array) => value!(poses, out, t),
  });
}
