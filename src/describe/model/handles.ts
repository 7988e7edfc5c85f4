// What users hold of a model: names and numbers, nothing that could be changed. Wherever a part of a model is asked for, its handle and
// its name mean the same.

import { listOf, locationOf, type Rule, rule } from "../../ground/checking/index.js";
import { descriptionError, label, type VectorLike } from "./option-checks.js";
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

/** The model that handles and data are of: an empty object, equal in data of equal models. */
export type Identity = object;

/**
 * Where data of a model has its {@link Identity}. Copies by spread keep it; JSON and structured clones drop it. Registered, as bundles
 * of the package have copies of this file.
 */
export const MODEL_IDENTITY: unique symbol = Symbol.for("nodrift: model");

/** Where handles have it. */
const PART_OF: unique symbol = Symbol.for("nodrift: part of");

/** Freezes a handle and notes the model it is of. */
export function identified<Kind extends object>(handle: Kind, identity: Identity): Kind {
  return Object.freeze(Object.defineProperty(handle, PART_OF, { value: identity }));
}

/** The model that made it; undefined if none did. What users give may be a proxy that throws. */
function modelOf(given: unknown): Identity | undefined {
  try {
    return (given as { readonly [PART_OF]?: Identity } | null | undefined)?.[PART_OF];
  } catch {
    return undefined;
  }
}

export function isOf(handle: unknown, identity: Identity): boolean {
  return modelOf(handle) === identity;
}

/** Whether a model made it. */
export function isPart(given: unknown): given is Handle {
  return modelOf(given) !== undefined;
}

/** The name by which formulas, files and messages find what a handle is of. Markers are named with their bodies: "crank:tip". */
export function referenceName(handle: Handle): string {
  return handle.kind === "marker" ? `${handle.body.name}:${handle.name}` : handle.name;
}

/**
 * The name of a part that is given by its handle or by its name. Refuses handles of other kinds and of other models, whose parts may have the
 * same names. Everything else is left to whoever looks for the name, and knows which there are.
 */
export function nameGiven(
  where: string,
  model: { readonly [MODEL_IDENTITY]?: Identity | undefined },
  given: unknown,
  ...kinds: readonly Handle["kind"][]
): string {
  if (!isPart(given)) return given as string;
  const named = label(given.kind, referenceName(given));
  const wanted = kinds.map((kind) => (kind === "states" ? kind : `a ${kind}`)).join(" or ");
  if (!kinds.includes(given.kind)) {
    throw descriptionError(where, `${named} is not ${wanted}`);
  }
  const { [MODEL_IDENTITY]: identity } = model;
  if (identity === undefined || isOf(given, identity)) return referenceName(given);
  throw descriptionError(where, `${named} is of another model: use ${wanted} of this one`);
}

/** The option that is a part of a model, by its handle or its name. {@link nameGiven} says which. */
export function partRule<Part extends Handle>(what: string): Rule<string | Part> {
  return rule(`${what}, or its name`, (value) => typeof value === "string" || isPart(value));
}

/** The names of parts in a list. */
export function namesGiven(
  where: string,
  model: { readonly [MODEL_IDENTITY]?: Identity | undefined },
  given: readonly unknown[],
  ...kinds: readonly Handle["kind"][]
): string[] {
  const parts = listOf(partRule(`a ${kinds.join(" or ")}`)).read(
    given,
    locationOf(where, "DESCRIPTION", "names"),
  );
  return parts.map((part) => nameGiven(where, model, part, ...kinds));
}

/** Handles are frozen, and have a kind and a name. */
export function isHandle(value: unknown): value is Handle {
  const { kind, name } = (value ?? {}) as { kind?: unknown; name?: unknown };
  return typeof kind === "string" && typeof name === "string" && Object.isFrozen(value);
}
