// Poses and velocities of bodies and markers, from the values of a state.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  IDENTITY,
  multiply,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
  ZERO,
} from "../../../base/algebra/vectors.js";
import { GROUND, type Matrix, type ModelData, type Vector } from "../../../model/model-data.js";
import type { CurrentState } from "./current-state.js";

export { threeAt };

/** Pose and motion of a body at an instant. */
export interface PoseAndRates {
  /** Origin of the body's frame. */
  readonly position: Vector;
  readonly rotation: Matrix;
  /** Vector from the origin to the centre of mass, in the world. */
  readonly arm: Vector;
  readonly centre: Vector;
  /** Velocity of the centre of mass. */
  readonly velocity: Vector;
  /** Angular velocity in the world, and in the axes of the body. */
  readonly omega: Vector;
  readonly ownOmega: Vector;
}

const GROUND_POSE: PoseAndRates = {
  position: ZERO,
  rotation: IDENTITY,
  arm: ZERO,
  centre: ZERO,
  velocity: ZERO,
  omega: ZERO,
  ownOmega: ZERO,
};

export function poseOfBody(model: ModelData, { q, v }: CurrentState, body: number): PoseAndRates {
  if (body === GROUND) return GROUND_POSE;
  const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
  const rotation = rotationOf(normalised([...q.subarray(at + 3, at + 7)]));
  const arm = times(rotation, model.bodies[body]!.centre);
  const centre = threeAt(q, at);
  const ownOmega = threeAt(v, rate + 3);
  return {
    position: subtract(centre, arm),
    rotation,
    arm,
    centre,
    velocity: threeAt(v, rate),
    omega: times(rotation, ownOmega),
    ownOmega,
  };
}

/** Returns the pose of a marker in the world. */
export function poseOfMarker(model: ModelData, present: CurrentState, marker: number) {
  const { body, point, axes } = model.markers[marker]!;
  const { position, rotation } = poseOfBody(model, present, body);
  return { point: add(position, times(rotation, point)), axes: multiply(rotation, axes) };
}

/** Returns the velocity of a point of a body. */
export function velocityAt({ centre, velocity, omega }: PoseAndRates, point: Vector): Vector {
  return add(velocity, cross(omega, subtract(point, centre)));
}
