// Nodes in the world, where nothing is in a hurry: plain arrays. assembly/tree does the same in a step.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import { cosine, sine } from "../../../ground/algebra/portable-trigonometry.js";
import {
  add,
  column,
  columns,
  cross,
  IDENTITY,
  type Matrix,
  multiply,
  normalised,
  type Quaternion,
  rotationOf,
  scale,
  subtract,
  threeAt,
  times,
  transposeMultiply,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import type { PlannedNode } from "./tree-plan.js";

/** A frame in the world. */
export interface Frame {
  /** By columns. */
  readonly axes: Matrix;
  readonly point: Vector;
}

/** A frame in the world that moves. */
export interface MovingFrame extends Frame {
  readonly omega: Vector;
  /** Of its point. */
  readonly velocity: Vector;
}

/** The world itself. */
export const WORLD: MovingFrame = { axes: IDENTITY, point: ZERO, omega: ZERO, velocity: ZERO };

/** The frame of a node by the public state of its body. */
export function frameOfBody(
  { body, bodyAxes, centre }: PlannedNode,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): MovingFrame {
  const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
  const rotation = rotationOf(normalised(fourAt(q, at + 3)));
  const axes = multiply(rotation, transposeMultiply(bodyAxes, IDENTITY));
  const omega = times(rotation, threeAt(v, rate + 3));
  const arm = scale(-1, times(axes, centre));
  return {
    axes,
    point: add(threeAt(q, at), arm),
    omega,
    velocity: add(threeAt(v, rate), cross(omega, arm)),
  };
}

/** The joint's frame of a node in the frame of its parent. */
export function jointFrame(parent: Frame, { turn, offset }: PlannedNode): Frame {
  return {
    axes: multiply(parent.axes, turn),
    point: add(parent.point, times(parent.axes, offset)),
  };
}

/** The frame of a node whose joint's frame is known, at its coordinates in q. */
export function nodeFrame(joint: Frame, { kind, pitch }: PlannedNode, q: readonly number[]): Frame {
  const [value = 0] = q;
  const along = (distance: number) => add(joint.point, scale(distance, column(joint.axes, 2)));
  const about = () => multiply(joint.axes, turnAboutZ(value));
  switch (kind) {
    case NodeKind.HINGE:
      return { axes: about(), point: joint.point };
    case NodeKind.SLIDE:
      return { axes: joint.axes, point: along(value) };
    case NodeKind.SCREW:
      return { axes: about(), point: along(pitch * value) };
    case NodeKind.BALL:
      return { axes: multiply(joint.axes, rotationOf(normalised(q))), point: joint.point };
    case NodeKind.FREE:
      return { axes: rotationOf(normalised(fourAt(q, 3))), point: threeAt(q, 0) };
    case NodeKind.FIXED:
      return joint;
  }
}

/** Rz of an angle. */
function turnAboutZ(angle: number): Matrix {
  const [c, s] = [cosine(angle), sine(angle)];
  return columns(vectorOf(c, s, 0), vectorOf(-s, c, 0), vectorOf(0, 0, 1));
}

/** Velocity of the point of one frame that another carries along. */
export function carried({ omega, velocity, point }: MovingFrame, at: Vector): Vector {
  return add(velocity, cross(omega, subtract(at, point)));
}

function fourAt(values: ArrayLike<number>, place: number): Quaternion {
  return [values[place]!, values[place + 1]!, values[place + 2]!, values[place + 3]!];
}
