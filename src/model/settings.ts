// Changes values of a model after its description. A model records the calls that made it. With some options changed
// they are repeated, so that every value is validated by its recipe and dependent values are recomputed. A new joint
// or force needs no code for this.
//
// Rejected: setters for each kind. They duplicate the knowledge of recipes, and would eventually diverge from it.

import {
  argument,
  finite,
  hint,
  inside,
  isList,
  locationOf,
  type OptionLocation,
  optionError,
  reading,
  readRecord,
  recordOf,
  show,
} from "../base/checking/index.js";
import { label, ownOptions, type VectorLike, vector } from "../base/checking/values.js";
import { NodriftError } from "../base/errors.js";
import type { ModelCall } from "./calls.js";
import { withControllerParameters } from "./controller-parameters.js";
import type { forces } from "./forces/index.js";
import {
  type Body,
  type Force,
  type Handle,
  isHandle,
  type Joint,
  type Marker,
  MODEL_IDENTITY,
  referenceName,
} from "./handles.js";
import { type HeldCoordinates, withHeld } from "./held-coordinates.js";
import type { Inertia } from "./inertia.js";
import type { joints } from "./joints/index.js";
import { type Model, model, type OptionsOf } from "./mechanism.js";
import type { ModelData, Vector } from "./model-data.js";
import type { Callable } from "./parameter-types.js";
import { type ParameterValue, withValues } from "./parameters.js";
import type { Shape } from "./shapes.js";

/** A value that can be set: a number, or lists and objects of numbers. */
export type SettableValue =
  | number
  | string
  | Float64Array
  | readonly SettableValue[]
  | { readonly [key: string]: SettableValue };

/** The numeric part of an option. */
type NumericPart<Value> = Value extends number
  ? number
  : Value extends
        | string
        | boolean
        | undefined
        | Callable
        | Handle
        | Shape
        | readonly (Handle | string)[]
        | { readonly value: Callable }
    ? never
    : Value;

/** The numeric options of a joint or force. */
export type SettableOptions<Options> = {
  readonly [Name in keyof Options as [NumericPart<Options[Name]>] extends [never]
    ? never
    : Name]?: NumericPart<Options[Name]>;
};

/** Values of a body that can be set. Its pose and velocity are state: use `setState`. */
export interface BodySettings {
  /** Mass in kg. A body described by a shape keeps the shape, and its inertia changes with the mass. */
  readonly mass?: number;
  /** Density, for a body described by its density. */
  readonly density?: number;
  /** Inertia; replaces a shape. */
  readonly inertia?: Inertia;
  /** Centre of mass in the body's frame. */
  readonly centre?: VectorLike;
}

/** Values of a marker that can be set, in the frame it was given in. */
export interface MarkerSettings {
  /** Point of the marker. */
  readonly at?: VectorLike;
  /** z axis of the marker. */
  readonly axis?: VectorLike;
  /** Guide for the x axis. */
  readonly x?: VectorLike;
}

/** Values of parameters by name, and gravity. */
export type ParameterSettings = {
  readonly [parameter: string]: number | VectorLike | undefined;
  /** Acceleration of gravity in the world, m/s^2. */
  readonly gravity?: VectorLike;
};

/** Signatures of `set`, which returns `T`. */
export interface SetNumbers<T> {
  (parameters: ParameterSettings): T;
  (body: Body, values: BodySettings): T;
  (marker: Marker, values: MarkerSettings): T;
  <Type extends keyof typeof joints>(
    joint: Joint<Type>,
    values: SettableOptions<OptionsOf<(typeof joints)[Type]>>,
  ): T;
  <Type extends keyof typeof forces>(
    force: Force<Type>,
    values: SettableOptions<OptionsOf<(typeof forces)[Type]>>,
  ): T;
  (name: string | Handle, values: Readonly<Record<string, SettableValue>>): T;
}

/** All settings, as plain data. */
export interface ModelSettings {
  readonly parameters: Readonly<Record<string, number>>;
  readonly gravity?: Vector;
  /** Options by the index of the call that made the part. */
  readonly entries: Readonly<Record<number, Readonly<Record<string, SettableValue>>>>;
  /** Coordinates of joints that are locked or rest at a stop. */
  readonly held?: HeldCoordinates;
}

export const NOTHING_SET: ModelSettings = Object.freeze({ parameters: {}, entries: {} });

