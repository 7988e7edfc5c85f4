/**
 * Reference implementation of the projective criterion: of all sets of `count` coordinates in the order they are taken, each the
 * one whose direction W e_i has the largest part in the span of Z without those before it (by Gram-Schmidt on vectors
 * of full length).
 */
export function naiveDeflection(
  n: number,
  z: readonly (readonly number[])[],
  w: readonly (readonly number[])[],
): number[] {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i], 0);
  const projected = w.map((direction) => {
    const length = Math.sqrt(dot(direction, direction));
    return direction.map((_, i) =>
      z.reduce((sum, basis) => sum + (dot(basis, direction) / length) * basis[i], 0),
    );
  });
  const taken: number[] = [];
  const space: number[][] = [];
  while (taken.length < z.length) {
    const rest = projected.map((vector) =>
      space.reduce((left, unit) => {
        const along = dot(unit, left);
        return left.map((value, i) => value - along * unit[i]);
      }, vector),
    );
    const sizes = rest.map((vector, i) => (taken.includes(i) ? -1 : dot(vector, vector)));
    const best = sizes.indexOf(Math.max(...sizes));
    taken.push(best);
    space.push(rest[best].map((value) => value / Math.sqrt(sizes[best])));
  }
  return Array.from({ length: n }, (_, i) => (taken.includes(i) ? 1 : 0));
}
