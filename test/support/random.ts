// Pseudo-random numbers with identical bits in every engine: only integer arithmetic,
// products by powers of two and square roots, never Math.log or Math.pow.

/** A uniform number in [-1, 1). */
export type Random = () => number;

/** A generator of 32-bit state (a counter through an integer hash), one sequence for each seed. */
export function seeded(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** A random vector. */
export function randomVector(random: Random, n: number): Float64Array {
  return Float64Array.from({ length: n }, random);
}

/** A random m x n matrix by columns. */
export function randomMatrix(random: Random, m: number, n = m): Float64Array {
  return randomVector(random, m * n);
}

/**
 * A random m x n matrix U diag(s) V^T of a given rank, singular values falling from 1 to about
 * 1 / condition in powers of two. U and V are products of reflections.
 */
export function conditionedMatrix(
  random: Random,
  m: number,
  n: number,
  condition: number,
  rank = Math.min(m, n),
): Float64Array {
  const a = new Float64Array(m * n);
  const values = singularValues(rank, condition);
  for (let i = 0; i < rank; i++) a[i + i * m] = values[i];
  reflectRows(random, a, m, n);
  reflectColumns(random, a, m, n);
  return a;
}

/** A random symmetric n x n matrix; eigenvalues as {@link conditionedMatrix}, with given signs. */
export function symmetricMatrix(
  random: Random,
  n: number,
  condition: number,
  sign: (i: number) => number = () => 1,
): Float64Array {
  const a = new Float64Array(n * n);
  const values = singularValues(n, condition);
  for (let i = 0; i < n; i++) a[i + i * n] = values[i] * sign(i);
  for (let pass = 0; pass < REFLECTIONS; pass++) {
    const v = reflector(random, n);
    reflectFromLeft(v, a, n, n);
    reflectFromRight(v, a, n, n);
  }
  for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) a[i + j * n] = a[j + i * n];
  return a;
}

const REFLECTIONS = 3;

function singularValues(count: number, condition: number): Float64Array {
  const bits = count > 1 ? Math.floor(Math.log2(condition)) / (count - 1) : 0;
  return Float64Array.from({ length: count }, (_, i) => powerOfTwo(-Math.round(i * bits)));
}

function powerOfTwo(exponent: number): number {
  let value = 1;
  for (let i = 0; i < Math.abs(exponent); i++) value *= exponent < 0 ? 0.5 : 2;
  return value;
}

function reflectRows(random: Random, a: Float64Array, m: number, n: number): void {
  for (let pass = 0; pass < REFLECTIONS; pass++) reflectFromLeft(reflector(random, m), a, m, n);
}

function reflectColumns(random: Random, a: Float64Array, m: number, n: number): void {
  for (let pass = 0; pass < REFLECTIONS; pass++) reflectFromRight(reflector(random, n), a, m, n);
}

/** v with v.v = 2, so that I - v v^T is a reflection. */
function reflector(random: Random, n: number): Float64Array {
  const v = randomVector(random, n);
  let square = 0;
  for (const x of v) square += x * x;
  const scale = Math.sqrt(2 / (square || 1));
  return v.map((x) => x * scale);
}

function reflectFromLeft(v: Float64Array, a: Float64Array, m: number, n: number): void {
  for (let j = 0; j < n; j++) {
    let dot = 0;
    for (let i = 0; i < m; i++) dot += v[i] * a[i + j * m];
    for (let i = 0; i < m; i++) a[i + j * m] -= dot * v[i];
  }
}

function reflectFromRight(v: Float64Array, a: Float64Array, m: number, n: number): void {
  for (let i = 0; i < m; i++) {
    let dot = 0;
    for (let j = 0; j < n; j++) dot += a[i + j * m] * v[j];
    for (let j = 0; j < n; j++) a[i + j * m] -= dot * v[j];
  }
}
