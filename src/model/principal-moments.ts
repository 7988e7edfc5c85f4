import { hypotenuse } from "../base/algebra/portable-trigonometry.js";
import { IDENTITY } from "../base/algebra/vectors.js";
import type { Matrix } from "./model-data.js";

/** More sweeps than Jacobi's method needs for three rows, as it converges quadratically. */
const MAX_SWEEPS = 20;

/**
 * Returns the eigenvalues of a symmetric 3 x 3 matrix in ascending order. Jacobi's method: each rotation in the plane
 * (p, q) by an angle with tan 2 theta = 2 a_pq / (a_qq - a_pp) zeroes that entry; the smaller root
 * t = tan theta is taken (Golub and Van Loan, Matrix Computations, 8.5).
 */
export function principalMoments(matrix: Matrix): readonly [number, number, number] {
  const [least, middle, largest] = [...principalAxes(matrix).moments].sort((x, y) => x - y);
  return [least!, middle!, largest!];
}

/** Returns the eigenvalues, unordered, with their axes as columns: the product of all rotations. */
export function principalAxes(matrix: Matrix): {
  readonly moments: readonly [number, number, number];
  readonly axes: Matrix;
} {
  const a = [...matrix];
  const axes = [...IDENTITY];
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      rotate(a, axes, p, q);
  }
  return { moments: [a[0]!, a[4]!, a[8]!], axes };
}

function rotate(a: number[], axes: number[], p: number, q: number): void {
  const at = (i: number, j: number) => i + 3 * j;
  const between = a[at(p, q)]!;
  if (between === 0) return;
  const tau = (a[at(q, q)]! - a[at(p, p)]!) / (2 * between);
  const t = (tau < 0 ? -1 : 1) / (Math.abs(tau) + hypotenuse(1, tau));
  const cosine = 1 / hypotenuse(1, t);
  const sine = t * cosine;
  const r = 3 - p - q;
  const [rp, rq] = [a[at(r, p)]!, a[at(r, q)]!];
  a[at(p, p)] = a[at(p, p)]! - t * between;
  a[at(q, q)] = a[at(q, q)]! + t * between;
  a[at(p, q)] = a[at(q, p)] = 0;
  a[at(r, p)] = a[at(p, r)] = cosine * rp - sine * rq;
  a[at(r, q)] = a[at(q, r)] = sine * rp + cosine * rq;
  for (let i = 0; i < 3; i++) {
    const [ip, iq] = [axes[at(i, p)]!, axes[at(i, q)]!];
    axes[at(i, p)] = cosine * ip - sine * iq;
    axes[at(i, q)] = sine * ip + cosine * iq;
  }
}
