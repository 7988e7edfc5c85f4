// Body poses: of one moment, at any time of a recorded motion, and the path of a point.

import type { BodyPoses, Vector } from "./camera.js";
import type { Anchor, Frames } from "./scene-data.js";

/** Numbers per matrix. */
const SIZE = 16;

export class PoseTable implements BodyPoses {
  /** Matrices of the ground, then of the bodies by index, then of auxiliary bodies that only carry drawings. */
  readonly matrices: Float64Array;

  constructor(readonly bodies: number) {
    this.matrices = new Float64Array(SIZE * (bodies + 1));
    for (let body = 0; body <= bodies; body++) {
      for (let i = 0; i < SIZE; i += 5) this.matrices[SIZE * body + i] = 1;
    }
  }

  /** Returns the offset of the matrix of a body. */
  offsetOf(body: number): number {
    return SIZE * (body + 1);
  }

  point(body: number, x: number, y: number, z: number): [number, number, number] {
    const m = this.matrices;
    const o = this.offsetOf(body);
    return [
      m[o]! * x + m[o + 4]! * y + m[o + 8]! * z + m[o + 12]!,
      m[o + 1]! * x + m[o + 5]! * y + m[o + 9]! * z + m[o + 13]!,
      m[o + 2]! * x + m[o + 6]! * y + m[o + 10]! * z + m[o + 14]!,
    ];
  }

  direction(body: number, [x, y, z]: Vector): [number, number, number] {
    const m = this.matrices;
    const o = this.offsetOf(body);
    return [
      m[o]! * x + m[o + 4]! * y + m[o + 8]! * z,
      m[o + 1]! * x + m[o + 5]! * y + m[o + 9]! * z,
      m[o + 2]! * x + m[o + 6]! * y + m[o + 10]! * z,
    ];
  }

  /** Returns a point of the world in the frame of a body, by the transposed rotation. */
  local(body: number, [x, y, z]: Vector): [number, number, number] {
    const m = this.matrices;
    const o = this.offsetOf(body);
    const [dx, dy, dz] = [x - m[o + 12]!, y - m[o + 13]!, z - m[o + 14]!];
    return [
      m[o]! * dx + m[o + 1]! * dy + m[o + 2]! * dz,
      m[o + 4]! * dx + m[o + 5]! * dy + m[o + 6]! * dz,
      m[o + 8]! * dx + m[o + 9]! * dy + m[o + 10]! * dz,
    ];
  }

  /** Moves a body without rotating it. */
  place(body: number, [x, y, z]: Vector): void {
    const o = this.offsetOf(body);
    this.matrices[o + 12] = x;
    this.matrices[o + 13] = y;
    this.matrices[o + 14] = z;
  }
}

/** A recorded motion. The poses are those at the time of the last `moveTo`. */
export class Motion extends PoseTable {
  readonly #frames: Float64Array;

  /** `frames` has x, y, z and four Euler parameters by time and body. */
  constructor(
    readonly times: Float64Array,
    bodies: number,
    frames: Float64Array,
  ) {
    super(bodies);
    this.#frames = frames;
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
    const f = this.#frames;
    for (let body = 0; body < this.bodies; body++) {
      const [a, b] = [7 * (frame * this.bodies + body), 7 * (next * this.bodies + body)];
      const at = (i: number) => f[a + i]! + part * (f[b + i]! - f[a + i]!);
      const length = Math.hypot(at(3), at(4), at(5), at(6)) || 1;
      const turn = [at(3) / length, at(4) / length, at(5) / length, at(6) / length];
      writePose([at(0), at(1), at(2)], turn, this.matrices, this.offsetOf(body));
    }
  }
}

/** Writes the 4 x 4 column-major matrix of a frame from its origin and unit Euler parameters. */
export function writePose(
  [x, y, z]: ArrayLike<number> & Iterable<number>,
  [e0, e1, e2, e3]: ArrayLike<number> & Iterable<number>,
  out: Float32Array | Float64Array,
  o: number,
): void {
  const [w, a, b, c] = [e0!, e1!, e2!, e3!];
  out[o] = 2 * (w * w + a * a) - 1;
  out[o + 1] = 2 * (a * b + w * c);
  out[o + 2] = 2 * (a * c - w * b);
  out[o + 3] = 0;
  out[o + 4] = 2 * (a * b - w * c);
  out[o + 5] = 2 * (w * w + b * b) - 1;
  out[o + 6] = 2 * (b * c + w * a);
  out[o + 7] = 0;
  out[o + 8] = 2 * (a * c + w * b);
  out[o + 9] = 2 * (b * c - w * a);
  out[o + 10] = 2 * (w * w + c * c) - 1;
  out[o + 11] = 0;
  out[o + 12] = x!;
  out[o + 13] = y!;
  out[o + 14] = z!;
  out[o + 15] = 1;
}

// Path of a point: known in advance, or as far as it has been seen.

/** Maximum number of stored points; beyond it every second point is dropped. */
const MAX_POINTS = 4000;

export class Trail {
  /** Times and positions, three coordinates each. */
  #times: number[] = [];
  #points: number[] = [];
  #stride = 1;
  #skipped = 0;

  constructor(
    readonly anchor: Anchor,
    motion?: Motion,
  ) {
    if (motion === undefined) return;
    for (const time of motion.times) {
      motion.moveTo(time);
      this.#add(time, motion.point(...anchor));
    }
    this.isKnown = true;
  }

  /** Whether the full path is known; then only the part up to the present time is shown. */
  readonly isKnown: boolean = false;

  /** Number of stored points. */
  get length(): number {
    return this.#times.length;
  }

  clear(): void {
    if (this.isKnown) return;
    this.#times = [];
    this.#points = [];
    this.#stride = 1;
  }

  /** Appends the present position. */
  take(time: number, poses: BodyPoses): void {
    if (this.isKnown || time === this.#times.at(-1)) return;
    if (++this.#skipped < this.#stride) return;
    this.#skipped = 0;
    this.#add(time, poses.point(...this.anchor));
    if (this.#times.length <= MAX_POINTS) return;
    this.#times = this.#times.filter((_, i) => i % 2 === 0);
    this.#points = this.#points.filter((_, i) => Math.floor(i / 3) % 2 === 0);
    this.#stride *= 2;
  }

  #add(time: number, point: readonly number[]): void {
    this.#times.push(time);
    this.#points.push(...point);
  }

  /** Returns the points up to a time, three coordinates each, and the present one. */
  upTo(time: number, poses: BodyPoses): number[] {
    let count = this.#times.length;
    while (count > 0 && this.#times[count - 1]! > time) count--;
    return [...this.#points.slice(0, 3 * count), ...poses.point(...this.anchor)];
  }
}
