// Body poses at any time.

import type { Frames } from "../scene-data.js";

/** Numbers per pose: three of the position, nine of the column-major rotation. */
const POSE = 12;

export class Motion {
  /** Poses at the time of the last `moveTo`: the ground first, then the bodies. */
  readonly poses: Float64Array;
  readonly #frames: Float64Array;

  /** `frames` has x, y, z and four Euler parameters by time and body. */
  constructor(
    readonly times: Float64Array,
    readonly bodies: number,
    frames: Float64Array,
  ) {
    this.#frames = frames;
    this.poses = new Float64Array(POSE * (bodies + 1));
    for (const i of [3, 7, 11]) this.poses[i] = 1;
  }

  /** Creates a motion from frames. Signs of Euler parameters are made continuous, for interpolation. */
  static of({ times, positions, orientations }: Frames): Motion {
    const count = positions.length / 3;
    const bodies = count / times.length;
    const frames = new Float64Array(7 * count);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) frames[7 * i + k] = positions[3 * i + k]!;
      let product = 0;
      for (let k = 0; k < 4 && i >= bodies; k++) {
        product += orientations[4 * i + k]! * frames[7 * (i - bodies) + 3 + k]!;
      }
      const sign = product < 0 ? -1 : 1;
      for (let k = 0; k < 4; k++) frames[7 * i + 3 + k] = sign * orientations[4 * i + k]!;
    }
    return new Motion(Float64Array.from(times), bodies, frames);
  }

  get start(): number {
    return this.times[0]!;
  }

  get end(): number {
    return this.times.at(-1)!;
  }

  /** Returns the last frame not after a time; of two frames with equal time, as at events, the later one. */
  frameAt(time: number): number {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Returns the time of the next or previous frame. */
  neighbour(time: number, count: number): number {
    const frame = this.frameAt(time) + count;
    // Between two frames the previous one is the start of the present interval.
    const from = count < 0 && this.times[frame - count]! < time ? frame + 1 : frame;
    return this.times[Math.min(this.times.length - 1, Math.max(0, from))]!;
  }

  /** Computes the poses at a time by linear interpolation between frames; Euler parameters are normalised. */
  moveTo(time: number): void {
    const frame = this.frameAt(time);
    const next = Math.min(frame + 1, this.times.length - 1);
    const gap = this.times[next]! - this.times[frame]!;
    const part = gap > 0 ? Math.min(1, Math.max(0, (time - this.times[frame]!) / gap)) : 0;
    const width = 7 * this.bodies;
    for (let body = 0; body < this.bodies; body++) {
      this.#interpolate(frame * width + 7 * body, next * width + 7 * body, part, body + 1);
    }
  }

  #interpolate(a: number, b: number, part: number, slot: number): void {
    const f = this.#frames;
    const at = (i: number) => f[a + i]! + part * (f[b + i]! - f[a + i]!);
    const out = this.poses;
    const o = POSE * slot;
    for (let i = 0; i < 3; i++) out[o + i] = at(i);
    const length = Math.hypot(at(3), at(4), at(5), at(6)) || 1;
    const [w, x, y, z] = [at(3) / length, at(4) / length, at(5) / length, at(6) / length];
    out[o + 3] = 2 * (w * w + x * x) - 1;
    out[o + 4] = 2 * (x * y + w * z);
    out[o + 5] = 2 * (x * z - w * y);
    out[o + 6] = 2 * (x * y - w * z);
    out[o + 7] = 2 * (w * w + y * y) - 1;
    out[o + 8] = 2 * (y * z + w * x);
    out[o + 9] = 2 * (x * z + w * y);
    out[o + 10] = 2 * (y * z - w * x);
    out[o + 11] = 2 * (w * w + z * z) - 1;
  }

  /** Returns a point of a body in the world. */
  point(body: number, x: number, y: number, z: number): [number, number, number] {
    const p = this.poses;
    const o = POSE * (body + 1);
    return [
      p[o]! + p[o + 3]! * x + p[o + 6]! * y + p[o + 9]! * z,
      p[o + 1]! + p[o + 4]! * x + p[o + 7]! * y + p[o + 10]! * z,
      p[o + 2]! + p[o + 5]! * x + p[o + 8]! * y + p[o + 11]! * z,
    ];
  }

  /** Returns a direction of a body in the world. */
  direction(body: number, [x, y, z]: readonly [number, number, number]): [number, number, number] {
    const [a, b, c] = this.point(body, x, y, z);
    const o = POSE * (body + 1);
    return [a - this.poses[o]!, b - this.poses[o + 1]!, c - this.poses[o + 2]!];
  }
}
