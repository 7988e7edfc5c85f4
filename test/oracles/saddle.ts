import { multiply } from "../support/matrix.js";
import { naiveInverse } from "./lu.js";

/** Accelerations with M a = Q + J^T lambda and J a = right, by inverting the full matrix. */
export function saddleAccelerations(
  n: number,
  m: number,
  mass: Float64Array,
  jacobian: Float64Array,
  forces: Float64Array,
  right: Float64Array,
): Float64Array {
  const size = n + m;
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) matrix[i + j * size] = mass[i + j * n];
    for (let i = 0; i < m; i++) {
      matrix[n + i + j * size] = jacobian[i + j * m];
      matrix[j + (n + i) * size] = jacobian[i + j * m];
    }
  }
  const both = Float64Array.from([...forces, ...right]);
  return multiply(size, size, 1, naiveInverse(size, matrix), both).subarray(0, n);
}
