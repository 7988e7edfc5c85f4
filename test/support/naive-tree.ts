// Reference implementation of a tree of nodes by the definitions of assembly/layout-tree.ts, in plain arrays and without recursion over
// subtrees. Bodies have the public coordinates of layout-bodies.ts.

import type { ModelData } from "nodrift/bodies";
import { NodeKind } from "../../assembly/layout-tree.js";
import {
  add,
  column,
  columns,
  cross,
  IDENTITY,
  type Matrix,
  multiply,
  quaternionOf,
  rotationOf,
  scale,
  subtract,
  threeAt,
  times,
  transpose,
  transposeTimes,
  type Vector,
  vectorOf,
  ZERO,
} from "../../src/base/algebra/vectors.js";
import type { PlannedNode, TreePlan } from "../../src/systems/relative/plan/tree-forms.js";
import { naiveInverse } from "../oracles/lu.js";

/** A node in the world. */
export interface NaiveFrame {
  readonly axes: Matrix;
  readonly point: Vector;
  readonly omega: Vector;
  readonly velocity: Vector;
  /** Angular acceleration and that of the point for v' = 0, without gravity. */
  readonly alpha: Vector;
  readonly acceleration: Vector;
}

const GROUND: NaiveFrame = {
  axes: IDENTITY,
  point: ZERO,
  omega: ZERO,
  velocity: ZERO,
  alpha: ZERO,
  acceleration: ZERO,
};

const unitQuaternion = (e: readonly number[]) => {
  const length = Math.hypot(...e);
  return e.map((x) => x / length) as unknown as Parameters<typeof rotationOf>[0];
};

const sum = (...vectors: readonly Vector[]) => vectors.reduce(add, ZERO);

/** Motion of a node in its joint's frame: rotation and displacement, and their rates in the axes of the joint's frame. */
function motionOf(node: PlannedNode, q: ArrayLike<number>, v: ArrayLike<number>) {
  const [s, rate] = [q[node.position]!, v[node.velocity]!];
  const rz = (angle: number) => {
    const [c, d] = [Math.cos(angle), Math.sin(angle)];
    return columns(vectorOf(c, d, 0), vectorOf(-d, c, 0), vectorOf(0, 0, 1));
  };
  const still = { turn: IDENTITY, way: ZERO, spin: ZERO, speed: ZERO };
  switch (node.kind) {
    case NodeKind.HINGE:
      return { ...still, turn: rz(s), spin: vectorOf(0, 0, rate) };
    case NodeKind.SLIDE:
      return { ...still, way: vectorOf(0, 0, s), speed: vectorOf(0, 0, rate) };
    case NodeKind.SCREW:
      return {
        turn: rz(s),
        way: vectorOf(0, 0, node.pitch * s),
        spin: vectorOf(0, 0, rate),
        speed: vectorOf(0, 0, node.pitch * rate),
      };
    case NodeKind.BALL: {
      const e = Array.from({ length: 4 }, (_, i) => q[node.position + i]!);
      const turn = rotationOf(unitQuaternion(e));
      return { ...still, turn, spin: times(turn, threeAt(v, node.velocity)) };
    }
    case NodeKind.FREE: {
      const e = Array.from({ length: 4 }, (_, i) => q[node.position + 3 + i]!);
      const turn = rotationOf(unitQuaternion(e));
      return {
        turn,
        way: threeAt(q, node.position),
        spin: times(turn, threeAt(v, node.velocity + 3)),
        speed: threeAt(v, node.velocity),
      };
    }
    case NodeKind.FIXED:
      return still;
  }
}

/** All nodes at joint coordinates. */
export function naiveFrames(
  plan: TreePlan,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): NaiveFrame[] {
  const frames: NaiveFrame[] = [];
  for (const node of plan.nodes) {
    const parent = node.parent < 0 ? GROUND : frames[node.parent]!;
    const motion = motionOf(node, q, v);
    const joint = multiply(parent.axes, node.turn);
    const arm = add(times(parent.axes, node.offset), times(joint, motion.way));
    const [spin, speed] = [times(joint, motion.spin), times(joint, motion.speed)];
    const w = parent.omega;
    frames.push({
      axes: multiply(joint, motion.turn),
      point: add(parent.point, arm),
      omega: add(w, spin),
      velocity: sum(parent.velocity, cross(w, arm), speed),
      // The relative velocities are constant in the joint's frame, or, of a ball, in the node's: w x is all that changes
      // them. (Of a free node: in the world and in the node, and the ground does not turn.)
      alpha: add(parent.alpha, cross(w, spin)),
      acceleration: sum(
        parent.acceleration,
        cross(parent.alpha, arm),
        cross(w, cross(w, arm)),
        scale(2, cross(w, speed)),
      ),
    });
  }
  return frames;
}

/** Centre of mass of the body of a node, from the node's point, in the world. */
const armOf = ({ centre }: PlannedNode, { axes }: NaiveFrame) => times(axes, centre);

