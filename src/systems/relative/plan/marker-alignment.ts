// Relative orientation of the two markers of a joint. Rows on axes, a_i . b_j = 0, cannot distinguish a direction from
// its opposite: user-given markers may have z of B opposite to z of A, or in a prismatic joint be rotated by a quarter
// turn. The initial poses decide, and joint coordinates are measured from there.

import { BODY_POSITIONS } from "../../../../assembly/layout-bodies.js";
import {
  column,
  columns,
  IDENTITY,
  type Matrix,
  multiply,
  normalised,
  rotationOf,
  scale,
  transpose,
  transposeMultiply,
  vectorOf,
} from "../../../base/algebra/vectors.js";
import { GROUND, type ModelData } from "../../../model/model-data.js";
import { FLIP, type TreeForm } from "./tree-forms.js";

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
