// A mechanism for the reference: bodies at their centres of mass, joints as points and directions fixed in bodies.
// Plain data, built from the initial poses: joint markers that coincide there coincide always.

import {
  add,
  type Matrix,
  type Quaternion,
  rotation,
  subtract,
  times,
  transposed,
  type Vector,
} from "./vectors.js";

export const GROUND = -1;

export interface ReferenceBody {
  readonly name: string;
  readonly mass: number;
  /** Inertia about the centre of mass, in the body's axes. */
  readonly inertia: Matrix;
  /** Of the centre of mass. */
  readonly position: Vector;
  readonly orientation: Quaternion;
  readonly velocity: Vector;
  /** In the world. */
  readonly angularVelocity: Vector;
}

export type JointType =
  | "revolute"
  | "prismatic"
  | "cylindrical"
  | "spherical"
  | "universal"
  | "distance"
  | "fixed";

/** All points and directions in the world at the start. */
export interface ReferenceJoint {
  readonly name: string;
  readonly type: JointType;
  /** Indices of the bodies, or {@link GROUND}. */
  readonly a: number;
  readonly b: number;
  /** Common point of both bodies; for a distance, the point on A. */
  readonly at: Vector;
  /** Point on B of a distance. */
  readonly atB?: Vector;
  /** z of the joint; of a universal joint the arm in A. */
  readonly axis?: Vector;
  /** The arm in B, perpendicular to the axis. */
  readonly axisB?: Vector;
}

export interface Mechanism {
  readonly name: string;
  readonly gravity: Vector;
  readonly bodies: readonly ReferenceBody[];
  readonly joints: readonly ReferenceJoint[];
}

/** A typical length: half the largest distance along an axis of the world between points of joints, or 1. */
export function sizeOf({ joints, bodies }: Mechanism): number {
  const points = [
    ...joints.flatMap(({ at, atB }) => (atB ? [at, atB] : [at])),
    ...bodies.map(({ position }) => position),
  ];
  const ranges = [0, 1, 2].map((i) => {
    const values = points.map((point) => point[i]);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.max(...ranges) / 2 || 1;
}

/** A point of the world at the start, from the centre of mass of a body in its axes. */
export function pointIn({ bodies }: Mechanism, body: number, point: Vector): Vector {
  if (body === GROUND) return point;
  const { position } = bodies[body];
  return directionIn(bodies, body, subtract(point, position));
}

/** A direction of the world at the start, in the axes of a body. */
export function directionIn(
  bodies: readonly Pick<ReferenceBody, "orientation">[],
  body: number,
  direction: Vector,
): Vector {
  if (body === GROUND) return direction;
  return times(transposed(rotation(bodies[body].orientation)), direction);
}

/** The mechanism, moved. */
export function moved(mechanism: Mechanism, by: Vector): Mechanism {
  return {
    ...mechanism,
    bodies: mechanism.bodies.map((body) => ({ ...body, position: add(body.position, by) })),
    joints: mechanism.joints.map((joint) => ({
      ...joint,
      at: add(joint.at, by),
      ...(joint.atB && { atB: add(joint.atB, by) }),
    })),
  };
}