/** Options of bodies that cannot be set, with the reason: initial poses, names and shapes. */
const UNSETTABLE: Readonly<Record<string, string>> = {
  name: "is a name",
  position: "is where the body starts: use setState",
  orientation: "is where the body starts: use setState",
  velocity: "is how the body starts: use setState",
  angularVelocity: "is how the body starts: use setState",
  shape: "is not a number: set mass, density or inertia, or give the shape a parameter",
};

/** Name and value of a parameter. */
export interface NamedNumber {
  /** Name, as used by `set`. */
  readonly name: string;
  /** Current value. */
  readonly value: number;
}

/** A description whose values can be changed. */
export interface Description {
  /** Returns its parameters with the values of the settings, or else their initial values. */
  parameters(settings: ModelSettings): readonly NamedNumber[];
  /** Returns the model data with the settings applied. */
  data(settings: ModelSettings): ModelData;
  /** Returns the settings after one more call of `set`, with all checks that do not need the model. */
  change(before: ModelSettings, where: string, given: readonly unknown[]): ModelSettings;
}

/** Returns the description of a model in its current state. */
export function descriptionOf(source: Model): Description {
  const calls = source.calls();
  const parameters = source.parameters();
  const names = parameters.map(({ name }) => name);
  return {
    parameters: (settings) =>
      parameters.map(({ name, value }) => ({ name, value: settings.parameters[name] ?? value })),
    data: (settings) => {
      const own = settings.parameters;
      const made = (more: Readonly<Record<string, number>>) =>
        replay(source, calls, { ...settings, parameters: { ...own, ...more } });
      return withHeld(withControllerParameters(made({}), made), settings.held);
    },
    // The input may have getters that throw, so it is read only here.
    change: (before, where, given) =>
      reading(locationOf(where, "DESCRIPTION", "what is set"), () => {
        const [target, values] = given;
        if (given.length < 2) return withParameters(before, where, target, names);
        if (given.length > 2) {
          throw new NodriftError("DESCRIPTION", `${where} takes what is set, and its values`);
        }
        const index = callOf(source, calls, where, target);
        const options = settableOptions(calls[index]!.made, values);
        const { entries } = before;
        return { ...before, entries: { ...entries, [index]: { ...entries[index], ...options } } };
      }),
  };
}

function withParameters(
  before: ModelSettings,
  where: string,
  given: unknown,
  names: readonly string[],
): ModelSettings {
  const place = locationOf(where, "DESCRIPTION");
  const { gravity = before.gravity, ...values } = readRecord(place, given) as ParameterSettings;
  for (const name of Object.keys(values)) {
    if (names.includes(name)) continue;
    const known = names.length === 0 ? ": the model has none" : hint(name, names);
    throw optionError(place, `there is no parameter ${show(name)}${known}`);
  }
  const read = argument(
    where,
    "DESCRIPTION",
    "parameters",
    values,
    recordOf(finite, "numbers by the names of parameters"),
  );
  return {
    ...before,
    parameters: { ...before.parameters, ...read },
    ...(gravity && { gravity: vector(where, "gravity", gravity) }),
  };
}

/** Returns the index of the call that made the part with this handle or name. */
function callOf(
  source: Model,
  calls: readonly ModelCall[],
  where: string,
  target: unknown,
): number {
  const place = locationOf(where, "DESCRIPTION");
  if (isHandle(target)) {
    const index = calls.findIndex(({ made }) => made === target);
    if (index >= 0) return index;
    const name = label(target.kind, target.name);
    const isGround = target === source.ground;
    throw optionError(
      place,
      isGround ? "the ground has no numbers" : `${name} is not of this model`,
    );
  }
  if (typeof target !== "string") {
    throw optionError(
      place,
      `takes parameters, or a body, marker, joint or force and its values; not ${show(target)}`,
    );
  }
  const found = calls.flatMap(({ made }, index) => (referenceName(made) === target ? [index] : []));
  if (found.length === 1) return found[0]!;
  const names = calls.map(({ made }) => referenceName(made));
  throw optionError(
    place,
    found.length === 0
      ? `there is no body, marker, joint or force ${show(target)}${hint(target, names)}`
      : `"${target}" is the name of ${found.map((index) => `a ${calls[index]!.made.kind}`).join(" and of ")}: ` +
          "give the handle that the model returned",
  );
}

