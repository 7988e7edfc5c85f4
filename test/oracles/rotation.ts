/** w~, with w~ v = w x v; by columns. */
export function crossMatrix([x, y, z]: ArrayLike<number> & Iterable<number>): Float64Array {
  return Float64Array.of(0, z, -y, -z, 0, x, y, -x, 0);
}

/** Euler parameters of a rotation by an angle about a unit axis. */
export function aboutAxis(axis: readonly number[], angle: number): Float64Array {
  return Float64Array.of(Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2)));
}

/** The matrix of a rotation by an angle about a unit axis: Rodrigues' formula, by columns. */
export function rodrigues(axis: readonly number[], angle: number): Float64Array {
  const cross = crossMatrix(Float64Array.from(axis));
  return Float64Array.from({ length: 9 }, (_, at) => {
    const [i, j] = [at % 3, Math.floor(at / 3)];
    const straight = i === j ? Math.cos(angle) : 0;
    return straight + Math.sin(angle) * cross[at] + (1 - Math.cos(angle)) * axis[i] * axis[j];
  });
}
