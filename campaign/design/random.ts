// Counter-based random numbers: functions of seed, case and dimension. No state is kept between calls, so cases can be computed in
// any order and on any machine, and added later without changing the others. Integer arithmetic makes the bits the same everywhere.

/** An integer hash of 32 bits: two rounds of xor-shift and multiplication (constants of C. Wellons' lowbias32 search). */
function mixed(given: number): number {
  let x = given >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Hash of several integers; of integers above 2^32 both halves are used. */
export function hashed(...numbers: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const each of numbers) {
    state = mixed(state ^ (each >>> 0));
    state = mixed(state + 0x85ebca6b + Math.floor(each / 2 ** 32));
  }
  return state;
}

/** A uniform random number of 52 bits in the open interval (0, 1), for a seed and a counter. */
export function uniformAt(seed: number, ...counter: readonly number[]): number {
  const high = hashed(seed, 1, ...counter) >>> 6;
  const low = hashed(seed, 2, ...counter) >>> 6;
  return (high * 2 ** 26 + low + 0.5) / 2 ** 52;
}

/** A random permutation of 0 to n - 1 (Fisher and Yates), for a seed and a counter. */
export function permutationAt(
  count: number,
  seed: number,
  ...counter: readonly number[]
): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(uniformAt(seed, 3, ...counter, i) * (i + 1));
    const kept = order[i]!;
    order[i] = order[other]!;
    order[other] = kept;
  }
  return order;
}
