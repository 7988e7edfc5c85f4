// Rotations in TypeScript, on arrays that are given: for the user's functions and for reading. Matrices
// are 3 x 3 by columns, Euler parameters scalar first.

import { BodyFrame } from "../../assembly/layout-bodies.js";

type Input = ArrayLike<number>;

/** out = R x. out must not be x. */
export function times(r: Input, x: Input, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] =
      (r[i] as number) * (x[0] as number) +
      (r[3 + i] as number) * (x[1] as number) +
      (r[6 + i] as number) * (x[2] as number);
  }
}

/** out = R^T x. out must not be x. */
export function timesTransposed(r: Input, x: Input, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    out[i] =
      (r[3 * i] as number) * (x[0] as number) +
      (r[3 * i + 1] as number) * (x[1] as number) +
      (r[3 * i + 2] as number) * (x[2] as number);
  }
}

/** out = x x y. out must not be x or y. */
export function cross(x: Input, y: Input, out: Float64Array): void {
  const [x0, x1, x2] = [x[0] as number, x[1] as number, x[2] as number];
  const [y0, y1, y2] = [y[0] as number, y[1] as number, y[2] as number];
  out[0] = x1 * y2 - x2 * y1;
  out[1] = x2 * y0 - x0 * y2;
  out[2] = x0 * y1 - x1 * y0;
}

/** out = point - arm. */
export function poseOf(point: Input, arm: Input, out: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = (point[i] as number) - (arm[i] as number);
}

/**
 * Euler parameters of a rotation matrix, scalar not negative. The largest of the four is found from the
 * diagonal, the others from it, so that nothing cancels (Shepperd 1978).
 */
export function quaternionOf(r: Input, out: Float64Array): void {
  const at = (row: number, column: number) => r[3 * column + row] as number;
  const trace = at(0, 0) + at(1, 1) + at(2, 2);
  const squares = [trace, at(0, 0), at(1, 1), at(2, 2)];
  const largest = squares.indexOf(Math.max(...squares));
  if (largest === 0) {
    const s = 2 * Math.sqrt(1 + trace);
    out[0] = s / 4;
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      out[1 + i] = (at(k, j) - at(j, k)) / s;
    }
  } else {
    const i = largest - 1;
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    const s = 2 * Math.sqrt(1 + at(i, i) - at(j, j) - at(k, k));
    out[0] = (at(k, j) - at(j, k)) / s;
    out[1 + i] = s / 4;
    out[1 + j] = (at(j, i) + at(i, j)) / s;
    out[1 + k] = (at(k, i) + at(i, k)) / s;
  }
  if ((out[0] as number) < 0) for (let i = 0; i < 4; i++) out[i] = -(out[i] as number);
}

/** A frame moved by scale d (world) and turned by scale w (its own axes): rotation and point. */
export function displacedPose(
  frame: Input,
  d: Input,
  w: Input,
  scale: number,
  rotation: Float64Array,
  point: Float64Array,
): void {
  const turn = turnOf(w, scale);
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        sum +=
          (frame[BodyFrame.ROTATION + row + 3 * k] as number) * (turn[k + 3 * column] as number);
      }
      rotation[row + 3 * column] = sum;
    }
  }
  for (let i = 0; i < 3; i++) {
    point[i] = (frame[BodyFrame.POINT + i] as number) + scale * (d[i] as number);
  }
}

/** Rodrigues' formula: the rotation by the vector scale w. */
function turnOf(w: Input, scale: number): number[] {
  const [x, y, z] = [0, 1, 2].map((i) => scale * (w[i] as number)) as [number, number, number];
  const square = x * x + y * y + z * z;
  const angle = Math.sqrt(square);
  const s = angle < 1e-4 ? 1 - square / 6 : Math.sin(angle) / angle;
  const c = angle < 1e-4 ? 0.5 - square / 24 : (1 - Math.cos(angle)) / square;
  return [
    1 - c * (y * y + z * z),
    s * z + c * x * y,
    -s * y + c * x * z,
    -s * z + c * x * y,
    1 - c * (x * x + z * z),
    s * x + c * y * z,
    s * y + c * x * z,
    -s * x + c * y * z,
    1 - c * (x * x + y * y),
  ];
}
