// Scrambled Sobol sequences. The i-th point is a product of matrices over GF(2) with the digits of i, so points can be computed
// independently. Scrambling is Owen's nested one (A. B. Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences, 1995): a digit is
// flipped by a random bit that depends on all preceding digits. Here that bit is a hash of them. Rejected: a random digital shift,
// which keeps the gaps of the sequence and loses the extra order for smooth functions.

import { hashed } from "./random.js";
import { sobolDirections } from "./sobol-directions.js";

/** Number of bits of a coordinate; a sequence has at most 2^BITS points. */
const BITS = 32;

/** Direction numbers of a dimension, counted from 0, as 32-bit integers. */
function directionsOf(dimension: number): Uint32Array {
  const v = new Uint32Array(BITS);
  const [a = 0, ...m] = sobolDirections[dimension - 1] ?? [];
  const s = m.length;
  for (let k = 0; k < BITS; k++) {
    if (dimension === 0) v[k] = 2 ** (BITS - 1 - k);
    else if (k < s) v[k] = m[k]! * 2 ** (BITS - 1 - k);
    else {
      // v_k = a_1 v_(k-1) + ... + a_(s-1) v_(k-s+1) + v_(k-s) + v_(k-s) / 2^s, with sums without carry.
      let word = v[k - s]! ^ (v[k - s]! >>> s);
      for (let j = 1; j < s; j++) if ((a >>> (s - 1 - j)) & 1) word ^= v[k - j]!;
      v[k] = word;
    }
  }
  return v;
}

/** A Sobol sequence. */
export class SobolSequence {
  readonly #directions: readonly Uint32Array[];
  readonly #seed: number | undefined;

  /** Without a seed the sequence is not scrambled and starts at the origin. */
  constructor(dimensions: number, seed?: number) {
    this.#directions = Array.from({ length: dimensions }, (_, j) => directionsOf(j));
    this.#seed = seed;
  }

  /** Returns a coordinate of a point in [0, 1), or in (0, 1) if scrambled. */
  at(index: number, dimension: number): number {
    const v = this.#directions[dimension]!;
    // Gray code: points i and i + 1 differ by one direction, and the first 2^m points form the same set.
    const gray = (index ^ (index >>> 1)) >>> 0;
    let word = 0;
    for (let k = 0; k < BITS; k++) if ((gray >>> k) & 1) word ^= v[k]!;
    if (this.#seed === undefined) return (word >>> 0) / 2 ** BITS;
    const flipped = scrambled(word >>> 0, this.#seed, dimension);
    // Use the middle of the last digit's interval: quantiles may be infinite at 0 and 1.
    return (flipped + 0.5) / 2 ** BITS;
  }
}

/** Flips each digit by a hash of the preceding ones. */
function scrambled(word: number, seed: number, dimension: number): number {
  const base = hashed(seed, 4, dimension);
  let flipped = 0;
  for (let k = 0; k < BITS; k++) {
    const before = k === 0 ? 0 : word >>> (BITS - k);
    const digit = (word >>> (BITS - 1 - k)) & 1;
    flipped = flipped * 2 + (digit ^ (hashed(base, k, before) & 1));
  }
  return flipped;
}
