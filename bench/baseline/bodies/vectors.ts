// Vector operations that methods call directly: see assembly/dynamics/arrays.ts and
// assembly/dense/vectors.ts. All positions are slots.

/** Vectors in one memory. */
export function vectorsIn(memory: Float64Array) {
  /** Longer vectors use the engine's built-in methods, which cost more per call. */
  const MAX_SHORT_LENGTH = 96;
  /** to = from. */
  function copy(n: number, from: number, to: number): void {
    const x = memory;
    if (n > MAX_SHORT_LENGTH) {
      x.copyWithin(to, from, from + n);
      return;
    }
    const end = from + n;
    for (let i = from, j = to; i < end; i++, j++) x[j] = x[i];
  }

  /** Zeros. */
  function clear(from: number, end: number): void {
    const x = memory;
    if (end - from > MAX_SHORT_LENGTH) {
      x.fill(0, from, end);
      return;
    }
    for (let i = from; i < end; i++) x[i] = 0;
  }

  /** out = y + alpha z. */
  function axpy(n: number, alpha: number, z: number, y: number, out: number): void {
    const x = memory;
    const four = n & ~3;
    let i = 0;
    for (; i < four; i += 4) {
      x[out + i] = x[y + i] + alpha * x[z + i];
      x[out + i + 1] = x[y + i + 1] + alpha * x[z + i + 1];
      x[out + i + 2] = x[y + i + 2] + alpha * x[z + i + 2];
      x[out + i + 3] = x[y + i + 3] + alpha * x[z + i + 3];
    }
    for (; i < n; i++) x[out + i] = x[y + i] + alpha * x[z + i];
  }

  /** out = y + h sum_k weights_k slopes_k. */
  function combine(
    n: number,
    count: number,
    h: number,
    y: number,
    slopes: number,
    weights: number,
    out: number,
  ): void {
    const x = memory;
    if (count === 0) {
      copy(n, y, out);
      return;
    }
    if (count === 1) {
      axpy(n, h * x[weights], slopes, y, out);
      return;
    }
    if (count === 2) {
      const first = x[weights];
      const second = x[weights + 1];
      for (let i = 0; i < n; i++) {
        const sum = x[slopes + i] * first + x[slopes + n + i] * second;
        x[out + i] = x[y + i] + sum * h;
      }
      return;
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0, slope = slopes + i; k < count; k++, slope += n)
        sum += x[slope] * x[weights + k];
      x[out + i] = x[y + i] + sum * h;
    }
  }

  /** out = gamma - onVelocity phiDot - onPosition phi. */
  function stabilisedRight(
    m: number,
    onVelocity: number,
    onPosition: number,
    gamma: number,
    phiDot: number,
    phi: number,
    out: number,
  ): void {
    const x = memory;
    const two = m & ~1;
    let i = 0;
    for (; i < two; i += 2) {
      x[out + i] = x[gamma + i] - onVelocity * x[phiDot + i] - onPosition * x[phi + i];
      x[out + i + 1] =
        x[gamma + i + 1] - onVelocity * x[phiDot + i + 1] - onPosition * x[phi + i + 1];
    }
    if (i < m) x[out + i] = x[gamma + i] - onVelocity * x[phiDot + i] - onPosition * x[phi + i];
  }

  /** Largest magnitude; NaN if one is. */
  function largestMagnitude(n: number, from: number): number {
    const x = memory;
    let largest = 0;
    const end = from + n;
    for (let i = from; i < end; i++) largest = Math.max(largest, Math.abs(x[i]));
    return largest;
  }

  /** y . z */
  function dot(n: number, y: number, z: number): number {
    const x = memory;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[y + i] * x[z + i];
    return sum;
  }

  return { copy, clear, axpy, combine, stabilisedRight, largestMagnitude, dot };
}
