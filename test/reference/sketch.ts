// From joints in the world to a mechanism: bodies around their joints, random inertia, and a random motion that the
// joints allow. Joints are placed on both of their bodies in the initial state, so loops are closed.

import type { Random } from "../support/random.js";
import { complement } from "./householder.js";
import type { JointType, Mechanism, ReferenceBody } from "./mechanism.js";
import { Motion } from "./motion.js";
import {
  add,
  dot,
  length,
  type Matrix,
  product,
  type Quaternion,
  rotation,
  scale,
  subtract,
  three,
  times,
  transposed,
  unit,
  type Vector,
} from "./vectors.js";

/** A joint of a sketch. Directions need not have unit length. */
export interface SketchJoint {
  readonly type: JointType;
  readonly a: number;
  readonly b: number;
  readonly at: Vector;
  readonly atB?: Vector;
  readonly axis?: Vector;
  readonly axisB?: Vector;
}

export interface Sketch {
  readonly joints: readonly SketchJoint[];
}

/** Mass of each body, drawn when it is made. */
export type Masses = (random: Random, body: number) => number;

/** Between 0.2 and 5 kg. */
export const usualMasses: Masses = (random) => {
  const x = 1 + 1.236 * (random() + 1) * 0.5;
  return random() < 0 ? 1 / (x * x) : x * x;
};

/** A uniform number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + ((high - low) * (random() + 1)) / 2;
}

export function randomDirection(random: Random): Vector {
  for (;;) {
    const v: Vector = [random(), random(), random()];
    const l = length(v);
    if (l > 0.1 && l < 1) return scale(1 / l, v);
  }
}

export function randomPoint(random: Random): Vector {
  return [random(), random(), random()];
}

export function randomTurn(random: Random): Quaternion {
  for (;;) {
    const e: Quaternion = [random(), random(), random(), random()];
    const l = Math.sqrt(e.reduce((sum, x) => sum + x * x, 0));
    if (l > 0.1 && l < 1) return e.map((x) => x / l) as unknown as Quaternion;
  }
}

/** The sketch, rotated and moved. */
export function placed(random: Random, { joints }: Sketch): Sketch {
  const r = rotation(randomTurn(random));
  const shift = randomPoint(random);
  const point = (p: Vector) => add(times(r, p), shift);
  return {
    joints: joints.map((joint) => ({
      ...joint,
      at: point(joint.at),
      ...(joint.atB && { atB: point(joint.atB) }),
      ...(joint.axis && { axis: times(r, joint.axis) }),
      ...(joint.axisB && { axisB: times(r, joint.axisB) }),
    })),
  };
}

/** A mechanism that moves, from a sketch. */
export function mechanismOf(
  name: string,
  random: Random,
  { joints }: Sketch,
  masses: Masses = usualMasses,
): Mechanism {
  const count = 1 + Math.max(...joints.flatMap(({ a, b }) => [a, b]));
  const still: Mechanism = {
    name,
    gravity: scale(9.81, randomDirection(random)),
    bodies: Array.from({ length: count }, (_, body) =>
      bodyOf(random, body, pointsOn(joints, body), masses(random, body)),
    ),
    joints: joints.map((joint, i) => ({ ...joint, ...armsOf(joint), name: `${joint.type} ${i}` })),
  };
  return started(still, random);
}

/** Unit directions; the arms of a universal joint made perpendicular. */
function armsOf({ axis, axisB }: SketchJoint): Partial<SketchJoint> {
  if (!axis) return {};
  const z = unit(axis);
  return { axis: z, ...(axisB && { axisB: unit(subtract(axisB, scale(dot(axisB, z), z))) }) };
}

function pointsOn(joints: readonly SketchJoint[], body: number): Vector[] {
  return joints.flatMap(({ a, b, at, atB = at }) => [
    ...(a === body ? [at] : []),
    ...(b === body ? [atB] : []),
  ]);
}

/** A body around its joints: the centre near their middle, inertia of a brick of their size, in axes of its own. */
function bodyOf(random: Random, body: number, points: Vector[], mass: number): ReferenceBody {
  const middle = scale(1 / points.length, points.reduce(add));
  const reach = Math.max(...points.map((point) => length(subtract(point, middle))), 0.3);
  const edge = () => (between(random, 0.2, 1) * reach) ** 2;
  const [x, y, z] = [edge(), edge(), edge()];
  const axes = rotation(randomTurn(random));
  const moments: Matrix = [
    [(mass * (y + z)) / 3, 0, 0],
    [0, (mass * (x + z)) / 3, 0],
    [0, 0, (mass * (x + y)) / 3],
  ];
  return {
    name: `body ${body}`,
    mass,
    inertia: symmetric(product(axes, product(moments, transposed(axes)))),
    position: add(middle, scale(0.2 * reach, randomPoint(random))),
    orientation: randomTurn(random),
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  };
}

function symmetric(m: Matrix): Matrix {
  const t = transposed(m);
  return m.map((row, i) => scale(0.5, add(row, t[i]))) as unknown as Matrix;
}

/** A random motion among those that the joints allow: up to 3 rad/s, or 3 sizes per second. */
function started(still: Mechanism, random: Random): Mechanism {
  const motion = new Motion(still);
  const { qr } = motion.choose(motion.start());
  const v = new Float64Array(6 * still.bodies.length);
  for (const direction of complement(qr)) {
    const factor = random();
    for (let i = 0; i < v.length; i++) v[i] += factor * direction[i];
  }
  const fastest = v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const factor = fastest > 1e-9 ? (between(random, 0.5, 3) * motion.size) / fastest : 0;
  return {
    ...still,
    bodies: still.bodies.map((body, i) => ({
      ...body,
      velocity: scale(factor, three(v, 6 * i)),
      angularVelocity: scale(factor / motion.size, three(v, 6 * i + 3)),
    })),
  };
}
