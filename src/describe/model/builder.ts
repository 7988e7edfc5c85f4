// Markers for recipes of joints and forces: the user's own, or new ones where the user says.

import { column, IDENTITY, norm, subtract } from "../../ground/algebra/vectors.js";
import { Checker, type End } from "./checker.js";
import { label, show, type VectorLike } from "./checks.js";
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

export type { End } from "./checker.js";

/** Two bodies and the frame they share at the poses given; or two markers, each with its own frame. */
export interface BetweenOptions {
  readonly name?: string | undefined;
  /** A and B. With markers these are used as they are, and `at` and `axis` are not given. */
  readonly between: readonly [End, End];
  /** A point of the world, at the poses given to the bodies. */
  readonly at?: VectorLike | undefined;
  /** A direction of the world, at the poses given to the bodies: z of the frame. */
  readonly axis?: VectorLike | undefined;
}

/** Two bodies and a point on each; or two markers. */
export interface PointsOptions {
  readonly name?: string | undefined;
  /** A and B: bodies, or markers at the points. */
  readonly between: readonly [End, End];
  /** The point on the first body, in the world at the poses given; the body's origin if not given. */
  readonly atA?: VectorLike | undefined;
  /** The point on the second body, likewise. */
  readonly atB?: VectorLike | undefined;
}

/** What a recipe does without where and how. */
export interface BetweenNeeds {
  /** "optional": the origin of the second body (of the first, if the second is the ground). */
  readonly at?: "needed" | "optional";
  readonly axis?: "needed" | "optional" | "unused";
}

/** Points nearer than this, relative to where they are, differ by rounding only. */
const ROUNDING = 1e-13;

export class Builder extends Checker {
  /** A marker of this recipe, at a frame of the world. */
  place(body: Body, frame: Frame): number {
    return placeMarker(this.store, `${this.name} on ${body.name}`, body.index, frame);
  }

  frameOf(end: End): Frame {
    return end.kind === "body"
      ? bodyFrame(this.store, end.index)
      : markerFrame(this.store, end.index);
  }

  markerFrame(marker: number): Frame {
    return markerFrame(this.store, marker);
  }

  /** z of a marker in the world. */
  markerAxis(marker: number): Vector {
    return column(this.markerFrame(marker).axes, 2);
  }

  axisOf(marker: Marker): Vector {
    return this.markerAxis(marker.index);
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
    if (at === "needed") this.neededPoint(options.at);
    if (axis === "needed") this.neededAxis("axis", options.axis);
    return {
      point: options.at === undefined ? this.frameOf(usual).point : this.vector("at", options.at),
      axes: options.axis === undefined ? IDENTITY : axesFrom(this.where, options.axis),
    };
  }

  neededPoint(at: unknown): Vector {
    if (at !== undefined) return this.vector("at", at);
    throw this.refuse("at is missing: a point of the world, or use two markers in between");
  }

  neededAxis(option: string, axis: unknown): Vector {
    if (axis !== undefined) return this.direction(option, axis);
    throw this.refuse(
      `${option} is missing: a direction of the world, or use two markers in between`,
    );
  }

  /** {@link points} that are not in the same place at the start. */
  separatePoints(options: PointsOptions, advice: string): readonly [number, number] {
    const [a, b] = this.points(options);
    const size = norm(this.markerFrame(a).point) + norm(this.markerFrame(b).point);
    if (this.distanceBetween(a, b) > ROUNDING * size) return [a, b];
    throw this.refuse(`the points coincide at the start: ${advice}`);
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
