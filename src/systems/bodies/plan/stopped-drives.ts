// A model with all drives held at their values at time t, for statics.

import { atTime, dependsOnTime } from "../../../model/measured/measured-formula.js";
import type {
  BlockData,
  BodyPose,
  ModelData,
  RowData,
  UserRows,
} from "../../../model/model-data.js";

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