/** Returns a copy of the numeric options. */
function settableOptions(made: Handle, given: unknown): Readonly<Record<string, SettableValue>> {
  const where = label("type" in made ? made.type : made.kind, made.name);
  const place = locationOf(where, "DESCRIPTION");
  const options = ownOptions(where, given as object);
  const read = Object.entries(options).map(([key, value]): [string, SettableValue] => {
    const own = inside(place, key);
    const reason = key === "name" || made.kind === "body" ? UNSETTABLE[key] : undefined;
    if (reason !== undefined) throw optionError(own, reason);
    if (value === undefined) throw optionError(own, "is undefined: give a value");
    if (typeof value === "string") throw optionError(own, "is not a number, and cannot be set");
    return [key, reading(own, () => numbersIn(own, value, 0))];
  });
  return Object.freeze(Object.fromEntries(read));
}

/** Greatest depth of nested values in options. */
const MAX_DEPTH = 4;

function numbersIn(place: OptionLocation, value: unknown, depth: number): SettableValue {
  if (typeof value === "number" || (depth > 0 && typeof value === "string")) return value;
  if (depth < MAX_DEPTH && isList(value)) {
    return Array.from(value, (entry, i) => numbersIn(inside(place, i), entry, depth + 1));
  }
  const isRecord = typeof value === "object" && value !== null && !isHandle(value);
  if (
    !isRecord ||
    depth >= MAX_DEPTH ||
    Object.values(value).some((one) => typeof one === "function")
  ) {
    throw optionError(place, `must be numbers to be set, not ${show(value)}`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, numbersIn(inside(place, key), one, depth + 1)]),
  );
}

/** Repeats the calls of a model with the settings applied. Handles of the source still name its parts. */
function replay(source: Model, calls: readonly ModelCall[], settings: ModelSettings): ModelData {
  const { parameters, gravity = source.gravity, entries } = settings;
  const made = model({ name: source.name, gravity });
  const twins = new Map<Handle, Handle>([[source.ground, made.ground]]);
  const valueFor: ParameterValue = ({ name, value }) =>
    Object.hasOwn(parameters, name) ? parameters[name]! : value;
  // Formulas refer to parameters by name.
  for (const one of source.parameters()) made.parameter(one.name, valueFor(one));
  for (const [index, { made: handle, options }] of calls.entries()) {
    const changed = { ...withoutReplaced(options, entries[index]), ...entries[index] };
    const own = { ...withTwins(withValues(changed, valueFor), twins), name: handle.name } as never;
    twins.set(handle, call(made, handle, twins)(own));
  }
  const { [MODEL_IDENTITY]: identity } = source.data();
  return { ...made.data(), [MODEL_IDENTITY]: identity };
}

/** Returns the method of the new model that makes a part of this kind. */
function call(made: Model, handle: Handle, twins: ReadonlyMap<Handle, Handle>) {
  if (handle.kind === "marker") return (twins.get(handle.body) as Body).marker;
  return made[handle.kind === "body" ? "body" : (handle.type as "fixed")] as (
    options: never,
  ) => Handle;
}

/** Returns the options without those that the settings replace. */
function withoutReplaced(
  options: Readonly<Record<string, unknown>>,
  set: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const replaced = [
    ...(set?.inertia === undefined ? [] : ["shape"]),
    ...(set?.mass === undefined ? [] : ["density"]),
    ...(set?.density === undefined ? [] : ["mass"]),
  ];
  return Object.fromEntries(Object.entries(options).filter(([key]) => !replaced.includes(key)));
}

/** Returns the options with the handles of the new model. */
function withTwins(value: unknown, twins: ReadonlyMap<Handle, Handle>): object {
  const swap = (one: unknown): unknown => {
    if (isHandle(one)) return twins.get(one) ?? one;
    if (Array.isArray(one)) return one.map(swap);
    const isPlain =
      typeof one === "object" && one !== null && Object.getPrototypeOf(one) === Object.prototype;
    if (!isPlain || Object.values(one).some((entry) => typeof entry === "function")) return one;
    return Object.fromEntries(Object.entries(one).map(([key, entry]) => [key, swap(entry)]));
  };
  return Object.fromEntries(
    Object.entries(value as object).map(([key, entry]) => [key, swap(entry)]),
  );
}
