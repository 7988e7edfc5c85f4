// Constraint equations of the reference. Velocities of a body are six values: the velocity of its centre of mass and
// the angular velocity, both in the world. A direction u fixed in a body has
//
//   u' = w x u,   u'' = w' x u + w x (w x u),
//
// and a point p = r + s has the same terms plus v and a. Each row has its value, its products with velocities, and
// the bias b in value'' = J a + b.

import { directionIn, GROUND, type Mechanism, pointIn, type ReferenceJoint } from "./mechanism.js";
import {
  across,
  add,
  cross,
  dot,
  length,
  type Matrix,
  scale,
  subtract,
  times,
  type Vector,
} from "./vectors.js";

/** Motion of a body. */
export interface Moving {
  readonly position: Vector;
  readonly rotation: Matrix;
  readonly velocity: Vector;
  readonly angularVelocity: Vector;
}

const GROUND_MOTION: Moving = {
  position: [0, 0, 0],
  rotation: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
};

/** One equation: value, parts of J on both bodies (linear, angular), bias. Lengths are in units of the size. */
export interface Row {
  readonly value: number;
  readonly a: readonly [Vector, Vector];
  readonly b: readonly [Vector, Vector];
  readonly bias: number;
}

/** A vector fixed in a body, its rate and the part of u'' without w'. */
interface Carried {
  readonly u: Vector;
  readonly rate: Vector;
  readonly bias: Vector;
}

function carry({ rotation, angularVelocity: w }: Moving, own: Vector): Carried {
  const u = times(rotation, own);
  const rate = cross(w, u);
  return { u, rate, bias: cross(w, rate) };
}

/** Vector from the point on A to that on B. */
interface Gap extends Carried {
  readonly armA: Vector;
  readonly armB: Vector;
}

function gapOf(a: Moving, b: Moving, onA: Vector, onB: Vector): Gap {
  const [s, t] = [carry(a, onA), carry(b, onB)];
  return {
    u: subtract(add(b.position, t.u), add(a.position, s.u)),
    rate: subtract(add(b.velocity, t.rate), add(a.velocity, s.rate)),
    bias: subtract(t.bias, s.bias),
    armA: s.u,
    armB: t.u,
  };
}

/** n . d with n fixed in the world: n . (v + w x s) = n . v + (s x n) . w. */
function along(n: Vector, { u, bias, armA, armB }: Gap, size: number): Row {
  const k = scale(1 / size, n);
  return {
    value: dot(k, u),
    a: [scale(-1, k), cross(k, armA)],
    b: [k, cross(armB, k)],
    bias: dot(k, bias),
  };
}

/** n . d with n fixed in A: that above, and (w x n) . d = w . (n x d). */
function alongCarried(n: Carried, gap: Gap, size: number): Row {
  const row = along(n.u, gap, size);
  return {
    ...row,
    a: [row.a[0], add(row.a[1], scale(1 / size, cross(n.u, gap.u)))],
    bias: row.bias + (dot(n.bias, gap.u) + 2 * dot(n.rate, gap.rate)) / size,
  };
}

/** n . m with n fixed in A, m in B: (w x n) . m = w . (n x m). */
function perpendicular(n: Carried, m: Carried): Row {
  const torque = cross(n.u, m.u);
  return {
    value: dot(n.u, m.u),
    a: [[0, 0, 0], torque],
    b: [[0, 0, 0], scale(-1, torque)],
    bias: dot(n.bias, m.u) + 2 * dot(n.rate, m.rate) + dot(n.u, m.bias),
  };
}

/** (d . d - l^2) / (2 l), whose rate equals that of |d| if it is zero: d . d' / l. */
function apart(gap: Gap, l: number, size: number): Row {
  const row = along(scale(1 / l, gap.u), gap, size);
  return {
    ...row,
    value: (dot(gap.u, gap.u) - l * l) / (2 * l * size),
    bias: row.bias + dot(gap.rate, gap.rate) / (l * size),
  };
}

const WORLD: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The equations of a joint, as a function of the motion of its bodies. */
export interface JointRows {
  readonly a: number;
  readonly b: number;
  rows(bodies: readonly Moving[]): Row[];
}

export function rowsOf(mechanism: Mechanism, joint: ReferenceJoint, size: number): JointRows {
  const { a, b, at, atB = at, axis = [0, 0, 1], axisB = axis } = joint;
  const onA = pointIn(mechanism, a, at);
  const onB = pointIn(mechanism, b, atB);
  const [x, y] = across(axis);
  const frame = (body: number) => [x, y, axis].map((e) => directionIn(mechanism.bodies, body, e));
  const [axesA, axesB] = [frame(a), frame(b)];
  const armB = directionIn(mechanism.bodies, b, axisB);
  const l = length(subtract(atB, at));
  return {
    a,
    b,
    rows(bodies) {
      const bodyA = a === GROUND ? GROUND_MOTION : bodies[a];
      const bodyB = b === GROUND ? GROUND_MOTION : bodies[b];
      const gap = gapOf(bodyA, bodyB, onA, onB);
      const ofA = (i: number) => carry(bodyA, axesA[i]);
      const ofB = (i: number) => carry(bodyB, axesB[i]);
      const together = () => WORLD.map((n) => along(n, gap, size));
      const onLine = () => [0, 1].map((i) => alongCarried(ofA(i), gap, size));
      const noTilt = () => [0, 1].map((i) => perpendicular(ofA(i), ofB(2)));
      const noRotation = () => [0, 1, 2].map((i) => perpendicular(ofA(i), ofB((i + 1) % 3)));
      switch (joint.type) {
        case "revolute":
          return [...together(), ...noTilt()];
        case "prismatic":
          return [...onLine(), ...noRotation()];
        case "cylindrical":
          return [...onLine(), ...noTilt()];
        case "spherical":
          return together();
        case "universal":
          return [...together(), perpendicular(ofA(2), carry(bodyB, armB))];
        case "distance":
          return [apart(gap, l, size)];
        case "fixed":
          return [...together(), ...noRotation()];
      }
    },
  };
}
