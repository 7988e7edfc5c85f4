// From poses and velocities of bodies to joint coordinates, and how far they are from what the joints of the tree allow.
// Each joint is looked at by itself, between the frames that its two bodies have: what does not fit one joint does not
// spoil the coordinates of those beyond it.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { NodeKind } from "../../../../assembly/layout-tree.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import { arcTangent } from "../../../ground/algebra/portable-trigonometry.js";
import {
  add,
  column,
  cross,
  dot,
  IDENTITY,
  type Matrix,
  multiply,
  norm,
  quaternionOf,
  scale,
  subtract,
  times,
  transposeMultiply,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import {
  carried,
  type Frame,
  frameOfBody,
  jointFrame,
  type MovingFrame,
  nodeFrame,
  WORLD,
} from "./node-frames.js";
import { chainsOf, type PlannedNode, type TreePlan } from "./tree-plan.js";

/** How far a state is from what a joint of the tree allows. */
export interface JointMisfit {
  /** Number and name of the joint; -1 and the name of the body for one that is free in its plane. */
  readonly joint: number;
  readonly name: string;
  /** Between the points that should coincide, in metres. */
  readonly distance: number;
  /** Between the axes that should, in radians where it is small. */
  readonly turn: number;
  /** Of the relative velocities that it does not allow, in m/s and rad/s. */
  readonly velocity: number;
  readonly angularVelocity: number;
}

/** Joint coordinates that belong to a state of the bodies. */
export interface JointCoordinates {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** For each joint of the tree, in the order of its nodes. */
  readonly misfits: readonly JointMisfit[];
}

/**
 * The joint coordinates of a state: of public positions (7 for each body) and velocities (6). Angles are moved to the turn
 * nearest to those of `reference`, Euler parameters to the sign; without one they are principal values. The turn of a screw
 * follows from where it is.
 */
export function jointCoordinates(
  plan: TreePlan,
  model: ModelData,
  state: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
  reference?: ArrayLike<number>,
): JointCoordinates {
  const q = new Float64Array(plan.positions);
  const v = new Float64Array(plan.velocities);
  const frameAt = (node: number) =>
    node < 0 ? WORLD : frameOfBody(plan.nodes[node]!, state.q, state.v);
  const misfits: JointMisfit[] = [];
  for (const chain of chainsOf(plan)) {
    const { joint, parent, kind, position, velocity, body } = chain[0]!;
    if (kind === NodeKind.FREE) {
      copy(state.q, BODY_POSITIONS * body, BODY_POSITIONS, q, position);
      copy(state.v, BODY_VELOCITIES * body, BODY_VELOCITIES, v, velocity);
      continue;
    }
    const ends = { parent: frameAt(parent), end: frameAt(plan.nodeOf[chain.at(-1)!.body]!) };
    const frames = measure(chain, ends, q, reference);
    const rates = measureRates(chain, frames, ends, v);
    const { name } = model.joints[joint] ?? model.bodies[chain.at(-1)!.body]!;
    misfits.push({ joint, name, ...misfitOf(frames.at(-1)!, ends.end), ...rates });
  }
  return { q, v, misfits };
}

/** The frames of the two bodies of a joint: that of the parent's node, and that of the last node. */
interface Ends {
  readonly parent: MovingFrame;
  readonly end: MovingFrame;
}

/** Writes the coordinates of a chain; returns the frames its nodes have with them. */
function measure(
  chain: readonly PlannedNode[],
  { parent, end }: Ends,
  q: Float64Array,
  reference: ArrayLike<number> | undefined,
): Frame[] {
  const frames: Frame[] = [];
  let last: Frame = parent;
  for (const [i, node] of chain.entries()) {
    const joint = jointFrame(last, node);
    const near = (part: number) => reference?.[node.position + part];
    const own = coordinates(chain, i, joint, end, near);
    q.set(own, node.position);
    last = nodeFrame(joint, node, own);
    frames.push(last);
  }
  return frames;
}

/** The coordinates of one node of a chain that leads to `end`. */
function coordinates(
  chain: readonly PlannedNode[],
  i: number,
  joint: Frame,
  end: Frame,
  near: (part: number) => number | undefined,
): readonly number[] {
  const { kind, pitch } = chain[i]!;
  // Slides of one joint are perpendicular, and nothing else of it moves the point.
  const displacement = () => dot(column(joint.axes, 2), subtract(end.point, joint.point));
  switch (kind) {
    case NodeKind.HINGE:
      return [nearestTurn(angleAt(chain, i, joint, end), near(0))];
    case NodeKind.SCREW:
      return [nearestTurn(angleAt(chain, i, joint, end), displacement() / pitch)];
    case NodeKind.SLIDE:
      return [displacement()];
    case NodeKind.BALL: {
      const e = quaternionOf(transposeMultiply(joint.axes, end.axes));
      const likeness = e.reduce((sum, x, part) => sum + x * (near(part) ?? 0), 0);
      return likeness < 0 ? e.map((x) => -x) : e;
    }
    default:
      return [];
  }
}

/**
 * The angle of a hinge, from a direction that later nodes of the chain leave alone: the axis of a later hinge, as it lies in
 * this node (w) and in the last (u); else x.
 */
function angleAt(chain: readonly PlannedNode[], i: number, joint: Frame, end: Frame): number {
  const later = chain.findIndex((node, place) => place > i && turns(node));
  const aim = later < 0 ? vectorOf(1, 0, 0) : vectorOf(0, 0, 1);
  const bend = later < 0 ? i + 1 : later + 1;
  const w = times(turnThrough(chain.slice(i + 1, bend)), aim);
  const u = transposeTimes(turnThrough(chain.slice(bend)), aim);
  const seen = transposeTimes(joint.axes, times(end.axes, u));
  return arcTangent(w[0] * seen[1] - w[1] * seen[0], w[0] * seen[0] + w[1] * seen[1]);
}

function turns({ kind }: PlannedNode): boolean {
  return kind === NodeKind.HINGE || kind === NodeKind.SCREW;
}

/** All turns of some nodes that do not turn themselves. */
function turnThrough(chain: readonly PlannedNode[]): Matrix {
  return chain.reduce((product, { turn }) => multiply(product, turn), IDENTITY);
}

function nearestTurn(angle: number, reference: number | undefined): number {
  const whole = 2 * Math.PI;
  return reference === undefined ? angle : angle + whole * Math.round((reference - angle) / whole);
}

/**
 * Writes the velocities of a chain: the parts of the relative velocity along its axes, which are perpendicular to each other
 * (the angular ones, and those of slides). Returns what is left.
 */
function measureRates(
  chain: readonly PlannedNode[],
  frames: readonly Frame[],
  { parent, end }: Ends,
  v: Float64Array,
): Pick<JointMisfit, "velocity" | "angularVelocity"> {
  let angular = subtract(end.omega, parent.omega);
  let linear = subtract(end.velocity, carried(parent, end.point));
  const take = (slot: number, rate: number, axis: Vector, moves: Vector) => {
    v[slot] = rate;
    angular = subtract(angular, scale(rate, axis));
    linear = subtract(linear, scale(rate, moves));
  };
  for (const [i, node] of chain.entries()) {
    const { axes, point } = frames[i]!;
    for (const [part, axis] of angularAxes(node, axes).entries()) {
      const moves = add(cross(axis, subtract(end.point, point)), scale(node.pitch, axis));
      take(node.velocity + part, dot(axis, angular), axis, moves);
    }
  }
  for (const [i, node] of chain.entries()) {
    if (node.kind !== NodeKind.SLIDE) continue;
    const axis = column(frames[i]!.axes, 2);
    take(node.velocity, dot(axis, linear), ZERO, axis);
  }
  return { velocity: norm(linear), angularVelocity: norm(angular) };
}

/** The directions in which a node turns. */
function angularAxes(node: PlannedNode, axes: Matrix): Vector[] {
  if (node.kind === NodeKind.BALL) return [column(axes, 0), column(axes, 1), column(axes, 2)];
  return turns(node) ? [column(axes, 2)] : [];
}

/** The turn between two frames is 2 |u| of its Euler parameters, where it is small. */
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
