// Reference values of constraint rows and sensors, directly from rotation matrices, without marker frames or shared parts.

import {
  GROUND,
  type MarkerSpec,
  type MechanismSpec,
  RowKind,
  type RowSpec,
  SensorKind,
} from "../support/body-harness.js";
import { rotationOf } from "./rotation.js";

type Vector = readonly number[];

const minus = (x: Vector, y: Vector) => x.map((value, i) => value - y[i]);
const plus = (x: Vector, y: Vector) => x.map((value, i) => value + y[i]);
const times = (factor: number, x: Vector) => x.map((value) => factor * value);
const dot = (x: Vector, y: Vector) => x.reduce((sum, value, i) => sum + value * y[i], 0);
const cross = (x: Vector, y: Vector) => [
  x[1] * y[2] - x[2] * y[1],
  x[2] * y[0] - x[0] * y[2],
  x[0] * y[1] - x[1] * y[0],
];
const apply = (r: Vector, x: Vector) =>
  [0, 1, 2].map((i) => r[i] * x[0] + r[3 + i] * x[1] + r[6 + i] * x[2]);

const REST = { r: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1], v: [0, 0, 0], w: [0, 0, 0] };

/** A body's centre, axes, velocity and angular velocity in the world. */
function poseOf(body: number, q: Float64Array, v: Float64Array): typeof REST {
  if (body === GROUND) return REST;
  const R = rotationOf(q.subarray(7 * body + 3, 7 * body + 7));
  const of = (from: number) => [...v.subarray(6 * body + from, 6 * body + from + 3)];
  return { r: [...q.subarray(7 * body, 7 * body + 3)], R, v: of(0), w: apply(R, of(3)) };
}

/** A marker's point and axes in the world, with the pose of its body. */
export function markerAt({ body, arm, axes }: MarkerSpec, q: Float64Array, v = q) {
  const pose = poseOf(body, q, v);
  const axis = (i: number) => apply(pose.R, axes.slice(3 * i, 3 * i + 3));
  return { pose, point: plus(pose.r, apply(pose.R, arm)), axis };
}

/** A sensor's value; angles between -pi and pi. */
export function naiveSensor(spec: MechanismSpec, index: number, q: Float64Array): number {
  const { kind, a, b } = spec.sensors![index];
  const [A, B] = [a, b].map((marker) => markerAt(spec.markers[marker], q));
  const d = minus(B.point, A.point);
  if (kind === SensorKind.DISPLACEMENT) return dot(A.axis(2), d);
  if (kind === SensorKind.LENGTH) return Math.hypot(...d);
  return Math.atan2(dot(B.axis(0), A.axis(1)), dot(B.axis(0), A.axis(0)));
}

/** phi of one entry: zero for velocity rows. `data` are its constants. */
export function naivePhi(
  spec: MechanismSpec,
  row: RowSpec,
  data: ArrayLike<number>,
  q: Float64Array,
): number[] {
  if (row.kind === RowKind.COUPLE) {
    const second = row.b < 0 ? 0 : data[4] * naiveSensor(spec, row.b, q);
    return [data[3] * naiveSensor(spec, row.a, q) + second - data[0]];
  }
  const [A, B] = [row.a, row.b].map((marker) => markerAt(spec.markers[marker], q));
  const d = minus(B.point, A.point);
  const [i, j] = [row.axisA ?? 0, row.axisB ?? 0];
  switch (row.kind) {
    case RowKind.COINCIDE:
      return d;
    case RowKind.DOT1:
      return [dot(A.axis(i), B.axis(j))];
    case RowKind.DOT2:
      return [dot(A.axis(i), d) - data[0]];
    case RowKind.DISTANCE:
      return [((dot(d, d) - data[0] ** 2) / 2) * data[3]];
    case RowKind.WHEEL_HEIGHT: {
      const sine = j === 1 ? Math.sqrt(1 - dot(A.axis(2), B.axis(2)) ** 2) : 1;
      return [dot(A.axis(2), d) - data[0] * sine];
    }
    case RowKind.ROLLING:
    case RowKind.KNIFE_EDGE:
      return [0];
    default:
      throw new Error(`no twin for kind ${RowKind[row.kind]}`);
  }
}

/** Pi of a velocity row. */
export function naivePi(
  spec: MechanismSpec,
  row: RowSpec,
  data: ArrayLike<number>,
  q: Float64Array,
  v: Float64Array,
): number {
  const A = markerAt(spec.markers[row.a], q, v);
  const a = A.axis(row.axisA ?? 0);
  const velocity = ({ pose }: typeof A, p: Vector) => plus(pose.v, cross(pose.w, minus(p, pose.r)));
  if (row.kind === RowKind.KNIFE_EDGE) return dot(a, velocity(A, A.point));
  const B = markerAt(spec.markers[row.b], q, v);
  const [n, c] = [A.axis(2), B.axis(2)];
  const up = row.axisB === 1 ? minus(n, times(dot(n, c), c)) : n;
  const p = minus(B.point, times(data[0] / Math.hypot(...up), up));
  return dot(a, minus(velocity(B, p), velocity(A, p)));
}
