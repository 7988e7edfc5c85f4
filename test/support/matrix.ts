// Naive matrix arithmetic on column-major arrays, for checking results. Slow and obvious.

/** A B, with A m x k and B k x n. */
export function multiply(
  m: number,
  k: number,
  n: number,
  a: Float64Array,
  b: Float64Array,
): Float64Array {
  const c = new Float64Array(m * n);
  for (let j = 0; j < n; j++) {
    for (let p = 0; p < k; p++) {
      for (let i = 0; i < m; i++) c[i + j * m] += a[i + p * m] * b[p + j * k];
    }
  }
  return c;
}

/** A^T, with A m x n. */
export function transpose(m: number, n: number, a: Float64Array): Float64Array {
  const b = new Float64Array(m * n);
  for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) b[j + i * n] = a[i + j * m];
  return b;
}

/** The identity. */
export function identity(n: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) a[i + i * n] = 1;
  return a;
}

/** Square root of the sum of squares, safe against overflow. */
export function norm(a: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    if (Number.isNaN(a[i])) return Number.NaN;
    largest = Math.max(largest, Math.abs(a[i]));
  }
  if (largest === 0 || largest === Number.POSITIVE_INFINITY) return largest;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** Norm of a - b. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return norm(Float64Array.from({ length: a.length }, (_, i) => a[i] - b[i]));
}

/** |a - b| / |b|; the plain distance when b is zero. */
export function relativeDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return distance(a, b) / (norm(b) || 1);
}

/** |b - A x| / (|A| |x| + |b|): distance to the nearest system that x solves exactly. */
export function backwardError(
  m: number,
  n: number,
  a: Float64Array,
  x: Float64Array,
  b: Float64Array,
): number {
  return distance(multiply(m, n, 1, a, x), b) / (norm(a) * norm(x) + norm(b) || 1);
}
