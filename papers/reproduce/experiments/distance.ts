/** |a - b|. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(...Array.from(a, (value, i) => value - (b[i] as number)));
}

/** |a - b| / |b|. */
export function relativeDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return distance(a, b) / Math.hypot(...Array.from(b));
}
