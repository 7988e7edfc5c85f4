// Bodies whose joints keep them in a plane of the ground. Where such a body is freed it gets two slides and a hinge in place of
// six coordinates, and of a hinge that is cut there two rows remain of five: the others vanish in all poses of the tree.

import { GROUND, type ModelData } from "../../../describe/model/model-data.js";
import {
  column,
  cross,
  norm,
  times,
  transposeTimes,
  type Vector,
  vectorOf,
} from "../../../ground/algebra/vectors.js";
import { type Rotations, seatedAxes } from "./seats.js";
import { rowCount, treeForm } from "./tree-forms.js";
import { treeEnds } from "./tree-options.js";

/** The normal of a body's plane. */
export interface Plane {
  /** In the world. */
  readonly ground: Vector;
  /** In the axes of the body. */
  readonly body: Vector;
}

/** Axes of markers that are parallel by intention differ by rounding alone; a tilt of more than that is a tilt. */
const ROUNDING = 2e-14;

const isAlong = ([x, y]: Vector) => norm(vectorOf(x, y, 0)) <= ROUNDING;

/** Whether a joint keeps its bodies in a plane: of the normal in the axes of its markers. */
const KEEPS: Readonly<Record<string, (normal: Vector) => boolean>> = {
  fixed: () => true,
  prismatic: ([, , z]) => Math.abs(z) <= ROUNDING,
  revolute: isAlong,
  planar: isAlong,
};

/** The plane of each body that joints tie to the ground in one; undefined for all others. */
export function planesOf(model: ModelData, rotations: Rotations): (Plane | undefined)[] {
  const planes: (Plane | undefined)[] = model.bodies.map(() => undefined);
  const joints = crossings(model, rotations);
  for (const ground of normals(joints)) {
    const reached = new Map([[GROUND, ground]]);
    for (const [body, normal] of reached) {
      for (const { other, keeps, across } of joints[body + 1]!) {
        if (!reached.has(other) && keeps(normal)) reached.set(other, across(normal));
      }
    }
    reached.delete(GROUND);
    // A body in two planes moves along one line: either will do.
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
  /** A normal of this body on the other one, and back. */
  readonly across: (normal: Vector) => Vector;
  readonly back: (normal: Vector) => Vector;
}

/** The joints of the ground, and then of each body. */
function crossings(model: ModelData, rotations: Rotations): Crossing[][] {
  const found: Crossing[][] = [GROUND, ...model.bodies.keys()].map(() => []);
  for (const [joint, { type, markers }] of model.joints.entries()) {
    const keeps = KEEPS[type];
    const ends = treeEnds(model, joint);
    if (keeps === undefined || ends === undefined) continue;
    const axes = seatedAxes(model, markers!, treeForm(type)!.seat, rotations);
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

/** Directions in the world that can be normals: axes of hinges on bodies that do not turn against the ground. */
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
      if (found.every((each) => norm(cross(each, normal)) > ROUNDING)) found.push(normal);
    }
  }
  return found;
}

/** Rows that are left of a joint between bodies that stay in one plane. */
const LEFT: Readonly<Record<string, number>> = { fixed: 3, revolute: 2, planar: 0, prismatic: 2 };

/** Rows of a joint if it is cut, without those that vanish in all poses of a plane. */
export function rowsLeft(
  model: ModelData,
  joint: number,
  planes: readonly (Plane | undefined)[],
): number {
  const data = model.joints[joint]!;
  const ends = treeEnds(model, joint);
  const isFlat = ends?.every((body) => body === GROUND || planes[body] !== undefined) === true;
  return (isFlat ? LEFT[data.type] : undefined) ?? rowCount(data);
}
