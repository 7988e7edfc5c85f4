// Markers for recipes of joints and forces: the user's markers, or new ones at the given points.

import { column, IDENTITY, norm, subtract } from "../base/algebra/vectors.js";
import type { VectorLike } from "../base/checking/values.js";
import type { Body, Marker } from "./handles.js";
import {
  axesFrom,
  bodyFrame,
  centreOfMass,
  type Frame,
  markerFrame,
  placeMarker,
} from "./marker-placement.js";
import type { Vector } from "./model-data.js";
import { GROUND } from "./model-data.js";
import type { BodyOrMarker, Checker, EndPair } from "./recipe-checker.js";
import type { Store } from "./store.js";

/** Two bodies and the frame they share at the poses given; or two markers, each with its own frame. */
export interface FramePairOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A and B. Markers are used unchanged; `at` and `axis` must then be omitted. */
  readonly between: EndPair;
  /** Point of the world, at the poses given to the bodies. */
  readonly at?: VectorLike | undefined;
  /** z axis of the frame: a direction of the world, at the poses given to the bodies. */
  readonly axis?: VectorLike | undefined;
}

/** Two bodies and a point on each; or two markers. */
export interface PointPairOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A and B: bodies, or markers at the points. */
  readonly between: EndPair;
  /** The point on the first body, in the world at the poses given; the body's origin if not given. */
  readonly atA?: VectorLike | undefined;
  /** The point on the second body, given in the same way. */
  readonly atB?: VectorLike | undefined;
}

/** Which of `at` and `axis` a recipe needs. */
export interface FramePairNeeds {
  /** If "optional", the default is the origin of the second body (of the first, if the second is the ground). */
  readonly at?: "needed" | "optional";
  readonly axis?: "needed" | "optional" | "unused";
}

/** Points closer than this, relative to their distances from the origin, differ by rounding only. */
const COINCIDENCE_TOLERANCE = 1e-13;

/** Finds or places the markers of one joint or force. */
export class Markers {
  readonly #checker: Checker;
  readonly #store: Store;

  constructor(checker: Checker) {
    this.#checker = checker;
    this.#store = checker.store;
  }

  /** Adds a marker of this recipe at a world frame. */
  place(body: Body, frame: Frame): number {
    return placeMarker(this.#store, `${this.#checker.name} on ${body.name}`, body.index, frame);
  }

  frameOf(end: BodyOrMarker): Frame {
    return end.kind === "body"
      ? bodyFrame(this.#store, end.index)
      : markerFrame(this.#store, end.index);
  }

  markerFrame(marker: number): Frame {
    return markerFrame(this.#store, marker);
  }

  /** Returns the z axis of a marker in the world. */
  markerAxis(marker: number): Vector {
    return column(this.markerFrame(marker).axes, 2);
  }

  axisOf(marker: Marker): Vector {
    return this.markerAxis(marker.index);
  }

  /** Returns the distance between the points of two markers, at the given poses. */
  distanceBetween(a: number, b: number): number {
    const store = this.#store;
    return norm(subtract(markerFrame(store, b).point, markerFrame(store, a).point));
  }

  centreOfMass(body: Body): Vector {
    return centreOfMass(this.#store, body.index);
  }

  /** Returns markers on A and B: the user's own, or new ones with the same frame in the world. */
  framePair(options: FramePairOptions, needs: FramePairNeeds = {}): readonly [number, number] {
    const [a, b] = this.#checker.ends(options.between);
    const marker = [a, b].find((end) => end.kind === "marker");
    if (marker !== undefined) {
      this.#checker.absent(options, ["at", "axis"], "the marker says where");
      return [this.markerAt(a, this.frameOf(marker)), this.markerAt(b, this.frameOf(marker))];
    }
    const frame = this.#sharedFrame(options, b.index === GROUND ? a : b, needs);
    return [this.markerAt(a, frame), this.markerAt(b, frame)];
  }

  #sharedFrame(options: FramePairOptions, usual: BodyOrMarker, needs: FramePairNeeds): Frame {
    const { at = "needed", axis = "needed" } = needs;
    if (at === "needed") this.#checker.neededPoint(options.at);
    if (axis === "needed") this.#checker.neededAxis("axis", options.axis);
    return {
      point:
        options.at === undefined
          ? this.frameOf(usual).point
          : this.#checker.vector("at", options.at),
      axes: options.axis === undefined ? IDENTITY : axesFrom(this.#checker.where, options.axis),
    };
  }

  /** Like {@link pointPair}, but throws if the points coincide at the given poses. */
  separatePoints(options: PointPairOptions, advice: string): readonly [number, number] {
    const [a, b] = this.pointPair(options);
    const size = norm(this.markerFrame(a).point) + norm(this.markerFrame(b).point);
    if (this.distanceBetween(a, b) > COINCIDENCE_TOLERANCE * size) return [a, b];
    throw this.#checker.error(`the points coincide at the start: ${advice}`);
  }

  /** Returns markers at a point of each side. */
  pointPair(options: PointPairOptions): readonly [number, number] {
    const [a, b] = this.#checker.ends(options.between);
    return [this.#pointOn(a, "atA", options.atA), this.#pointOn(b, "atB", options.atB)];
  }

  #pointOn(end: BodyOrMarker, option: string, at: VectorLike | undefined): number {
    if (end.kind === "marker") {
      this.#checker.absent({ [option]: at }, [option], "the marker says where");
      return end.index;
    }
    const point = at === undefined ? this.frameOf(end).point : this.#checker.vector(option, at);
    return this.place(end, { point, axes: IDENTITY });
  }

  /** Returns the marker itself, or a new one on the body. */
  markerAt(end: BodyOrMarker, frame: Frame): number {
    return end.kind === "marker" ? end.index : this.place(end, frame);
  }
}
