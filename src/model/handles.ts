// Handles of the parts of a model: names and indices, immutable. Every option that takes a part of a model accepts
// its handle or its name.

import { listOf, locationOf, type Rule, rule } from "../base/checking/index.js";
import { descriptionError, label, type VectorLike } from "../base/checking/values.js";
import type { Parametric } from "./parameter-types.js";

/** A rigid body of a model, or its ground. */
export interface Body {
  /** Distinguishes bodies from other handles. */
  readonly kind: "body";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** Its index among the bodies of the model; -1 for the ground. */
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
  /** Name in messages and files. */
  readonly name?: string | undefined;
  /** Point of the marker; the origin of the body's frame if not given. */
  readonly at?: VectorLike | undefined;
  /** z axis of the marker, the axis of joints made with it; z of `frame` if not given. */
  readonly axis?: VectorLike | undefined;
  /** Guide for the x axis, from which angles are measured: x is its component perpendicular to `axis`. */
  readonly x?: VectorLike | undefined;
  /** Frame of these vectors: the body's, or the world at the poses given to the bodies. Default: "body". */
  readonly frame?: "body" | "world" | undefined;
}

/** A point and a frame fixed to a body. */
export interface Marker {
  /** Distinguishes markers from other handles. */
  readonly kind: "marker";
  /** Its name in messages and files. */
  readonly name: string;
  /** Its index among the markers of the model. */
  readonly index: number;
  /** The body it is fixed to. */
  readonly body: Body;
}

/** A joint, a drive or the user's own constraint. */
export interface Joint<Type extends string = string> {
  /** Distinguishes joints from other handles. */
  readonly kind: "joint";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** The method that made it: "revolute". */
  readonly type: Type;
  /** Its index among the joints of the model. */
  readonly index: number;
}

/** A force element, which acts on bodies. */
export interface Force<Type extends string = string> {
  /** Distinguishes forces from other handles. */
  readonly kind: "force";
  /** Its name in messages and files. */
  readonly name: string;
  /** The method that made it: "spring". */
  readonly type: Type;
  /** Its index among the forces of the model, or among the user forces for "userForce". */
  readonly index: number;
}

/** Unknowns in addition to the motion. */
export interface States {
  /** Distinguishes states from other handles. */
  readonly kind: "states";
  /** Their name in messages, readings and files. */
  readonly name: string;
  /** The method that made them. */
  readonly type: "states";
  /** Their index among the states of the model. */
  readonly index: number;
}

/** A controller that takes samples. */
export interface Controller {
  /** Distinguishes controllers from other handles. */
  readonly kind: "controller";
  /** Its name in messages, readings and files. */
  readonly name: string;
  /** The method that made it. */
  readonly type: "controller";
  /** Its index among the controllers of the model. */
  readonly index: number;
}

/** Anything a model returns: a body, a marker, a joint, a force, states or a controller. */
export type Handle = Body | Marker | Joint | Force | States | Controller;

/** Identity of the model that handles and data belong to: an empty object, so data of equal models are equal. */
export type Identity = object;

/**
 * Key of the {@link Identity} in model data. Spread copies keep it; JSON and structured clones drop it. The symbol is
 * registered, since bundles of the package have their own copies of this file.
 */
export const MODEL_IDENTITY: unique symbol = Symbol.for("nodrift: model");

/** Key of the {@link Identity} in handles. */
const PART_OF: unique symbol = Symbol.for("nodrift: part of");

/** Freezes a handle and records its model. */
export function identified<Kind extends object>(handle: Kind, identity: Identity): Kind {
  return Object.freeze(Object.defineProperty(handle, PART_OF, { value: identity }));
}

/**
 * Returns the identity of the model that made a handle; undefined if none did. User input may be a proxy that throws.
 */
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

/** Whether a model made the value. */
export function isPart(given: unknown): given is Handle {
  return modelOf(given) !== undefined;
}

/**
 * Returns the name that identifies the part in formulas, files and messages. Markers are named with their bodies:
 * "crank:tip".
 */
export function referenceName(handle: Handle): string {
  return handle.kind === "marker" ? `${handle.body.name}:${handle.name}` : handle.name;
}

/**
 * Returns the name of a part that is given by its handle or its name. Rejects handles of other kinds and of other
 * models, whose parts may have the same names. Other values are left to the caller, which has the list of names.
 */
export function partName(
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

/**
 * Returns the rule of an option that takes a part of a model by its handle or name. {@link partName} checks the
 * kind.
 */
export function partRule<Part extends Handle>(what: string): Rule<string | Part> {
  return rule(`${what}, or its name`, (value) => typeof value === "string" || isPart(value));
}

/** Returns the names of the parts in a list. */
export function partNames(
  where: string,
  model: { readonly [MODEL_IDENTITY]?: Identity | undefined },
  given: readonly unknown[],
  ...kinds: readonly Handle["kind"][]
): string[] {
  const parts = listOf(partRule(`a ${kinds.join(" or ")}`)).read(
    given,
    locationOf(where, "DESCRIPTION", "names"),
  );
  return parts.map((part) => partName(where, model, part, ...kinds));
}

/** Whether a value is a handle: frozen, with a kind and a name. */
export function isHandle(value: unknown): value is Handle {
  const { kind, name } = (value ?? {}) as { kind?: unknown; name?: unknown };
  return typeof kind === "string" && typeof name === "string" && Object.isFrozen(value);
}
