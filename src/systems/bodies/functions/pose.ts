// Rotations in TypeScript, on arrays that are given: for the user's functions and for reading. Matrices
// are 3 x 3 by columns, Euler parameters scalar first.

import { BodyFrame } from "../../../../assembly/layout-bodies.js";
import { cosine, sine } from "../../../ground/algebra/portable-trigonometry.js";

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

const turn = new Float64Array(9);

/** A frame moved by scale d (world) and turned by scale w (its own axes): rotation and point. */
export function displacedPose(
  frame: Input,
  d: Input,
  w: Input,
  scale: number,
  rotation: Float64Array,
  point: Float64Array,
): void {
  setTurn(scale * (w[0] as number), scale * (w[1] as number), scale * (w[2] as number));
  for (let row = 0; row < 3; row++) {
    const x = frame[BodyFrame.ROTATION + row] as number;
    const y = frame[BodyFrame.ROTATION + row + 3] as number;
    const z = frame[BodyFrame.ROTATION + row + 6] as number;
    for (let k = 0; k < 9; k += 3) {
      rotation[row + k] =
        x * (turn[k] as number) + y * (turn[k + 1] as number) + z * (turn[k + 2] as number);
    }
    point[row] = (frame[BodyFrame.POINT + row] as number) + scale * (d[row] as number);
  }
}

/** Rodrigues' formula: the rotation by a vector. */
function setTurn(x: number, y: number, z: number): void {
  const square = x * x + y * y + z * z;
  const angle = Math.sqrt(square);
  const s = angle < 1e-4 ? 1 - square / 6 : sine(angle) / angle;
  const c = angle < 1e-4 ? 0.5 - square / 24 : (1 - cosine(angle)) / square;
  turn[0] = 1 - c * (y * y + z * z);
  turn[1] = s * z + c * x * y;
  turn[2] = -s * y + c * x * z;
  turn[3] = -s * z + c * x * y;
  turn[4] = 1 - c * (x * x + z * z);
  turn[5] = s * x + c * y * z;
  turn[6] = s * y + c * x * z;
  turn[7] = -s * x + c * y * z;
  turn[8] = 1 - c * (x * x + y * y);
}
