// Creates a rigid body from the user's options.

import { rotationOf, times, ZERO } from "../base/algebra/vectors.js";
import {
  checkKeys,
  descriptionError,
  finite,
  isList,
  label,
  positive,
  show,
  type VectorLike,
  vector,
} from "../base/checking/values.js";
import type { Body } from "./handles.js";
import { type Inertia, inertiaTensor } from "./inertia.js";
import type { Matrix, Quaternion, Vector } from "./model-data.js";
import { type Orientation, orientation } from "./orientation.js";
import { Shape } from "./shapes.js";
import type { Store } from "./store.js";

interface PoseOptions {
  /** Name in messages, readings and files. Default: "body" and a running number. */
  readonly name?: string | undefined;
  /** Centre of mass in the body's frame; its origin if not given. */
  readonly centre?: VectorLike | undefined;
  /** Origin of the body's frame in the world; zero if not given. */
  readonly position?: VectorLike | undefined;
  /** Rotation from the body's axes to the world's. Default: the identity. */
  readonly orientation?: Orientation | undefined;
  /** Velocity of the origin of the body's frame in the world. Default: follows from joints and drives. */
  readonly velocity?: VectorLike | undefined;
  /**
   * Angular velocity in the world, or in the body's axes as `{ body: [x, y, z] }`. Default: follows from the joints.
   */
  readonly angularVelocity?: VectorLike | { readonly body: VectorLike } | undefined;
}

/** Mass and inertia, or a homogeneous shape with its mass or density. */
export type BodyOptions = PoseOptions &
  (
    | { readonly mass: number; readonly inertia: Inertia; shape?: undefined; density?: undefined }
    | { readonly mass: number; readonly shape: Shape; inertia?: undefined; density?: undefined }
    | { readonly density: number; readonly shape: Shape; mass?: undefined; inertia?: undefined }
  );

const KEYS = [
  "name",
  "mass",
  "density",
  "inertia",
  "shape",
  "centre",
  "position",
  "orientation",
  "velocity",
  "angularVelocity",
];

export function addBody(store: Store, options: BodyOptions): Body {
  const name = store.nameFor("body", "body", options.name);
  const where = label("body", name);
  checkKeys(where, options, [], KEYS);
  const mass = massOf(where, options);
  const centre = vector(where, "centre", options.centre ?? ZERO);
  const turned = options.orientation ?? [1, 0, 0, 0];
  const pose = orientation(where, "orientation", turned);
  return store.addBody({
    name,
    mass,
    inertia: inertiaOf(where, options, mass, centre),
    centre,
    position: vector(where, "position", options.position ?? ZERO),
    orientation: pose,
    velocity:
      options.velocity === undefined ? undefined : vector(where, "velocity", options.velocity),
    angularVelocity: angularVelocityOf(where, options.angularVelocity, pose),
    shape: options.shape?.description,
  });
}

function massOf(where: string, options: BodyOptions): number {
  const { mass, density, shape } = options;
  if (density !== undefined) return massOfDensity(where, options);
  if (mass === undefined) {
    throw descriptionError(
      where,
      shape === undefined ? "mass is missing" : "mass or density is missing",
    );
  }
  if (finite(where, "mass", mass) <= 0) {
    throw descriptionError(
      where,
      `mass is ${mass}, but must be positive: merge a massless part into its neighbour, ` +
        "replace a massless link by a distance, or give a small mass",
    );
  }
  return mass;
}

function massOfDensity(where: string, options: BodyOptions): number {
  if (options.mass !== undefined) throw descriptionError(where, "give mass or density, not both");
  const density = positive(where, "density", options.density);
  const shape = shapeOf(where, options.shape);
  if (shape.volume === undefined) {
    throw descriptionError(
      where,
      `a ${shape.name} without thickness has no volume: give mass, not density`,
    );
  }
  return positive(where, "density times volume", density * shape.volume);
}

function shapeOf(where: string, shape: unknown): Shape {
  if (shape instanceof Shape) return shape;
  const given = shape === undefined ? "and is missing" : `not ${show(shape)}`;
  throw descriptionError(where, `shape must be box, rod, cylinder or sphere({ ... }), ${given}`);
}

function inertiaOf(where: string, options: BodyOptions, mass: number, centre: Vector): Matrix {
  const { inertia, shape } = options;
  if (shape !== undefined && inertia !== undefined) {
    throw descriptionError(where, "give inertia or shape, not both");
  }
  if (inertia !== undefined) return inertiaTensor(where, inertia, mass, centre);
  if (shape === undefined) throw descriptionError(where, "inertia or shape is missing");
  const tensor = shapeOf(where, shape).inertia.map((entry) => mass * entry);
  return inertiaTensor(where, tensor, mass, centre);
}

/** Returns the angular velocity in the world. */
function angularVelocityOf(where: string, given: unknown, pose: Quaternion): Vector | undefined {
  if (given === undefined) return undefined;
  if (isList(given)) return vector(where, "angularVelocity", given);
  if (typeof given !== "object" || given === null) {
    throw descriptionError(
      where,
      `angularVelocity must be 3 numbers or { body: ... }, not ${show(given)}`,
    );
  }
  checkKeys(`${where}: angularVelocity`, given, ["body"], []);
  const own = vector(where, "angularVelocity.body", (given as { body: unknown }).body);
  return times(rotationOf(pose), own);
}
