// Simultaneous impacts at several stops. With rates r of the contacts (positive if they close) before the impact,
// impulses l >= 0 that open them, W l the rates they remove, and coefficients of restitution e, Moreau's law is
//
//   0 <= l   perpendicular to   W l - r - e max(r, 0) >= 0
//
// (Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988): contacts with an impulse leave at e
// times their closing speed, others leave faster. W is symmetric positive semidefinite: the active set is found by
// exchanging the worst contact (Keller), each set solved exactly. Rejected: one contact after the other, whose result
// depends on their order if a mechanism is symmetric.

/** Rates closer than this fraction of the largest are equal. */
const RATE_TOLERANCE = 1e-12;

/** Returns the impulses l; `target` is r + e max(r, 0). W is row-major. */
export function impactImpulses(W: readonly Float64Array[], target: readonly number[]): number[] {
  const count = target.length;
  const size = target.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const active = target.map((value) => value > 0);
  let impulses: number[] = [];
  // Each exchange lowers the remaining energy, so only finitely many sets occur.
  for (let exchange = 0; exchange < 4 * count + 8; exchange++) {
    impulses = solveActive(W, target, active);
    const pulled = indexOfLargest(impulses.map((value, i) => (active[i] ? -value : 0)));
    if (pulled >= 0) {
      active[pulled] = false;
      continue;
    }
    const short = target.map((value, i) =>
      active[i] ? 0 : value - product(W[i]!, impulses) - RATE_TOLERANCE * size,
    );
    const closing = indexOfLargest(short);
    if (closing < 0) return impulses;
    active[closing] = true;
  }
  return impulses.map((value) => Math.max(value, 0));
}

/** Index of the largest positive value; -1 if none is positive. */
function indexOfLargest(values: readonly number[]): number {
  let index = -1;
  for (const [i, value] of values.entries()) {
    if (value > 0 && (index < 0 || value > values[index]!)) index = i;
  }
  return index;
}

function product(row: Float64Array, x: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + row[i]! * value, 0);
}

/** Solves W l = target on the active set by elimination; l is zero elsewhere. Dependent contacts carry no impulse. */
function solveActive(
  W: readonly Float64Array[],
  target: readonly number[],
  active: readonly boolean[],
): number[] {
  const set = target.flatMap((_, i) => (active[i] ? [i] : []));
  const rows = set.map((i) => [...set.map((j) => W[i]![j]!), target[i]!]);
  const pivots: number[] = [];
  for (const [k, row] of rows.entries()) {
    const largest = W[set[k]!]![set[k]!]!;
    if (!(row[k]! > 1e-10 * largest)) {
      pivots.push(-1);
      continue;
    }
    pivots.push(k);
    for (const other of rows) {
      if (other === row) continue;
      const factor = other[k]! / row[k]!;
      for (let j = 0; j < row.length; j++) other[j] = other[j]! - factor * row[j]!;
    }
  }
  const found = target.map(() => 0);
  for (const [k, pivot] of pivots.entries()) {
    if (pivot >= 0) found[set[k]!] = rows[k]!.at(-1)! / rows[k]![k]!;
  }
  return found;
}
