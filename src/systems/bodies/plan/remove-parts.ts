// A model without some of its joints and forces. Markers and sensors stay, so that the remaining parts keep their
// indices.

import { actsOnSensor, couplesSensors, sensorsOf } from "../../../describe/model/kinds.js";
import type { JointData, ModelData } from "../../../describe/model/model-data.js";
import { descriptionError, hint } from "../../../describe/model/option-checks.js";

/** The model without the joints and forces of some names. */
export function modelWithout(model: ModelData, names: readonly string[]): ModelData {
  const { joints, forces, userForces } = model;
  const known = [...joints, ...forces, ...userForces].map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw descriptionError(
      `${model.name}: without`,
      `there is no joint or force "${missing}"${hint(missing, known)}`,
    );
  }
  const stays = ({ name }: { readonly name: string }) => !names.includes(name);
  const rest = Object.freeze({
    ...model,
    joints: Object.freeze(joints.filter(stays)),
    forces: Object.freeze(forces.filter(stays)),
    userForces: Object.freeze(userForces.filter(stays)),
  });
  checkUsers(
    rest,
    joints.filter((joint) => !stays(joint)),
  );
  return rest;
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
