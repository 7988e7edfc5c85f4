// What users hold of a model: names and numbers, nothing that could be changed.

import type { VectorLike } from "./option-checks.js";
import type { Parametric } from "./parameter-types.js";

/** A rigid body of a model, or its ground. */
export interface Body {
  /** Tells bodies from other handles. */
  readonly kind: "body";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** Its place among the bodies of the model; -1 for the ground. */
  readonly index: number;
  /**
   * A point and a frame fixed to the body.
   *
   * @example
   * const tip = crank.marker({ name: "tip", at: [0.5, 0, 0], axis: [0, 1, 0] });
   */
  marker(options?: Parametric<MarkerOptions>): Marker;
}

/** Options of {@link Body.marker}. */
export interface MarkerOptions {
  /** For messages and files. */
  readonly name?: string | undefined;
  /** Its point; the origin of the body's frame if not given. */
  readonly at?: VectorLike | undefined;
  /** Its z: the axis of joints made with it. z of `frame` if not given. */
  readonly axis?: VectorLike | undefined;
  /** Its x, from which angles are counted: the part of this perpendicular to the axis. */
  readonly x?: VectorLike | undefined;
  /** What the numbers are given in: the body's frame, or the world at the poses given to the bodies. */
  readonly frame?: "body" | "world" | undefined;
}

/** A point and a frame fixed to a body. */
export interface Marker {
  /** Tells markers from other handles. */
  readonly kind: "marker";
  /** Its name in messages and files. */
  readonly name: string;
  /** Its place among the markers of the model. */
  readonly index: number;
  /** The body it is fixed to. */
  readonly body: Body;
}

/** A joint, a drive or the user's own constraint. */
export interface Joint<Type extends string = string> {
  /** Tells joints from other handles. */
  readonly kind: "joint";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** The method that made it: "revolute". */
  readonly type: Type;
  /** Its place among the joints of the model. */
  readonly index: number;
}

/** Something that acts on bodies. */
export interface Force<Type extends string = string> {
  /** Tells forces from other handles. */
  readonly kind: "force";
  /** Its name in messages and files. */
  readonly name: string;
  /** The method that made it: "spring". */
  readonly type: Type;
  /** Its place among the forces of the model, or among those of the user for "userForce". */
  readonly index: number;
}

/** Unknowns besides the motion. */
export interface States {
  /** Tells states from other handles. */
  readonly kind: "states";
  /** Their name in messages, readings and files. */
  readonly name: string;
  /** The method that made them. */
  readonly type: "states";
  /** Their place among the states of the model. */
  readonly index: number;
}

/** A controller that takes samples. */
export interface Controller {
  /** Tells controllers from other handles. */
  readonly kind: "controller";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** The method that made it. */
  readonly type: "controller";
  /** Its place among the controllers of the model. */
  readonly index: number;
}

/** Anything a model returns: a body, a marker, a joint, a force, states or a controller. */
export type Handle = Body | Marker | Joint | Force | States | Controller;

/** Handles are frozen, and have a kind and a name. */
export function isHandle(value: unknown): value is Handle {
  const { kind, name } = (value ?? {}) as { kind?: unknown; name?: unknown };
  return typeof kind === "string" && typeof name === "string" && Object.isFrozen(value);
}
