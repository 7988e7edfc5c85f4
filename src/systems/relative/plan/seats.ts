// How the markers of a joint sit in each other. Rows on axes are products a_i . b_j = 0, which do not tell a direction
// from its opposite: a hinge whose markers the user gave may hold z of B against z of A, and a slide may hold it turned by
// a quarter. The poses at the start say which; the joint keeps to it, and a form counts from there.

import { BODY_POSITIONS } from "../../../../assembly/layout-bodies.js";
import { GROUND, type ModelData } from "../../../describe/model/model-data.js";
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
} from "../../../ground/algebra/vectors.js";
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
 * The axes of markers A and B, in those of their bodies, that the chains of a form are made for: those of B are turned so
 * that the joint holds them as the form says.
 */
export function seatedAxes(
  model: ModelData,
  [a, b]: readonly [number, number],
  seat: TreeForm["seat"],
  rotations: Rotations,
): readonly [Matrix, Matrix] {
  const [markerA, markerB] = [model.markers[a]!, model.markers[b]!];
  // A ball counts from the axes of the bodies: what a reader takes a body's Euler parameters for.
  if (seat === "point") return [IDENTITY, IDENTITY];
  if (seat === "arms") return [markerA.axes, markerB.axes];
  const inWorld = ({ body, axes }: typeof markerA) => multiply(rotations(body), axes);
  const relative = transposeMultiply(inWorld(markerA), inWorld(markerB));
  const turned = seat === "axis" ? axisSeat(relative) : axesSeat(relative);
  return [markerA.axes, multiply(markerB.axes, transpose(turned))];
}

/** z of B along z of A, or against it; x of B stays, from which the angle is counted. */
function axisSeat(relative: Matrix): Matrix {
  return relative[8]! < 0 ? FLIP : IDENTITY;
}

/**
 * The turn nearest to A^T B that satisfies a_y . b_z = a_z . b_x = a_x . b_y = 0. With these zeros the columns of a
 * rotation can only be perpendicular if it is diagonal, or diagonal times a cycle of the axes: eight turns.
 */
function axesSeat(relative: Matrix): Matrix {
  const likeness = (turn: Matrix) => turn.reduce((sum, x, i) => sum + x * relative[i]!, 0);
  return AXES_SEATS.reduce((best, turn) => (likeness(turn) > likeness(best) ? turn : best));
}

const SIGNS = [vectorOf(1, 1, 1), vectorOf(1, -1, -1), vectorOf(-1, 1, -1), vectorOf(-1, -1, 1)];
const CYCLE = columns(vectorOf(0, 1, 0), vectorOf(0, 0, 1), vectorOf(1, 0, 0));
const AXES_SEATS = [IDENTITY, CYCLE].flatMap((order) =>
  SIGNS.map((signs) =>
    columns(
      scale(signs[0], column(order, 0)),
      scale(signs[1], column(order, 1)),
      scale(signs[2], column(order, 2)),
    ),
  ),
);
