// Bodies that their joints keep in a plane of the ground. If such a body is freed, it has two slides and a hinge
// instead of six coordinates. A cut hinge of such a body retains two rows of five; the others vanish at all poses of
// the tree.

import {
  column,
  cross,
  norm,
  times,
  transposeTimes,
  type Vector,
  vectorOf,
} from "../../../base/algebra/vectors.js";
import { GROUND, type ModelData } from "../../../model/model-data.js";
import { alignedAxes, type Rotations } from "./marker-alignment.js";
import { rowCount, treeForm } from "./tree-forms.js";
import { treeEnds } from "./tree-options.js";

/** The normal of a body's plane. */
export interface PlaneNormal {
  /** Normal in the world. */
  readonly ground: Vector;
  /** Normal in the axes of the body. */
  readonly body: Vector;
}

/** Axes of markers that are meant to be parallel differ by rounding only; larger angles are tilts. */
const PARALLEL_TOLERANCE = 2e-14;

const isAlong = ([x, y]: Vector) => norm(vectorOf(x, y, 0)) <= PARALLEL_TOLERANCE;

/** Returns whether a joint keeps its bodies in a plane, for the normal in the axes of its markers. */
const KEEPS_IN_PLANE: Readonly<Record<string, (normal: Vector) => boolean>> = {
  fixed: () => true,
  prismatic: ([, , z]) => Math.abs(z) <= PARALLEL_TOLERANCE,
  revolute: isAlong,
  planar: isAlong,
};

/** Returns the plane of each body that joints confine to a plane of the ground; undefined for all others. */
export function planesOf(model: ModelData, rotations: Rotations): (PlaneNormal | undefined)[] {
  const planes: (PlaneNormal | undefined)[] = model.bodies.map(() => undefined);
  const joints = crossings(model, rotations);
  for (const ground of normals(joints)) {
    const reached = new Map([[GROUND, ground]]);
    for (const [body, normal] of reached) {
      for (const { other, keeps, across } of joints[body + 1]!) {
        if (!reached.has(other) && keeps(normal)) reached.set(other, across(normal));
      }
    }
    reached.delete(GROUND);
    // A body in two planes moves along one line: either plane will do.
    for (const [body, normal] of reached) planes[body] ??= { ground, body: normal };
  }
  return planes;
}

/** A joint as seen from one of its bodies. Normals are in the axes of the body they belong to. */
interface Crossing {
  readonly other: number;
  readonly type: string;
  /** z of its marker on this body. */
  readonly axis: Vector;
  readonly keeps: (normal: Vector) => boolean;
  /** Maps a normal of this body to the other body, and back. */
  readonly across: (normal: Vector) => Vector;
  readonly back: (normal: Vector) => Vector;
}

/** The joints of the ground, and then of each body. */
function crossings(model: ModelData, rotations: Rotations): Crossing[][] {
  const found: Crossing[][] = [GROUND, ...model.bodies.keys()].map(() => []);
  for (const [joint, { type, markers }] of model.joints.entries()) {
    const keeps = KEEPS_IN_PLANE[type];
    const ends = treeEnds(model, joint);
    if (keeps === undefined || ends === undefined) continue;
    const axes = alignedAxes(model, markers!, treeForm(type)!.alignment, rotations);
    for (const here of [0, 1] as const) {
      const there = here === 0 ? 1 : 0;
      found[ends[here] + 1]!.push({
        other: ends[there],
        type,
        axis: column(axes[here], 2),
        keeps: (normal) => keeps(transposeTimes(axes[here], normal)),
        across: (normal) => times(axes[there], transposeTimes(axes[here], normal)),
        back: (normal) => times(axes[here], transposeTimes(axes[there], normal)),
      });
    }
  }
  return found;
}

/** Directions in the world that can be normals: axes of hinges on bodies that do not rotate relative to the ground. */
function normals(joints: readonly (readonly Crossing[])[]): Vector[] {
  const found: Vector[] = [];
  const reached = new Map([[GROUND, (normal: Vector) => normal]]);
  for (const [body, toGround] of reached) {
    for (const { other, type, axis, back } of joints[body + 1]!) {
      if (type === "fixed" || type === "prismatic") {
        if (!reached.has(other)) reached.set(other, (normal) => toGround(back(normal)));
        continue;
      }
      const normal = toGround(axis);
      if (found.every((each) => norm(cross(each, normal)) > PARALLEL_TOLERANCE)) found.push(normal);
    }
  }
  return found;
}

/** Remaining rows of a joint between bodies that stay in one plane. */
const ROWS_LEFT: Readonly<Record<string, number>> = {
  fixed: 3,
  revolute: 2,
  planar: 0,
  prismatic: 2,
};

/** Returns the rows of a joint if it is cut, without those that vanish at all poses of a plane. */
export function rowsLeft(
  model: ModelData,
  joint: number,
  planes: readonly (PlaneNormal | undefined)[],
): number {
  const data = model.joints[joint]!;
  const ends = treeEnds(model, joint);
  const isFlat = ends?.every((body) => body === GROUND || planes[body] !== undefined) === true;
  return (isFlat ? ROWS_LEFT[data.type] : undefined) ?? rowCount(data);
}