/** Axes of the body of a node in the world. */
const bodyAxesOf = ({ bodyAxes }: PlannedNode, { axes }: NaiveFrame) => multiply(axes, bodyAxes);

/** Public q and v of the bodies at joint coordinates. */
export function bodyStates(
  plan: TreePlan,
  model: ModelData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): { q: Float64Array; v: Float64Array } {
  const out = {
    q: new Float64Array(7 * model.bodies.length),
    v: new Float64Array(6 * model.bodies.length),
  };
  const frames = naiveFrames(plan, q, v);
  for (const [i, node] of plan.nodes.entries()) {
    const frame = frames[i]!;
    if (node.body < 0) continue;
    const [arm, axes] = [armOf(node, frame), bodyAxesOf(node, frame)];
    // The coordinates of a free body are its public ones, with their sign.
    const own =
      node.kind === NodeKind.FREE
        ? [0, 1, 2, 3].map((j) => q[node.position + 3 + j]!)
        : quaternionOf(axes);
    out.q.set([...add(frame.point, arm), ...own], 7 * node.body);
    const velocity = add(frame.velocity, cross(frame.omega, arm));
    out.v.set([...velocity, ...transposeTimes(axes, frame.omega)], 6 * node.body);
  }
  return out;
}

/** Whether a node is outboard of another, or equal to it. */
function hangsOn({ nodes }: TreePlan, node: number, above: number): boolean {
  let at = node;
  while (at > above) at = nodes[at]!.parent;
  return at === above;
}

/** Angular and linear velocity of a node, at its point, for each of its velocities alone. */
function directions(node: PlannedNode, { axes }: NaiveFrame): [Vector, Vector][] {
  const three = (m: Matrix) => [0, 1, 2].map((i) => column(m, i));
  const z = column(axes, 2);
  switch (node.kind) {
    case NodeKind.HINGE:
      return [[z, ZERO]];
    case NodeKind.SLIDE:
      return [[ZERO, z]];
    case NodeKind.SCREW:
      return [[z, scale(node.pitch, z)]];
    case NodeKind.BALL:
      return three(axes).map((axis) => [axis, ZERO]);
    case NodeKind.FREE:
      return [
        ...three(IDENTITY).map((axis): [Vector, Vector] => [ZERO, axis]),
        ...three(axes).map((axis): [Vector, Vector] => [axis, ZERO]),
      ];
    case NodeKind.FIXED:
      return [];
  }
}

/** T, column-major: public velocities (6 for each body) = T v. */
export function velocityMap(plan: TreePlan, model: ModelData, q: ArrayLike<number>): Float64Array {
  const rows = 6 * model.bodies.length;
  const map = new Float64Array(rows * plan.velocities);
  const frames = naiveFrames(plan, q, new Float64Array(plan.velocities));
  for (const [above, mover] of plan.nodes.entries()) {
    for (const [part, [omega, velocity]] of directions(mover, frames[above]!).entries()) {
      for (const [i, node] of plan.nodes.entries()) {
        if (node.body < 0 || !hangsOn(plan, i, above)) continue;
        const centre = add(frames[i]!.point, armOf(node, frames[i]!));
        const arm = subtract(centre, frames[above]!.point);
        const turned = transposeTimes(bodyAxesOf(node, frames[i]!), omega);
        const place = rows * (mover.velocity + part) + 6 * node.body;
        map.set([...add(velocity, cross(omega, arm)), ...turned], place);
      }
    }
  }
  return map;
}

/** T' v: public accelerations for v' = 0, without gravity. */
export function biasAccelerations(
  plan: TreePlan,
  model: ModelData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(6 * model.bodies.length);
  const frames = naiveFrames(plan, q, v);
  for (const [i, node] of plan.nodes.entries()) {
    const { alpha, acceleration, omega } = frames[i]!;
    if (node.body < 0) continue;
    const arm = armOf(node, frames[i]!);
    const linear = sum(acceleration, cross(alpha, arm), cross(omega, cross(omega, arm)));
    // d(R^T w)/dt = R^T w', because w x w = 0.
    const angular = transposeTimes(bodyAxesOf(node, frames[i]!), alpha);
    out.set([...linear, ...angular], 6 * node.body);
  }
  return out;
}

/** M_b x for public velocities x. */
function bodyMassTimes({ bodies }: ModelData, x: Float64Array): Float64Array {
  const out = new Float64Array(x.length);
  for (const [body, { mass, inertia }] of bodies.entries()) {
    out.set(scale(mass, threeAt(x, 6 * body)), 6 * body);
    out.set(times(inertia, threeAt(x, 6 * body + 3)), 6 * body + 3);
  }
  return out;
}

const columnOf = (map: Float64Array, rows: number, j: number) =>
  map.subarray(rows * j, rows * (j + 1));

const product = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!;
  return total;
};

