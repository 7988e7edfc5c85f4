// Poses of bodies, and their points in the world, at the frames of a run.

import {
  add,
  IDENTITY,
  normalised,
  rotationOf,
  times,
  vectorOf,
  ZERO,
} from "../base/algebra/vectors.js";
import { GROUND, type MarkerData, type Matrix, type Vector } from "../model/model-data.js";
import type { Anchor, Frames } from "./scene-data.js";

export interface Pose {
  readonly position: Vector;
  readonly rotation: Matrix;
}

const GROUND_POSE: Pose = { position: ZERO, rotation: IDENTITY };

/** Body poses, computed on demand. */
export class Poses {
  readonly count: number;

  constructor(
    readonly frames: Frames,
    readonly bodies: number,
  ) {
    this.count = frames.times.length;
  }

  /** Returns the pose of a body at a frame. */
  at(frame: number, body: number): Pose {
    if (body === GROUND) return GROUND_POSE;
    const { positions: p, orientations: e } = this.frames;
    const place = frame * this.bodies + body;
    const [i, j] = [3 * place, 4 * place];
    return {
      position: vectorOf(p[i]!, p[i + 1]!, p[i + 2]!),
      rotation: rotationOf(normalised([e[j]!, e[j + 1]!, e[j + 2]!, e[j + 3]!])),
    };
  }

  point(frame: number, body: number, own: Vector): Vector {
    const { position, rotation } = this.at(frame, body);
    return add(position, times(rotation, own));
  }

  /** Returns at most `most` evenly chosen frame indices. */
  sample(most: number): number[] {
    const step = Math.max(1, (this.count - 1) / (most - 1));
    const number = Math.floor((this.count - 1) / step + 1e-9) + 1;
    return Array.from({ length: number }, (_, i) => Math.round(i * step));
  }
}

/** Returns the point of a marker. */
export function anchorOf({ body, point }: MarkerData): Anchor {
  return [body, ...point];
}

export function pointOf([, x, y, z]: Anchor): Vector {
  return [x, y, z];
}
