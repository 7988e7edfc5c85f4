// Sobol sequences, scrambled. The i-th point is a product of matrices over GF(2) with the digits of i, so that any point can be made by
// itself. Scrambling is Owen's nested one (A. B. Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences, 1995): a digit is turned by a
// random bit that depends on all digits before it. Here that bit is a hash of them. Rejected: a random shift of digits, which keeps
// the gaps of the sequence, and drops the extra order for smooth functions.

import { hashed } from "./random.js";
import { sobolDirections } from "./sobol-directions.js";

/** Digits of a coordinate, and with that the most points. */
const BITS = 32;

/** Direction numbers of a dimension, from 0 on; as 32-bit integers. */
function directionsOf(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  const [a = 0, ...m] = sobolDirections[dimension - 1] ?? [];
  const s = m.length;
  for (let k = 0; k < BITS; k++) {
    if (dimension === 0) v[k] = 2 ** (BITS - 1 - k);
    else if (k < s) v[k] = m[k]! * 2 ** (BITS - 1 - k);
    else {
      // v_k = a_1 v_(k-1) + ... + a_(s-1) v_(k-s+1) + v_(k-s) + v_(k-s) / 2^s, sums without carry.
      let word = v[k - s]! ^ (v[k - s]! >>> s);
      for (let j = 1; j < s; j++) if ((a >>> (s - 1 - j)) & 1) word ^= v[k - j]!;
      v[k] = word;
    }
  }
  return v;
}

/** A Sobol sequence of some dimensions. */
export class SobolSequence {
  readonly #directions: readonly Uint32Array[];
  readonly #seed: number | undefined;

  /** Without a seed the sequence as it is, which begins at the origin. */
  constructor(dimensions: number, seed?: number) {
    this.#directions = Array.from({ length: dimensions }, (_, j) => directionsOf(j));
    this.#seed = seed;
  }

  /** A coordinate of a point, in [0, 1): in (0, 1) if scrambled. */
  at(index: number, dimension: number): number {
    const v = this.#directions[dimension]!;
    // Gray code: points i and i + 1 differ by one direction, and the first 2^m points are the same set.
    const gray = (index ^ (index >>> 1)) >>> 0;
    let word = 0;
    for (let k = 0; k < BITS; k++) if ((gray >>> k) & 1) word ^= v[k]!;
    if (this.#seed === undefined) return (word >>> 0) / 2 ** BITS;
    const turned = scrambled(word >>> 0, this.#seed, dimension);
    // The middle of the last digit's interval: no point lies at an end, where distributions may be infinite.
    return (turned + 0.5) / 2 ** BITS;
  }
}

/** Each digit, turned by a hash of those before it. */
function scrambled(word: number, seed: number, dimension: number): number {
  const base = hashed(seed, 4, dimension);
  let turned = 0;
  for (let k = 0; k < BITS; k++) {
    const before = k === 0 ? 0 : word >>> (BITS - k);
    const digit = (word >>> (BITS - 1 - k)) & 1;
    turned = turned * 2 + (digit ^ (hashed(base, k, before) & 1));
  }
  return turned;
}