/** M = T^T M_b T, dense. */
export function massMatrix(plan: TreePlan, model: ModelData, q: ArrayLike<number>): Float64Array {
  const n = plan.velocities;
  const rows = 6 * model.bodies.length;
  const map = velocityMap(plan, model, q);
  const out = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const moved = bodyMassTimes(model, columnOf(map, rows, j));
    for (let i = 0; i < n; i++) out[i + n * j] = product(columnOf(map, rows, i), moved);
  }
  return out;
}

/**
 * T^T (loads + gravity - w x I w - M_b T' v), which equals M v'. Loads are six values for each body: the force in the world at
 * its centre of mass, and the torque in its axes.
 */
export function generalisedForces(
  plan: TreePlan,
  model: ModelData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  loads: ArrayLike<number> = new Float64Array(6 * model.bodies.length),
): Float64Array {
  const rows = 6 * model.bodies.length;
  const states = bodyStates(plan, model, q, v);
  const bias = bodyMassTimes(model, biasAccelerations(plan, model, q, v));
  const total = Float64Array.from(loads).map((load, i) => load - bias[i]!);
  for (const [body, { mass, inertia }] of model.bodies.entries()) {
    const w = threeAt(states.v, 6 * body + 3);
    const weight = scale(mass, model.gravity);
    const gyroscopic = scale(-1, cross(w, times(inertia, w)));
    for (const [i, x] of [...weight, ...gyroscopic].entries()) total[6 * body + i]! += x;
  }
  const map = velocityMap(plan, model, q);
  return Float64Array.from({ length: plan.velocities }, (_, j) =>
    product(columnOf(map, rows, j), total),
  );
}

/** v' of the tree alone, without the rows of cut joints. */
export function treeAccelerations(
  plan: TreePlan,
  model: ModelData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  loads?: ArrayLike<number>,
): Float64Array {
  const n = plan.velocities;
  const inverse = naiveInverse(n, massMatrix(plan, model, q));
  const forces = generalisedForces(plan, model, q, v, loads);
  return Float64Array.from({ length: n }, (_, i) =>
    product(
      Array.from({ length: n }, (_, j) => inverse[i + n * j]!),
      forces,
    ),
  );
}

/** Public accelerations of the bodies: T v' + T' v. */
export function bodyAccelerations(
  plan: TreePlan,
  model: ModelData,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  accelerations: ArrayLike<number>,
): Float64Array {
  const rows = 6 * model.bodies.length;
  const map = velocityMap(plan, model, q);
  return biasAccelerations(plan, model, q, v).map((bias, row) => {
    let total = bias;
    for (let j = 0; j < plan.velocities; j++) total += map[row + rows * j]! * accelerations[j]!;
    return total;
  });
}

/** q moved for a time h with constant velocities v. */
export function moved(
  plan: TreePlan,
  q: ArrayLike<number>,
  v: ArrayLike<number>,
  h: number,
): Float64Array {
  const out = Float64Array.from(q);
  const turn = (position: number, velocity: number) => {
    const w = threeAt(v, velocity);
    const angle = h * Math.hypot(...w);
    const e = Array.from(out.subarray(position, position + 4));
    const factor = angle === 0 ? h / 2 : (h * Math.sin(angle / 2)) / angle;
    const [s, [x, y, z]] = [Math.cos(angle / 2), scale(factor, w)];
    const [a, b, c, d] = e as [number, number, number, number];
    out.set(
      [
        a * s - b * x - c * y - d * z,
        a * x + b * s + c * z - d * y,
        a * y - b * z + c * s + d * x,
        a * z + b * y - c * x + d * s,
      ],
      position,
    );
  };
  for (const { kind, position, velocity } of plan.nodes) {
    if (kind === NodeKind.BALL) turn(position, velocity);
    else if (kind === NodeKind.FREE) {
      for (let i = 0; i < 3; i++) out[position + i]! += h * v[velocity + i]!;
      turn(position + 3, velocity + 3);
    } else if (kind !== NodeKind.FIXED) out[position]! += h * v[velocity]!;
  }
  return out;
}

/** The inertia of a body about its node's point in the node's axes, as required by the tables of the kernels. */
export function nodeInertia(plan: TreePlan, model: ModelData, node: number): Matrix {
  const { body, bodyAxes, centre } = plan.nodes[node]!;
  if (body < 0) return [0, 0, 0, 0, 0, 0, 0, 0, 0];
  const { mass, inertia } = model.bodies[body]!;
  const turned = multiply(multiply(bodyAxes, inertia), transpose(bodyAxes));
  // Huygens and Steiner: + m (c.c 1 - c c^T).
  const square = centre[0] ** 2 + centre[1] ** 2 + centre[2] ** 2;
  return turned.map((x, i) => {
    const [row, col] = [i % 3, Math.floor(i / 3)];
    return x + mass * ((row === col ? square : 0) - centre[row]! * centre[col]!);
  });
}
