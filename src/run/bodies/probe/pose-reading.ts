// Where bodies and markers are, from the numbers of a state.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import {
  GROUND,
  type Matrix,
  type ModelData,
  type Vector,
} from "../../../describe/model/model-data.js";
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
} from "../../../ground/algebra/vectors.js";
import type { CurrentState } from "./current-state.js";

export { threeAt };

/** A body at a moment. */
export interface PoseAndRates {
  /** Origin of its frame. */
  readonly position: Vector;
  readonly rotation: Matrix;
  /** From the origin to the centre of mass, world. */
  readonly arm: Vector;
  readonly centre: Vector;
  /** Of the centre of mass. */
  readonly velocity: Vector;
  /** In the world, and in the axes of the body. */
  readonly omega: Vector;
  readonly ownOmega: Vector;
}

const STILL: PoseAndRates = {
  position: ZERO,
  rotation: IDENTITY,
  arm: ZERO,
  centre: ZERO,
  velocity: ZERO,
  omega: ZERO,
  ownOmega: ZERO,
};

export function poseOfBody(model: ModelData, { q, v }: CurrentState, body: number): PoseAndRates {
  if (body === GROUND) return STILL;
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

/** A marker in the world. */
export function poseOfMarker(model: ModelData, present: CurrentState, marker: number) {
  const { body, point, axes } = model.markers[marker]!;
  const { position, rotation } = poseOfBody(model, present, body);
  return { point: add(position, times(rotation, point)), axes: multiply(rotation, axes) };
}

/** Velocity of a point of a body. */
export function velocityAt({ centre, velocity, omega }: PoseAndRates, point: Vector): Vector {
  return add(velocity, cross(omega, subtract(point, centre)));
}
