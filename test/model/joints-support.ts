import { type Body, type JointData, type Model, model, type RowData, sphere } from "nodrift/bodies";
import { RowKind, type V3 } from "./support.js";

export const solid = { mass: 1, shape: sphere({ radius: 1 }) };
export const JOINT_POINT: V3 = [0.3, -0.2, 0.5];
export const AXIS: V3 = [2 / 3, 1 / 3, 2 / 3];
export const ACROSS: V3 = [1 / Math.sqrt(2), 0, -1 / Math.sqrt(2)];

/** Two bodies, rotated and away from the origin. */
export function pair(): { m: Model; a: Body; b: Body } {
  const m = model();
  const a = m.body({ ...solid, position: [1, 2, 3], orientation: [0.5, 0.5, -0.5, 0.5] });
  const b = m.body({
    ...solid,
    position: [-1, 0.5, 2],
    orientation: { axis: [1, -2, 0.5], angle: 1.2 },
  });
  return { m, a, b };
}

export const lastOf = (m: Model): JointData => m.data().joints.at(-1) as JointData;
export const rowsOf = (joint: JointData): RowData[] => joint.blocks.flatMap((block) => block.rows);
/** "transverse 1: 2 0 0" for each row: names, kind and axes. */
export const brief = (joint: JointData) =>
  rowsOf(joint).map(({ names, kind, axisA, axisB, unit }) =>
    [names.join(" "), RowKind[kind], axisA, axisB, unit].join(", "),
  );
export const largest = (values: readonly number[]) => Math.max(...values.map(Math.abs));
