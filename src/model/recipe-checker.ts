// Common base of recipes of joints and forces: a name, and checks whose messages begin with it.

import { locationOf, needed, type Rule, readOptions, rule, word } from "../base/checking/index.js";
import {
  checkKeys,
  descriptionError,
  direction,
  finite,
  label,
  notNegative,
  show,
  vector as vectorOption,
} from "../base/checking/values.js";
import type { Body, Joint, Marker } from "./handles.js";
import type { JointData, Vector } from "./model-data.js";
import { GROUND } from "./model-data.js";
import type { Store } from "./store.js";

/** One side of a joint: a body, or a marker of one. */
export type BodyOrMarker = Body | Marker;

/** The two sides, by handle or by name. A marker is named with its body, "crank:tip". */
export type EndPair = readonly [BodyOrMarker | string, BodyOrMarker | string];

/** Joints to use for each coordinate. */
const ADVICE: Readonly<Record<string, string>> = {
  angle: "use one that turns about an axis, like revolute",
  displacement: "use one that slides along an axis, like prismatic",
};

/** Names a joint or force, and checks its options. */
export class Checker {
  readonly name: string;
  /** Beginning of every message. */
  readonly where: string;

  constructor(
    readonly store: Store,
    space: "joint" | "force",
    readonly type: string,
    options: object,
  ) {
    this.name = store.nameFor(space, type, (options as { name?: unknown }).name);
    this.where = label(type, this.name);
  }

  /** Returns options that satisfy their rules. */
  read(options: object, rules: Readonly<Record<string, RecipeOption>>): object {
    return readOptions(locationOf(this.where, "DESCRIPTION"), options, { name: word, ...rules });
  }

  /** Throws for unknown and for missing keys of an option that is an object. */
  checkInner(
    option: string,
    value: unknown,
    needed: readonly string[],
    known: readonly string[],
  ): void {
    checkKeys(`${this.where}: ${option}`, value, needed, known);
  }

  error(what: string): Error {
    return descriptionError(this.where, what);
  }

  finite(option: string, value: unknown): number {
    return finite(this.where, option, value);
  }

  notNegative(option: string, value: unknown): number {
    return notNegative(this.where, option, value);
  }

  vector(option: string, value: unknown): Vector {
    return vectorOption(this.where, option, value);
  }

  direction(option: string, value: unknown): Vector {
    return direction(this.where, option, value);
  }

  body(option: string, value: unknown): Body {
    return this.store.handle(this.where, option, value, "body");
  }

  end(option: string, value: unknown): BodyOrMarker {
    return this.store.handle(this.where, option, value, "body", "marker");
  }

  /** Returns the two ends, which must be on different bodies. */
  ends(between: unknown): readonly [BodyOrMarker, BodyOrMarker] {
    if (!Array.isArray(between) || between.length !== 2) {
      throw this.error(`between must be two bodies or markers, not ${show(between)}`);
    }
    const a = this.end("between[0]", between[0]);
    const b = this.end("between[1]", between[1]);
    const [first, second] = [bodyOf(a), bodyOf(b)];
    if (first === second) {
      throw this.error(
        first.index === GROUND
          ? "both sides are the ground: one must be a body"
          : `both sides are ${label("body", first.name)}: give two different bodies`,
      );
    }
    return [a, b];
  }

  neededPoint(at: unknown): Vector {
    if (at !== undefined) return this.vector("at", at);
    throw this.error("at is missing: a point of the world, or use two markers in between");
  }

  neededAxis(option: string, axis: unknown): Vector {
    if (axis !== undefined) return this.direction(option, axis);
    throw this.error(
      `${option} is missing: a direction of the world, or use two markers in between`,
    );
  }

  /** Throws if an option is given that a marker already determines. */
  absent(options: object, keys: readonly string[], reason: string): void {
    const given = keys.find((key) => (options as Record<string, unknown>)[key] !== undefined);
    if (given === undefined) return;
    throw this.error(`${given} cannot be combined with a marker: ${reason}`);
  }

