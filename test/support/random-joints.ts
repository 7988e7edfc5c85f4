// The joints of random mechanisms, by their free motions: their relative pose, and the relative motions they allow.
// Independent of the package, so that it can test it.

import { between, randomDirection, randomTurn } from "../reference/sketch.js";
import {
  add,
  cross,
  dot,
  type Matrix,
  product,
  rotation,
  scale,
  transposed,
  type Vector,
} from "../reference/vectors.js";
import type { Random } from "./random.js";

/** A point and axes, by rows of the matrix from the frame to the world. */
export interface Frame {
  readonly point: Vector;
  readonly axes: Matrix;
}

/** Motion of a body: angular velocity, and velocity of its material point at the origin of the world. */
export interface Twist {
  readonly angular: Vector;
  readonly linear: Vector;
}

export const REST: Twist = { angular: [0, 0, 0], linear: [0, 0, 0] };

export const plus = (a: Twist, b: Twist, factor = 1): Twist => ({
  angular: add(a.angular, scale(factor, b.angular)),
  linear: add(a.linear, scale(factor, b.linear)),
});

/** Velocity of the material point at a position. */
export const velocityAt = ({ angular, linear }: Twist, point: Vector): Vector =>
  add(linear, cross(angular, point));

export const axisOf = ({ axes }: Frame, k: 0 | 1 | 2): Vector => transposed(axes)[k];

const slide = (direction: Vector): Twist => ({ angular: [0, 0, 0], linear: direction });
const turn = (axis: Vector, at: Vector): Twist => ({ angular: axis, linear: cross(at, axis) });

/** cos and sin of an angle between -2 and 2 rad, without functions whose last bit differs between engines. */
function randomAngle(random: Random): readonly [cosine: number, sine: number] {
  const t = 1.5 * random();
  return [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
}

const NOT_TURNED: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function aboutZ(random: Random): Matrix {
  const [c, s] = randomAngle(random);
  return [
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ];
}

/** z to x. */
const ARMS: Matrix = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

interface JointKind {
  /** Pose of B's frame in A's. */
  readonly open: (random: Random) => { readonly along: Vector; readonly turned: Matrix };
  /** Free motions of B relative to A, from the frames on A and B. */
  readonly free: (a: Frame, b: Frame, pitch: number) => readonly Twist[];
}

const turningAbout = (point: Vector): Twist[] => NOT_TURNED.map((axis) => turn(axis, point));
const still = () => ({ along: [0, 0, 0] as const, turned: NOT_TURNED });
const turningAboutZ = (a: Frame) => turn(axisOf(a, 2), a.point);

/** Every joint with a tree form; "free" means no joint. */
export const jointKinds = {
  revolute: {
    open: (random) => ({ along: [0, 0, 0], turned: aboutZ(random) }),
    free: (a) => [turningAboutZ(a)],
  },
  prismatic: {
    open: (random) => ({ along: [0, 0, random()], turned: NOT_TURNED }),
    free: (a) => [slide(axisOf(a, 2))],
  },
  cylindrical: {
    open: (random) => ({ along: [0, 0, random()], turned: aboutZ(random) }),
    free: (a) => [turningAboutZ(a), slide(axisOf(a, 2))],
  },
  universal: {
    open: (random) => ({
      along: [0, 0, 0],
      turned: product(aboutZ(random), product(ARMS, aboutZ(random))),
    }),
    free: (a, b) => [turningAboutZ(a), turningAboutZ(b)],
  },
  spherical: {
    open: (random) => ({ along: [0, 0, 0], turned: rotation(randomTurn(random)) }),
    free: (a) => turningAbout(a.point),
  },
  planar: {
    open: (random) => ({ along: [random(), random(), 0], turned: aboutZ(random) }),
    free: (a) => [turningAboutZ(a), slide(axisOf(a, 0)), slide(axisOf(a, 1))],
  },
  screw: {
    open: (random) => ({ along: [0, 0, random()], turned: aboutZ(random) }),
    free: (a, _, pitch) => [plus(turningAboutZ(a), slide(axisOf(a, 2)), pitch / (2 * Math.PI))],
  },
  free: {
    open: (random) => ({
      along: scale(between(random, 0.5, 2), randomDirection(random)),
      turned: rotation(randomTurn(random)),
    }),
    free: (a) => [...turningAbout(a.point), ...NOT_TURNED.map(slide)],
  },
  fixed: { open: still, free: () => [] },
} as const satisfies Record<string, JointKind>;

export type TreeJoint = keyof typeof jointKinds;

export const treeJoints = Object.keys(jointKinds) as TreeJoint[];

/** Directions orthogonal to all free motions relative to A: the rows of a joint, as products. */
export function rowsOf(type: TreeJoint, a: Frame, b: Frame, pitch: number) {
  const [x, y, z] = [axisOf(a, 0), axisOf(a, 1), axisOf(a, 2)];
  const along = (axis: Vector) => (t: Twist) => dot(axis, velocityAt(t, b.point));
  const about = (axis: Vector) => (t: Twist) => dot(axis, t.angular);
  const thread = (t: Twist) => along(z)(t) - (pitch / (2 * Math.PI)) * about(z)(t);
  const rows: Record<TreeJoint, readonly ((t: Twist) => number)[]> = {
    revolute: [along(x), along(y), along(z), about(x), about(y)],
    prismatic: [along(x), along(y), about(x), about(y), about(z)],
    cylindrical: [along(x), along(y), about(x), about(y)],
    universal: [along(x), along(y), along(z), about(cross(z, axisOf(b, 2)))],
    spherical: [along(x), along(y), along(z)],
    planar: [along(z), about(x), about(y)],
    screw: [along(x), along(y), about(x), about(y), thread],
    free: [],
    fixed: [along(x), along(y), along(z), about(x), about(y), about(z)],
  };
  return rows[type];
}
