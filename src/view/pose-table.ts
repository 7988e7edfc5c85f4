// Present body poses as column-major matrices, the ground first: the only source of poses for drawing.

import type { BodyPoses, Vector } from "../report/page/camera.js";

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
