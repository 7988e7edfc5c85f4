// Bodies that their joints keep in a plane of the ground. If such a body is freed, it has two slides and a hinge
// instead of six coordinates. A cut hinge of such a body retains two rows of five; the others vanish at all poses of
// the tree.

import { BODY_POSITIONS } from "../../../../assembly/layout-bodies.js";
import {
  column,
  columns,
  cross,
  IDENTITY,
  type Matrix,
  multiply,
  norm,
  normalised,
  rotationOf,
  scale,
  times,
  transpose,
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
} from "../../../base/algebra/vectors.js";
import { joints } from "../../../model/joints/index.js";
import { FLIP, type TreeForm } from "../../../model/joints/rows.js";
import { GROUND, type JointData, type ModelData } from "../../../model/model-data.js";

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

// Relative orientation of the two markers of a joint. Rows on axes, a_i . b_j = 0, cannot distinguish a direction from
// its opposite: user-given markers may have z of B opposite to z of A, or in a prismatic joint be rotated by a quarter
// turn. The initial poses decide, and joint coordinates are measured from there.

/** Axes of the bodies in the world. */
export type Rotations = (body: number) => Matrix;

/** Axes of the bodies at public positions, or at the poses of the model. */
export function rotationsOf(model: ModelData, q?: ArrayLike<number>): Rotations {
  return (body) => {
    if (body === GROUND) return IDENTITY;
    if (q === undefined) return rotationOf(model.bodies[body]!.orientation);
    const at = BODY_POSITIONS * body + 3;
    return rotationOf(normalised([q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!]));
  };
}

/**
 * Returns the axes of markers A and B, in those of their bodies, for which the chains of a form hold: those of B are
 * rotated so that the joint aligns them as the form requires.
 */
export function alignedAxes(
  model: ModelData,
  [a, b]: readonly [number, number],
  alignment: TreeForm["alignment"],
  rotations: Rotations,
): readonly [Matrix, Matrix] {
  const [markerA, markerB] = [model.markers[a]!, model.markers[b]!];
  // A ball is measured from the axes of the bodies, as readers expect of a body's Euler parameters.
  if (alignment === "point") return [IDENTITY, IDENTITY];
  if (alignment === "arms") return [markerA.axes, markerB.axes];
  const inWorld = ({ body, axes }: typeof markerA) => multiply(rotations(body), axes);
  const relative = transposeMultiply(inWorld(markerA), inWorld(markerB));
  const turned = alignment === "axis" ? axisAlignment(relative) : axesAlignment(relative);
  return [markerA.axes, multiply(markerB.axes, transpose(turned))];
}

/** z of B along z of A, or opposite to it; x of B, from which the angle is measured, is unchanged. */
function axisAlignment(relative: Matrix): Matrix {
  return relative[8]! < 0 ? FLIP : IDENTITY;
}

/**
 * Returns the rotation nearest to A^T B that satisfies a_y . b_z = a_z . b_x = a_x . b_y = 0. With these zeros the
 * columns of a rotation can only be perpendicular if it is diagonal, or diagonal times a cycle of the axes: eight
 * rotations.
 */
function axesAlignment(relative: Matrix): Matrix {
  const likeness = (turn: Matrix) => turn.reduce((sum, x, i) => sum + x * relative[i]!, 0);
  return AXES_ALIGNMENTS.reduce((best, turn) => (likeness(turn) > likeness(best) ? turn : best));
}

const SIGNS = [vectorOf(1, 1, 1), vectorOf(1, -1, -1), vectorOf(-1, 1, -1), vectorOf(-1, -1, 1)];
const CYCLE = columns(vectorOf(0, 1, 0), vectorOf(0, 0, 1), vectorOf(1, 0, 0));
const AXES_ALIGNMENTS = [IDENTITY, CYCLE].flatMap((order) =>
  SIGNS.map((signs) =>
    columns(
      scale(signs[0], column(order, 0)),
      scale(signs[1], column(order, 1)),
      scale(signs[2], column(order, 2)),
    ),
  ),
);

/** Number of a joint's rows: the cost of cutting it. */
export function rowCount({ blocks }: JointData): number {
  return blocks.flatMap(({ rows }) => rows).reduce((sum, { names }) => sum + names.length, 0);
}

/** Returns the tree form of a type of joint; undefined if it stays rows. */
export function treeForm(type: string): TreeForm | undefined {
  return Object.hasOwn(joints, type) ? joints[type as keyof typeof joints].tree : undefined;
}

/** Returns the bodies of a joint that has a tree form, A's first; undefined for a joint that remains rows. */
export function treeEnds(model: ModelData, joint: number): readonly [number, number] | undefined {
  const { type, markers } = model.joints[joint]!;
  if (treeForm(type) === undefined || markers === undefined) return undefined;
  const [a, b] = markers.map((marker) => model.markers[marker]!.body) as [number, number];
  return a === b ? undefined : [a, b];
}