  /** Returns the indices of one or more different bodies, not the ground. */
  bodies(value: unknown): readonly number[] {
    if (!Array.isArray(value) || value.length === 0) {
      throw this.error(`bodies must be a list of bodies, not ${show(value)}`);
    }
    const list = value.map((entry, i) => this.body(`bodies[${i}]`, entry));
    const ground = list.findIndex((body) => body.index === GROUND);
    if (ground >= 0) throw this.error(`bodies[${ground}] is the ground, which does not move`);
    const duplicate = list.find((body, i) => list.indexOf(body) !== i);
    if (duplicate) throw this.error(`${label("body", duplicate.name)} is in bodies twice`);
    return Object.freeze(list.map((body) => body.index));
  }

  /** Returns the data of a joint that an option refers to. */
  joint(option: string, value: unknown): JointData {
    const handle: Joint = this.store.handle(this.where, option, value, "joint");
    return this.store.joints[handle.index]!;
  }

  /** Returns the index of a sensor of a joint. */
  sensorOf(option: string, value: unknown, sensor: string): number {
    const joint = this.joint(option, value);
    const found = joint.sensors[sensor];
    if (found !== undefined) return found;
    const offers = Object.keys(joint.sensors).join(" and ");
    const advice = offers === "" ? ADVICE[sensor] : `it has ${offers}`;
    throw this.error(
      `${option} is ${label(joint.type, joint.name)}, which has no ${sensor}: ${advice}`,
    );
  }
}

export function bodyOf(end: BodyOrMarker): Body {
  return end.kind === "body" ? end : end.body;
}

// Options of joints and forces. The interface of a recipe has units, defaults and the comments that editors show. Its
// `options` have a rule for each member of the interface, or it does not compile: the check of a call, the schema of
// model files and the conversion between both follow from these rules.

/** An option: the rule of its value in a call, and its kind if files write something else. */
export interface RecipeOption<T = unknown> extends Rule<T> {
  readonly kind?: OptionKind;
}

/**
 * Kinds of options whose values are checked by the recipe, because they depend on the model. Files have names instead
 * of handles, and formulas or tables instead of functions. Options of the kind "program" are not written to files.
 */
export type OptionKind =
  | "vector"
  | "end"
  | "ends"
  | "joint"
  | "joints"
  | "bodies"
  | "plane"
  | "names"
  | "compliance"
  | "components"
  | "program"
  | LawKind;

/** Kinds of functions, by their arguments. */
export type LawKind =
  | "time"
  | "live"
  | "length"
  | "angle"
  | "along"
  | "about"
  | "load"
  | "road"
  | "loads"
  | "rows";

/** A rule for each option but `name`, which every joint and force has. */
export type OptionRules<Options> = {
  readonly [Name in Exclude<keyof Options, "name">]: undefined extends Options[Name]
    ? RecipeOption<Exclude<Options[Name], undefined>>
    : RecipeOption<Options[Name]> & { readonly needed: true };
};

/** An option that the recipe checks. */
/* @__NO_SIDE_EFFECTS__ */
export function recipeOption(kind: OptionKind, wants: string): RecipeOption<never> {
  return { ...rule<never>(wants, () => true), kind };
}

export const vector = recipeOption("vector", "3 numbers");
export const end = recipeOption("end", "a body or a marker");
export const ends = recipeOption("ends", "two bodies or markers");
export const joint = recipeOption("joint", "a joint");
export const compliance = recipeOption("compliance", "a number, or numbers by the names of rows");
/** A drive or another function of time. */
export const timeLaw = recipeOption("time", "a number, a formula or a function of time");

/** Rules of the options of user forces, which are not in the registry. */
export const userForceOptions = {
  bodies: needed(recipeOption("bodies", "a list of bodies")),
  apply: recipeOption("program", "a function of motions"),
  loads: recipeOption("loads", "a load { force, torque } for each body"),
};
