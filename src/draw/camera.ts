// Camera of flat pictures, and of views.

import type { SceneView, Vector } from "./scene-data.js";

export type { Vector };
/** A point on the screen in pixels, with its depth towards the viewer. */
export type Point = readonly [x: number, y: number, depth: number];

/** Present body poses. */
export interface BodyPoses {
  /** Returns a point of a body in the world; the ground has the index -1. */
  point(body: number, x: number, y: number, z: number): Vector;
  /** Returns a direction of a body in the world. */
  direction(body: number, direction: Vector): Vector;
}

/** Pose of the camera. */
export interface CameraPose {
  /** The point in the middle of the screen. */
  readonly target: Vector;
  readonly right: Vector;
  readonly up: Vector;
  /** Towards the viewer. */
  readonly towards: Vector;
}

/** Margin at the edges, relative to the shorter side. */
const MARGIN = 0.1;
/** Pixels at the lower edge reserved for axes and scale. */
const FOOTER_PX = 30;
const MIN_ZOOM = 0.2;
const MAX_ZOOM = 60;

/** A parallel projection from the world to the screen, rotated like a turntable. */
export class Camera {
  /** Pixels per unit of length. */
  scale = 1;
  /** Fraction of the screen that a picture fills; smaller in perspective, which enlarges near parts. */
  room = 1;
  #view: SceneView;
  #towards: Vector;
  /** Right, up and towards the viewer, in the world. */
  #rows: readonly [Vector, Vector, Vector];
  #azimuth = 0;
  #elevation = 0;
  #zoom = 1;
  #pan: [number, number] = [0, 0];
  #fitted = 1;
  #middle: Vector = [0, 0, 0];
  #origin: Vector = [0, 0, 0];
  #size: [number, number] = [1, 1];

  constructor(view: SceneView) {
    this.#view = view;
    this.#towards = cross(view.right, view.up);
    this.#rows = [view.right, view.up, this.#towards];
    this.lookFrom(view.from);
  }

