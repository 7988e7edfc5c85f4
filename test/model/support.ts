// Reference implementation of the kernels: a model's rows evaluated from the definitions of the layout.

import type { Body, Model, ModelData, RowData } from "nodrift/bodies";
import { RowKind, SensorKind } from "../../assembly/layout-bodies.js";

export { ForceKind, RowKind, SensorKind } from "../../assembly/layout-bodies.js";

export type V3 = [number, number, number];
/** Three columns. */
export type M3 = [V3, V3, V3];
export interface Frame {
  point: V3;
  axes: M3;
}

export const dot = (a: V3, b: V3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const sub = (a: V3, b: V3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const scale = (s: number, a: V3): V3 => [s * a[0], s * a[1], s * a[2]];
export const times = (m: M3, a: V3): V3 =>
  add(add(scale(a[0], m[0]), scale(a[1], m[1])), scale(a[2], m[2]));

/** Rodrigues' formula: a rotated about a unit axis. */
export function turned(a: V3, axis: V3, angle: number): V3 {
  const parallel = scale(dot(axis, a), axis);
  const across = sub(a, parallel);
  const turnedPart = add(scale(Math.cos(angle), across), scale(Math.sin(angle), cross(axis, a)));
  return add(parallel, turnedPart);
}

/** v' = e v e* by Hamilton's products. */
export function rotated(e: readonly number[], v: V3): V3 {
  const [w, x, y, z] = e;
  const u: V3 = [x, y, z];
  const first = add(scale(w, v), cross(u, v));
  return add(v, scale(2, cross(u, first)));
}

export const matrixOf = (e: readonly number[]): M3 => [
  rotated(e, [1, 0, 0]),
  rotated(e, [0, 1, 0]),
  rotated(e, [0, 0, 1]),
];

const columnsOf = (m: readonly number[]) =>
  [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)] as unknown as M3;

/** Initial frames of the bodies, without the ground. */
export function startOf(data: ModelData): Frame[] {
  return data.bodies.map(({ position, orientation }) => ({
    point: [...position] as V3,
    axes: matrixOf(orientation),
  }));
}

export function markerIn(data: ModelData, bodies: readonly Frame[], marker: number): Frame {
  const { body, point, axes } = data.markers[marker];
  const local = columnsOf(axes);
  if (body < 0) return { point: [...point] as V3, axes: local };
  const frame = bodies[body];
  return {
    point: add(frame.point, times(frame.axes, [...point] as V3)),
    axes: local.map((axis) => times(frame.axes, axis)) as M3,
  };
}

export function sensorIn(data: ModelData, bodies: readonly Frame[], sensor: number): number {
  const { kind, a, b } = data.sensors[sensor];
  const [A, B] = [markerIn(data, bodies, a), markerIn(data, bodies, b)];
  const d = sub(B.point, A.point);
  if (kind === SensorKind.LENGTH) return Math.hypot(...d);
  if (kind === SensorKind.DISPLACEMENT) return dot(A.axes[2], d);
  return Math.atan2(dot(A.axes[1], B.axes[0]), dot(A.axes[0], B.axes[0]));
}

/** Prescribed value at a time. */
const prescribed = (row: RowData, t: number) =>
  typeof row.prescribed === "object" ? row.prescribed.value(t) : (row.prescribed ?? 0);

function rowValue(data: ModelData, bodies: readonly Frame[], row: RowData, t: number): number[] {
  if (row.kind === RowKind.COUPLE) {
    const second = row.b < 0 ? 0 : sensorIn(data, bodies, row.b);
    const sum = row.constants[0] * sensorIn(data, bodies, row.a) + row.constants[1] * second;
    return [sum - prescribed(row, t)];
  }
  const [A, B] = [markerIn(data, bodies, row.a), markerIn(data, bodies, row.b)];
  const d = sub(B.point, A.point);
  const [normal, axle] = [A.axes[2], B.axes[2]];
  switch (row.kind) {
    case RowKind.COINCIDE:
      return d;
    case RowKind.DOT1:
      return [dot(A.axes[row.axisA], B.axes[row.axisB])];
    case RowKind.DOT2:
      return [dot(A.axes[row.axisA], d) - prescribed(row, t)];
    case RowKind.DISTANCE:
      return [((dot(d, d) - prescribed(row, t) ** 2) * row.constants[0]) / 2];
    case RowKind.WHEEL_HEIGHT: {
      const lean = row.axisB === 1 ? Math.sqrt(1 - dot(normal, axle) ** 2) : 1;
      return [dot(normal, d) - row.constants[0] * lean];
    }
    default:
      throw new Error(`no twin for kind ${row.kind}`);
  }
}

/** Phi of all holonomic rows of joints. */
export function phi(model: Model, bodies = startOf(model.data()), t = 0): number[] {
  const data = model.data();
  return data.joints.flatMap((joint) =>
    joint.blocks
      .filter((block) => block.holonomic)
      .flatMap((block) => block.rows.flatMap((row) => rowValue(data, bodies, row, t))),
  );
}

/** Frames after one body has moved: rotated about a point of the world, then translated. */
export function moved(
  bodies: readonly Frame[],
  body: Body,
  shift: V3,
  axis: V3 = [0, 0, 1],
  angle = 0,
  about: V3 = [0, 0, 0],
): Frame[] {
  return bodies.map((frame, i) =>
    i !== body.index
      ? frame
      : {
          point: add(add(about, turned(sub(frame.point, about), axis, angle)), shift),
          axes: frame.axes.map((a) => turned(a, axis, angle)) as M3,
        },
  );
}

/** Central differences of phi for the six small motions of a body, one list per motion. */
export function jacobian(model: Model, body: Body): number[][] {
  const start = startOf(model.data());
  const units: V3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const h = 1e-5;
  const derivative = (frames: (s: number) => Frame[]) => {
    const [plus, minus] = [phi(model, frames(h)), phi(model, frames(-h))];
    return plus.map((value, i) => (value - minus[i]) / (2 * h));
  };
  const { point } = start[body.index];
  return [
    ...units.map((e) => derivative((s) => moved(start, body, scale(s, e)))),
    ...units.map((e) => derivative((s) => moved(start, body, [0, 0, 0], e, s, point))),
  ];
}

/** Rank by elimination with full pivoting. */
export function rank(matrix: readonly (readonly number[])[], tolerance = 1e-6): number {
  const rows = matrix.map((row) => [...row]);
  let found = 0;
  const columns = rows[0]?.length ?? 0;
  while (found < Math.min(rows.length, columns)) {
    let [p, q, largest] = [found, 0, 0];
    for (let i = found; i < rows.length; i++) {
      for (let j = 0; j < columns; j++) {
        if (Math.abs(rows[i][j]) > largest) [p, q, largest] = [i, j, Math.abs(rows[i][j])];
      }
    }
    if (largest < tolerance) break;
    [rows[found], rows[p]] = [rows[p], rows[found]];
    for (let i = found + 1; i < rows.length; i++) {
      const factor = rows[i][q] / rows[found][q];
      rows[i] = rows[i].map((value, j) => (j === q ? 0 : value - factor * rows[found][j]));
    }
    found++;
  }
  return found;
}
