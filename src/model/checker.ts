// What recipes of joints and forces have in common: a name, and checks whose messages begin with it.

import {
  checkKeys,
  checkObject,
  direction,
  finite,
  label,
  notNegative,
  positive,
  refusal,
  show,
  vector,
} from "./checks.js";
import type { Vector } from "./description.js";
import { GROUND } from "./description.js";
import type { Body, Marker } from "./handles.js";
import type { Store } from "./store.js";

/** One side of a joint: a body, or a marker of one. */
export type End = Body | Marker;

export class Checker {
  readonly name: string;
  /** Begins every message. */
  readonly where: string;

  constructor(
    readonly store: Store,
    space: "joint" | "force",
    readonly type: string,
    options: unknown,
  ) {
    checkObject(type, options);
    this.name = store.nameFor(space, type, (options as { name?: unknown }).name);
    this.where = label(type, this.name);
  }

  /** Refuses options nobody knows, and those that are missing. `name` is always known. */
  check<Options extends object>(
    options: Options,
    needed: readonly (keyof Options & string)[],
    known: readonly (keyof Options & string)[],
  ): void {
    checkKeys(this.where, options, needed, [...known, "name"]);
  }

  refuse(what: string): Error {
    return refusal(this.where, what);
  }

  finite(option: string, value: unknown): number {
    return finite(this.where, option, value);
  }

  positive(option: string, value: unknown): number {
    return positive(this.where, option, value);
  }

  notNegative(option: string, value: unknown, advice?: string): number {
    return notNegative(this.where, option, value, advice);
  }

  vector(option: string, value: unknown): Vector {
    return vector(this.where, option, value);
  }

  direction(option: string, value: unknown): Vector {
    return direction(this.where, option, value);
  }

  body(option: string, value: unknown): Body {
    return this.store.handle(this.where, option, value, "body");
  }

  end(option: string, value: unknown): End {
    return this.store.handle(this.where, option, value, "body", "marker");
  }

  /** Bodies, one or more, none twice and not the ground: their numbers. */
  bodies(value: unknown): readonly number[] {
    if (!Array.isArray(value) || value.length === 0) {
      throw this.refuse(`bodies must be a list of bodies, not ${show(value)}`);
    }
    const list = value.map((entry, i) => this.body(`bodies[${i}]`, entry));
    const ground = list.findIndex((body) => body.index === GROUND);
    if (ground >= 0) throw this.refuse(`bodies[${ground}] is the ground, which does not move`);
    const twice = list.find((body, i) => list.indexOf(body) !== i);
    if (twice) throw this.refuse(`${label("body", twice.name)} is in bodies twice`);
    return Object.freeze(list.map((body) => body.index));
  }
}
