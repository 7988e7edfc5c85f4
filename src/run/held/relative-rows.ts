// What a joint leaves free of the motion of B in A, as rows that hold it: relative slides of B's point and relative turns.
//
// Rows on markers say something about one of the two: a . b (turning about a x b), a . d and |d| (slides along a and d). So slides and
// turns have three directions each; those that are neither the joint's own nor measured by a sensor are held along the axes of the
// markers, in the order in which they add most. Rejected: to hold all six of a weld. What the joint holds too would be
// redundant, and how much of a reaction is the lock's would be a matter of taste.

import { RowKind, SensorKind } from "../../../assembly/layout-bodies.js";
import type { HeldCoordinate } from "../../describe/held.js";
import {
  GROUND,
  type JointData,
  type ModelData,
  type Vector,
} from "../../describe/model/model-data.js";
import {
  add,
  column,
  cross,
  dot,
  IDENTITY,
  type Matrix,
  multiply,
  norm,
  normalised,
  rotationOf,
  scale,
  subtract,
  times,
  transposeMultiply,
  unit,
  ZERO,
} from "../../ground/algebra/vectors.js";

/** What of a direction must be new for a row to hold something along it: of three axes one always has more. */
const NEW = 0.1;
const AXES = [0, 1, 2] as const;
/** Rows on two markers that hold a slide or a turn of one in the other. */
const SIMPLE: readonly number[] = [RowKind.COINCIDE, RowKind.DOT1, RowKind.DOT2, RowKind.DISTANCE];

/** What is to be held, by the names of the coordinates. Of joints that couple others, or roll, only what a sensor measures. */
export function freeCoordinates(
  data: ModelData,
  { markers, blocks, sensors }: JointData,
  q: ArrayLike<number>,
  measure: (sensor: number) => number,
): (HeldCoordinate & { readonly coordinate: string })[] {
  const rows = blocks.flatMap((block) => block.rows);
  if (markers === undefined) return [];
  // The displacement of a thread follows its angle.
  if (!rows.every(({ kind }) => SIMPLE.includes(kind))) {
    return Object.entries(sensors)
      .slice(0, 1)
      .map(([coordinate, sensor]) => ({ coordinate, name: "", sensor, value: measure(sensor) }));
  }
  const [a, b] = markers.map((marker) => frameOf(data, marker, q)) as [Frame, Frame];
  const between = subtract(b.point, a.point);
  const along = norm(between) > 0 ? unit(between) : ZERO;
  const slides = new Span();
  const turns = new Span();
  for (const { kind, axisA, axisB } of rows) {
    if (kind === RowKind.COINCIDE) for (const i of AXES) slides.take(column(a.axes, i));
    else if (kind === RowKind.DOT1) turns.take(cross(column(a.axes, axisA), column(b.axes, axisB)));
    else slides.take(kind === RowKind.DOT2 ? column(a.axes, axisA) : along);
  }
  const found = Object.entries(sensors).flatMap(([coordinate, sensor]) => {
    const { kind } = data.sensors[sensor]!;
    const isNew =
      kind === SensorKind.ANGLE
        ? turns.take(column(a.axes, 2))
        : slides.take(kind === SensorKind.LENGTH ? along : column(a.axes, 2));
    return isNew ? [{ coordinate, name: "", sensor, value: measure(sensor) }] : [];
  });
  const moved = slides.missing(a.axes).map((axis) => ({
    coordinate: `displacement ${"xyz"[axis]}`,
    name: "",
    markers,
    axis,
    value: dot(column(a.axes, axis), between),
  }));
  const turned = turns.missing(b.axes).map((axis) => ({
    coordinate: `turn ${"xyz"[axis]}`,
    name: "",
    markers,
    axis,
    axes: transposeMultiply(a.rotation, b.axes),
  }));
  return [...found, ...moved, ...turned];
}

interface Frame {
  readonly point: Vector;
  readonly rotation: Matrix;
  readonly axes: Matrix;
}

/** A marker in the world. */
function frameOf({ markers, bodies }: ModelData, marker: number, q: ArrayLike<number>): Frame {
  const { body, point, axes } = markers[marker]!;
  if (body === GROUND) return { point, rotation: IDENTITY, axes };
  const [x = 0, y = 0, z = 0, ...turn] = Array.from({ length: 7 }, (_, i) => q[7 * body + i]!);
  const rotation = rotationOf(normalised(turn));
  const arm = times(rotation, subtract(point, bodies[body]!.centre));
  return { point: add([x, y, z], arm), rotation, axes: multiply(rotation, axes) };
}

/** Directions that are held. */
class Span {
  readonly #basis: Vector[] = [];

  /** Whether a direction adds one. */
  take(direction: Vector): boolean {
    const rest = this.#rest(direction);
    if (norm(rest) < NEW) return false;
    this.#basis.push(unit(rest));
    return true;
  }

  /** Axes that make it complete, those first that add most. */
  missing(axes: Matrix): (0 | 1 | 2)[] {
    const added: (0 | 1 | 2)[] = [];
    while (this.#basis.length < 3) {
      const left = AXES.map((axis) => norm(this.#rest(column(axes, axis))));
      const most = left.indexOf(Math.max(...left)) as 0 | 1 | 2;
      added.push(most);
      this.take(column(axes, most));
    }
    return added.sort();
  }

  #rest(direction: Vector): Vector {
    return this.#basis.reduce((rest, e) => subtract(rest, scale(dot(rest, e), e)), direction);
  }
}
