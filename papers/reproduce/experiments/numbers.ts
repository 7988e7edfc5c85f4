/** A state with three coordinates as a tuple, since the compiler does not know its length. */
export function three(state: ArrayLike<number>): readonly [number, number, number] {
  return state as unknown as readonly [number, number, number];
}

/** |a - b|. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(...Array.from(a, (value, i) => value - (b[i] as number)));
}

/** |a - b| / |b|. */
export function relativeDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return distance(a, b) / Math.hypot(...Array.from(b));
}

/** Returns a uniform random value in [-1, 1). */
export type Random = () => number;

const MULTIPLIER = 48271;
const MODULUS = 2 ** 31 - 1;
const FORGOTTEN = 8;

/**
 * The minimal standard generator (Park and Miller, Comm. ACM 31 (1988) 1192-1201; the multiplier is
 * that of their answer of 1993). Products stay below 2^53, so all engines return the same values.
 */
export function seeded(seed: number): Random {
  let state = seed;
  const random = () => {
    state = (MULTIPLIER * state) % MODULUS;
    return (2 * state) / MODULUS - 1;
  };
  // Small seeds begin near -1.
  for (let i = 0; i < FORGOTTEN; i++) random();
  return random;
}
