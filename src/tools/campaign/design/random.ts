// Random numbers by their place: case and dimension in, number out. Nothing is kept between calls, so that cases can be made in any
// order, on any machine, and added later without a change to those there are. Integer arithmetic alone: the same bits everywhere.

/** An integer hash of 32 bits: two rounds of xor-shift and multiplication (constants of C. Wellons' lowbias32 search). */
function mixed(given: number): number {
  let x = given >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A hash of several whole numbers; of numbers above 2^32 both halves count. */
export function hashed(...numbers: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const each of numbers) {
    state = mixed(state ^ (each >>> 0));
    state = mixed(state + 0x85ebca6b + Math.floor(each / 2 ** 32));
  }
  return state;
}

/** A uniform number in (0, 1), never at its ends, of 52 bits: for a seed and a place. */
export function uniformAt(seed: number, ...place: readonly number[]): number {
  const high = hashed(seed, 1, ...place) >>> 6;
  const low = hashed(seed, 2, ...place) >>> 6;
  return (high * 2 ** 26 + low + 0.5) / 2 ** 52;
}

/** A random order of 0 to n - 1 (Fisher and Yates), for a seed and a place. */
export function permutationAt(
  count: number,
  seed: number,
  ...place: readonly number[]
): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(uniformAt(seed, 3, ...place, i) * (i + 1));
    const kept = order[i]!;
    order[i] = order[other]!;
    order[other] = kept;
  }
  return order;
}
