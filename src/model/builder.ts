// What recipes of joints and forces have in common: a name, checks that begin with it, and markers.

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
  type VectorLike,
  vector,
} from "./checks.js";
import type { Vector } from "./description.js";
import { GROUND } from "./description.js";
import type { Body, Marker } from "./handles.js";
import {
  axesFrom,
  bodyFrame,
  centreOfMass,
  type Frame,
  markerFrame,
  placeMarker,
} from "./placement.js";
import type { Store } from "./store.js";
import { IDENTITY, norm, subtract } from "./vectors.js";

/** One side of a joint: a body, or a marker of one. */
export type End = Body | Marker;

/** Two bodies and the frame they share at the poses given; or two markers, each with its own frame. */
export interface BetweenOptions {
  readonly name?: string | undefined;
  /** A and B. With markers these are used as they are, and `at` and `axis` are not given. */
  readonly between: readonly [End, End];
  /** In the world, at the poses given to the bodies. */
  readonly at?: VectorLike | undefined;
  readonly axis?: VectorLike | undefined;
}

/** Two bodies and a point on each; or two markers. */
export interface PointsOptions {
  readonly name?: string | undefined;
  readonly between: readonly [End, End];
  /** The point on the first body, in the world at the poses given; the body's origin if not given. */
  readonly atA?: VectorLike | undefined;
  readonly atB?: VectorLike | undefined;
}

/** What a recipe does without where and how. */
export interface BetweenNeeds {
  /** "optional": the origin of the second body (of the first, if the second is the ground). */
  readonly at?: "needed" | "optional";
  readonly axis?: "needed" | "optional" | "unused";
}

export class Builder {
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

  /** A marker of this recipe, at a frame of the world. */
  place(body: Body, frame: Frame): number {
    return placeMarker(this.store, `${this.name} on ${body.name}`, body.index, frame);
  }

  frameOf(end: End): Frame {
    return end.kind === "body"
      ? bodyFrame(this.store, end.index)
      : markerFrame(this.store, end.index);
  }

  /** Between the points of two markers, at the poses given. */
  distanceBetween(a: number, b: number): number {
    const { store } = this;
    return norm(subtract(markerFrame(store, b).point, markerFrame(store, a).point));
  }

  centreOfMass(body: Body): Vector {
    return centreOfMass(this.store, body.index);
  }

  /** The two ends: different bodies, not both the ground. */
  ends(between: unknown): readonly [End, End] {
    if (!Array.isArray(between) || between.length !== 2) {
      throw this.refuse(`between must be two bodies or markers, not ${show(between)}`);
    }
    const a = this.end("between[0]", between[0]);
    const b = this.end("between[1]", between[1]);
    const [first, second] = [bodyOf(a), bodyOf(b)];
    if (first === second) {
      throw this.refuse(
        first.index === GROUND
          ? "both sides are the ground: one must be a body"
          : `both sides are ${label("body", first.name)}: give two different bodies`,
      );
    }
    return [a, b];
  }

  /** Markers on A and B: the user's own, or new ones with the same frame in the world. */
  between(options: BetweenOptions, needs: BetweenNeeds = {}): readonly [number, number] {
    const [a, b] = this.ends(options.between);
    const marker = [a, b].find((end) => end.kind === "marker");
    if (marker !== undefined) {
      this.absent(options, ["at", "axis"], "the marker says where");
      return [this.markerAt(a, this.frameOf(marker)), this.markerAt(b, this.frameOf(marker))];
    }
    const frame = this.sharedFrame(options, b.index === GROUND ? a : b, needs);
    return [this.markerAt(a, frame), this.markerAt(b, frame)];
  }

  private sharedFrame(options: BetweenOptions, usual: End, needs: BetweenNeeds): Frame {
    const { at = "needed", axis = "needed" } = needs;
    if (options.at === undefined && at === "needed") {
      throw this.refuse("at is missing: a point of the world, or use two markers in between");
    }
    if (options.axis === undefined && axis === "needed") {
      throw this.refuse("axis is missing: a direction of the world, or use two markers in between");
    }
    return {
      point: options.at === undefined ? this.frameOf(usual).point : this.vector("at", options.at),
      axes: options.axis === undefined ? IDENTITY : axesFrom(this.where, options.axis),
    };
  }

  /** Markers at a point of each side. */
  points(options: PointsOptions): readonly [number, number] {
    const [a, b] = this.ends(options.between);
    return [this.pointOn(a, "atA", options.atA), this.pointOn(b, "atB", options.atB)];
  }

  private pointOn(end: End, option: string, at: VectorLike | undefined): number {
    if (end.kind === "marker") {
      this.absent({ [option]: at }, [option], "the marker says where");
      return end.index;
    }
    const point = at === undefined ? this.frameOf(end).point : this.vector(option, at);
    return this.place(end, { point, axes: IDENTITY });
  }

  /** The marker itself, or a new one on the body. */
  markerAt(end: End, frame: Frame): number {
    return end.kind === "marker" ? end.index : this.place(end, frame);
  }

  /** Options that say what a marker says already. */
  absent(options: object, keys: readonly string[], reason: string): void {
    const given = keys.find((key) => (options as Record<string, unknown>)[key] !== undefined);
    if (given === undefined) return;
    throw this.refuse(`${given} cannot be given with a marker: ${reason}`);
  }
}

export function bodyOf(end: End): Body {
  return end.kind === "body" ? end : end.body;
}
