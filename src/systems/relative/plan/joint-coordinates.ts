// Conversion of poses and velocities of bodies to joint coordinates, and their deviation from the joints of the tree.
// Each joint is evaluated between the frames of its two bodies, so a deviation at one joint does not affect the
// coordinates of joints outboard of it.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import { arcTangent, cosine, sine } from "../../../base/algebra/portable-trigonometry.js";
import {
  add,
  column,
  columns,
  cross,
  dot,
  IDENTITY,
  type Matrix,
  multiply,
  norm,
  normalised,
  type Quaternion,
  quaternionOf,
  rotationOf,
  scale,
  subtract,
  threeAt,
  times,
  transpose,
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { UNIT_X, UNIT_Z } from "../../../model/joints/rows.js";
import type { Frame } from "../../../model/marker-placement.js";
import type { ModelData } from "../../../model/model-data.js";
import { chainsOf, type PlannedNode, type TreePlan } from "./tree-plan.js";

// World frames of tree nodes as plain arrays, for set-up only. In steps assembly/tree computes them.

/** A frame in the world that moves. */
interface MovingFrame extends Frame {
  readonly omega: Vector;
  /** Velocity of its origin. */
  readonly velocity: Vector;
}

/** The world itself. */
const WORLD: MovingFrame = { axes: IDENTITY, point: ZERO, omega: ZERO, velocity: ZERO };

/** Frame of a node from the public state of its body. */
function frameOfBody(
  { body, bodyAxes, centre }: PlannedNode,
  q: ArrayLike<number>,
  v: ArrayLike<number> | undefined,
): MovingFrame {
  const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
  const rotation = rotationOf(normalised(fourAt(q, at + 3)));
  const axes = multiply(rotation, transpose(bodyAxes));
  const arm = scale(-1, times(axes, centre));
  const point = add(threeAt(q, at), arm);
  if (v === undefined) return { axes, point, omega: ZERO, velocity: ZERO };
  const omega = times(rotation, threeAt(v, rate + 3));
  return {
    axes,
    point,
    omega,
    velocity: add(threeAt(v, rate), cross(omega, arm)),
  };
}

/** Joint frame of a node, from the frame of its parent. */
function jointFrame(parent: Frame, { turn, offset }: PlannedNode): Frame {
  return {
    axes: multiply(parent.axes, turn),
    point: add(parent.point, times(parent.axes, offset)),
  };
}

/** Frame of a node from its joint frame, at its coordinates in q. */
function nodeFrame(joint: Frame, { kind, pitch }: PlannedNode, q: readonly number[]): Frame {
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

/** Velocity of a point of one frame that moves with another. */
function carried({ omega, velocity, point }: MovingFrame, at: Vector): Vector {
  return add(velocity, cross(omega, subtract(at, point)));
}

function fourAt(values: ArrayLike<number>, place: number): Quaternion {
  return [values[place]!, values[place + 1]!, values[place + 2]!, values[place + 3]!];
}

/** Deviation of a state from a joint of the tree. */
export interface JointMisfit {
  /** Index and name of the joint; -1 and the name of the body for one that is free in its plane. */
  readonly joint: number;
  readonly name: string;
  /** Distance between the points that should coincide, in metres. */
  readonly distance: number;
  /** Angle between the axes that should coincide, in radians if it is small. */
  readonly turn: number;
  /** Relative velocity that the joint does not permit, in m/s and rad/s. */
  readonly velocity: number;
  readonly angularVelocity: number;
}

/** Joint coordinates of a state of the bodies. */
export interface JointCoordinates {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Deviation for each joint of the tree, in the order of its nodes. */
  readonly misfits: readonly JointMisfit[];
}

/**
 * Returns the joint coordinates of a state: of public positions (7 for each body) and velocities (6). Angles are
 * unwrapped to the values nearest to `reference`, Euler parameters to its sign; without a reference they are principal
 * values. The revolution of a screw follows from its displacement.
 */
export function jointCoordinates(
  plan: TreePlan,
  model: ModelData,
  state: BodyMotions,
  reference?: ArrayLike<number>,
): JointCoordinates {
  const misfits: JointMisfit[] = [];
  const found = coordinatesOf(plan, state, reference, (chain, reached, end, rates) => {
    const { joint } = chain[0]!;
    const { name } = model.joints[joint] ?? model.bodies[chain.at(-1)!.body]!;
    misfits.push({ joint, name, ...misfitOf(reached, end), ...rates });
  });
  return { ...found, misfits };
}

/** Public positions (7 for each body), and velocities (6), or none if only the pose is needed. */
interface BodyMotions {
  readonly q: ArrayLike<number>;
  readonly v?: ArrayLike<number> | undefined;
}

type RateMisfit = Pick<JointMisfit, "velocity" | "angularVelocity">;

/**
 * Returns the coordinates of {@link jointCoordinates}; `found` gets the deviation from each joint. Velocities are zero
 * if none are given.
 */
export function coordinatesOf(
  plan: TreePlan,
  state: BodyMotions,
  reference?: ArrayLike<number>,
  found?: (
    chain: readonly PlannedNode[],
    reached: Frame,
    end: MovingFrame,
    rates: RateMisfit,
  ) => void,
): Pick<JointCoordinates, "q" | "v"> {
  const q = new Float64Array(plan.positions);
  const v = new Float64Array(plan.velocities);
  const known: MovingFrame[] = new Array(plan.nodes.length);
  const frameAt = (node: number) => {
    if (node < 0) return WORLD;
    known[node] ??= frameOfBody(plan.nodes[node]!, state.q, state.v);
    return known[node]!;
  };
  for (const chain of chainsOf(plan)) {
    const { parent, kind, position, velocity, body } = chain[0]!;
    if (kind === NodeKind.FREE) {
      copy(state.q, BODY_POSITIONS * body, BODY_POSITIONS, q, position);
      if (state.v) copy(state.v, BODY_VELOCITIES * body, BODY_VELOCITIES, v, velocity);
      continue;
    }
    const ends = { parent: frameAt(parent), end: frameAt(plan.nodeOf[chain.at(-1)!.body]!) };
    const frames = measure(chain, ends, q, reference, state.v !== undefined);
    if (!state.v) continue;
    const rates = measureRates(chain, frames, ends, v);
    found?.(chain, frames.at(-1)!, ends.end, rates);
  }
  return { q, v };
}

/** The frames of the two bodies of a joint: that of the parent's node, and that of the last node. */
interface Ends {
  readonly parent: MovingFrame;
  readonly end: MovingFrame;
}

/** Writes the coordinates of a chain; returns the frames of its nodes, with the last one if `isComplete`. */
function measure(
  chain: readonly PlannedNode[],
  { parent, end }: Ends,
  q: Float64Array,
  reference: ArrayLike<number> | undefined,
  isComplete: boolean,
): Frame[] {
  const frames: Frame[] = [];
  let last: Frame = parent;
  for (let i = 0; i < chain.length; i++) {
    const node = chain[i]!;
    const joint = jointFrame(last, node);
    const own = coordinates(chain, i, joint, end, reference);
    for (let part = 0; part < own.length; part++) q[node.position + part] = own[part]!;
    if (!isComplete && i === chain.length - 1) break;
    last = nodeFrame(joint, node, own);
    frames.push(last);
  }
  return frames;
}

/** Coordinates of one node of a chain that leads to `end`. */
function coordinates(
  chain: readonly PlannedNode[],
  i: number,
  joint: Frame,
  end: Frame,
  reference: ArrayLike<number> | undefined,
): readonly number[] {
  const { kind, pitch, position } = chain[i]!;
  // Slides of one joint are perpendicular, and nothing else of it moves the point.
  const displacement = () => dot(column(joint.axes, 2), subtract(end.point, joint.point));
  switch (kind) {
    case NodeKind.HINGE:
      return [nearestTurn(angleAt(chain, i, joint, end), reference?.[position])];
    case NodeKind.SCREW:
      return [nearestTurn(angleAt(chain, i, joint, end), displacement() / pitch)];
    case NodeKind.SLIDE:
      return [displacement()];
    case NodeKind.BALL: {
      const e = quaternionOf(transposeMultiply(joint.axes, end.axes));
      const likeness = e.reduce((sum, x, part) => sum + x * (reference?.[position + part] ?? 0), 0);
      return likeness < 0 ? e.map((x) => -x) : e;
    }
    default:
      return [];
  }
}

/**
 * Angle of a hinge, from a direction that later nodes of the chain do not rotate: the axis of a later hinge, as it
 * lies in this node (w) and in the last (u); else x.
 */
function angleAt(chain: readonly PlannedNode[], i: number, joint: Frame, end: Frame): number {
  if (chain.length === 1) {
    const seen = transposeTimes(joint.axes, column(end.axes, 0));
    return arcTangent(seen[1], seen[0]);
  }
  let later = i + 1;
  while (later < chain.length && !turns(chain[later]!)) later++;
  const isLast = later === chain.length;
  const aim = isLast ? UNIT_X : UNIT_Z;
  const bend = isLast ? i + 1 : later + 1;
  const w = times(turnThrough(chain, i + 1, bend), aim);
  const u = transposeTimes(turnThrough(chain, bend, chain.length), aim);
  const seen = transposeTimes(joint.axes, times(end.axes, u));
  return arcTangent(w[0] * seen[1] - w[1] * seen[0], w[0] * seen[0] + w[1] * seen[1]);
}

function turns({ kind }: PlannedNode): boolean {
  return kind === NodeKind.HINGE || kind === NodeKind.SCREW;
}

/** Product of the constant rotations of some nodes that do not rotate. */
function turnThrough(chain: readonly PlannedNode[], first: number, end: number): Matrix {
  let product = IDENTITY;
  for (let i = first; i < end; i++) product = multiply(product, chain[i]!.turn);
  return product;
}

function nearestTurn(angle: number, reference: number | undefined): number {
  const whole = 2 * Math.PI;
  return reference === undefined ? angle : angle + whole * Math.round((reference - angle) / whole);
}

/**
 * Writes the velocities of a chain: the components of the relative velocity along its axes, which are perpendicular to
 * each other (the angular ones, and those of slides). Returns the remainder.
 */
function measureRates(
  chain: readonly PlannedNode[],
  frames: readonly Frame[],
  { parent, end }: Ends,
  v: Float64Array,
): RateMisfit {
  let angular = subtract(end.omega, parent.omega);
  let linear = subtract(end.velocity, carried(parent, end.point));
  const take = (slot: number, rate: number, axis: Vector, moves: Vector) => {
    v[slot] = rate;
    angular = subtract(angular, scale(rate, axis));
    linear = subtract(linear, scale(rate, moves));
  };
  for (let i = 0; i < chain.length; i++) {
    const node = chain[i]!;
    const { axes, point } = frames[i]!;
    const turning = angularAxes(node, axes);
    for (let part = 0; part < turning.length; part++) {
      const axis = turning[part]!;
      const moves = add(cross(axis, subtract(end.point, point)), scale(node.pitch, axis));
      take(node.velocity + part, dot(axis, angular), axis, moves);
    }
  }
  for (let i = 0; i < chain.length; i++) {
    const node = chain[i]!;
    if (node.kind !== NodeKind.SLIDE) continue;
    const axis = column(frames[i]!.axes, 2);
    take(node.velocity, dot(axis, linear), ZERO, axis);
  }
  return { velocity: norm(linear), angularVelocity: norm(angular) };
}

/** Directions about which a node rotates. */
function angularAxes(node: PlannedNode, axes: Matrix): Vector[] {
  if (node.kind === NodeKind.BALL) return [column(axes, 0), column(axes, 1), column(axes, 2)];
  return turns(node) ? [column(axes, 2)] : [];
}

/** The rotation between two frames is 2 |u| of its Euler parameters, if it is small. */
function misfitOf(reached: Frame, end: Frame): Pick<JointMisfit, "distance" | "turn"> {
  const [, x, y, z] = quaternionOf(transposeMultiply(reached.axes, end.axes));
  return {
    distance: norm(subtract(reached.point, end.point)),
    turn: 2 * norm(vectorOf(x, y, z)),
  };
}

function copy(
  from: ArrayLike<number>,
  start: number,
  count: number,
  to: Float64Array,
  place: number,
): void {
  for (let i = 0; i < count; i++) to[place + i] = from[start + i]!;
}