  /** Keeps direction and zoom for another scene view. */
  reframe(view: SceneView): void {
    this.#view = view;
    this.#towards = cross(view.right, view.up);
    this.#turned();
    this.fit(...this.#size);
  }

  /** Looks from a direction, with everything in the picture. */
  lookFrom(direction: Vector): void {
    const { up, right } = this.#view;
    const height = Math.min(1, Math.max(-1, dot(direction, up)));
    this.#elevation = Math.asin(height);
    const isAbove = Math.abs(height) > 1 - 1e-9;
    this.#azimuth = isAbove ? 0 : Math.atan2(dot(direction, right), dot(direction, this.#towards));
    this.#turned();
    this.#zoom = 1;
    this.#pan = [0, 0];
    this.fit(...this.#size);
  }

  /** Rotates the view by angles in radians. */
  turn(azimuth: number, elevation: number): void {
    this.#azimuth += azimuth;
    const quarter = Math.PI / 2;
    this.#elevation = Math.min(quarter, Math.max(-quarter, this.#elevation + elevation));
    this.#turned();
  }

  /** Zooms by a factor about a fixed point of the screen. */
  zoom(factor: number, x = this.#centre[0], y = this.#centre[1]): void {
    const zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.#zoom * factor));
    const real = zoom / this.#zoom;
    const [cx, cy] = this.#centre;
    const [px, py] = this.#pan;
    const stays = (pan: number, place: number) => place - (place - pan) * real;
    this.#pan = [stays(px, x - cx), stays(py, y - cy)];
    this.#zoom = zoom;
    this.scale = this.#fitted * zoom;
  }

  pan(x: number, y: number): void {
    this.#pan = [this.#pan[0] + x, this.#pan[1] + y];
  }

  /** Fits the picture to a screen size. */
  fit(width: number, height: number): void {
    this.#size = [width, height];
    const { extremes, detail } = this.#view;
    const ends = this.#rows.map((row) => {
      const all = extremes.map((point) => dot(row, point));
      return [Math.min(...all), Math.max(...all)] as const;
    });
    const [h, v, d] = ends.map(([low, high]) => (low + high) / 2);
    const [w, t] = ends.map(([low, high]) => Math.max(high - low, detail / 2));
    const margin = 2 * Math.max(34, MARGIN * Math.min(width, height));
    const fitted = Math.min((width - margin) / w!, (height - FOOTER_PX - margin) / t!);
    this.#fitted = Math.max(1e-9, this.room * fitted);
    this.scale = this.#fitted * this.#zoom;
    const [right, up, towards] = this.#rows;
    this.#middle = [0, 1, 2].map(
      (i) => h! * right[i]! + v! * up[i]! + d! * towards[i]!,
    ) as unknown as Vector;
  }

  /** Moves the picture with the followed body. */
  follow(motion: Pick<BodyPoses, "point">): void {
    const { follow, up } = this.#view;
    if (follow < 0) return;
    const at = motion.point(follow, 0, 0, 0);
    const height = dot(at, up);
    this.#origin = [at[0] - height * up[0], at[1] - height * up[1], at[2] - height * up[2]];
  }

  /** The point of the world in the middle of the screen, and the directions of the screen. */
  get sight(): CameraPose {
    const [right, up, towards] = this.#rows;
    const [x, y] = [-this.#pan[0] / this.scale, (this.#pan[1] - FOOTER_PX / 2) / this.scale];
    const target = [0, 1, 2].map(
      (i) => this.#origin[i]! + this.#middle[i]! + x * right[i]! + y * up[i]!,
    ) as unknown as Vector;
    return { target, right, up, towards };
  }

  /** Projects a point of the world. */
  project(point: Vector): Point {
    const d: Vector = [0, 1, 2].map(
      (i) => point[i]! - this.#origin[i]! - this.#middle[i]!,
    ) as unknown as Vector;
    const [x, y, depth] = this.along(d);
    const [cx, cy] = this.#centre;
    return [cx + this.#pan[0] + x, cy + this.#pan[1] + y, depth];
  }

  get #centre(): readonly [number, number] {
    return [this.#size[0] / 2, (this.#size[1] - FOOTER_PX) / 2];
  }

  /** Projects a direction of the world, in pixels with y downwards. */
  along(direction: Vector): Point {
    const [right, up, towards] = this.#rows;
    const { scale } = this;
    return [
      scale * dot(right, direction),
      -scale * dot(up, direction),
      scale * dot(towards, direction),
    ];
  }

  #turned(): void {
    const { up, right } = this.#view;
    const [ca, sa] = [Math.cos(this.#azimuth), Math.sin(this.#azimuth)];
    const [ce, se] = [Math.cos(this.#elevation), Math.sin(this.#elevation)];
    const mix = (r: number, u: number, t: number): Vector => [
      r * right[0] + u * up[0] + t * this.#towards[0],
      r * right[1] + u * up[1] + t * this.#towards[1],
      r * right[2] + u * up[2] + t * this.#towards[2],
    ];
    const towards = mix(ce * sa, se, ce * ca);
    const across = mix(ca, 0, -sa);
    this.#rows = [across, cross(towards, across), towards];
  }
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Named view direction. */
export type NamedView = "front" | "side" | "top" | "isometric";

/** Returns the directions towards the viewer of the named views. */
export function namedViews({
  up,
  right,
}: Pick<SceneView, "up" | "right">): Record<NamedView, Vector> {
  const front = cross(right, up);
  const mixed = [0, 1, 2].map((i) => 0.9 * front[i]! + 0.62 * right[i]! + 0.55 * up[i]!);
  const length = Math.hypot(...mixed);
  const isometric: Vector = [mixed[0]! / length, mixed[1]! / length, mixed[2]! / length];
  return { front, side: right, top: up, isometric };
}

/** Returns two directions perpendicular to an axis and to each other, deterministically. */
export function acrossOf(axis: Vector): readonly [Vector, Vector] {
  const guide: Vector = Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const first = cross(axis, guide);
  const length = Math.hypot(...first) || 1;
  const u: Vector = [first[0] / length, first[1] / length, first[2] / length];
  return [u, cross(axis, u)];
}
