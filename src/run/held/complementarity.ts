// Impacts at several stops at once. With rates r of the contacts (positive where they close) before the impact, impulses l >= 0
// that open them, W l the rates they take away, and coefficients of restitution e, Moreau's law is
//
//   0 <= l   perpendicular to   e r+ ... :   W l - r - e max(r, 0) >= 0
//
// (Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988): contacts with an impulse leave with e times
// the speed they closed with, others leave faster. W is symmetric and not negative: the active set is found by exchange of
// the worst contact (Keller), each set solved exactly. Rejected: one contact after the other, whose result depends on
// their order where a mechanism is symmetric.

/** Rates closer than this part of the largest are the same. */
const ROUNDING = 1e-12;

/** Impulses l; `target` is r + e max(r, 0). W by rows. */
export function impactImpulses(W: readonly Float64Array[], target: readonly number[]): number[] {
  const count = target.length;
  const size = target.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const active = target.map((value) => value > 0);
  let impulses: number[] = [];
  // Each exchange lowers the energy that is left: there are finitely many sets.
  for (let exchange = 0; exchange < 4 * count + 8; exchange++) {
    impulses = solved(W, target, active);
    const pulled = worst(impulses.map((value, i) => (active[i] ? -value : 0)));
    if (pulled >= 0) {
      active[pulled] = false;
      continue;
    }
    const short = target.map((value, i) =>
      active[i] ? 0 : value - product(W[i]!, impulses) - ROUNDING * size,
    );
    const closing = worst(short);
    if (closing < 0) return impulses;
    active[closing] = true;
  }
  return impulses.map((value) => Math.max(value, 0));
}

/** The index of the largest positive number; -1 where there is none. */
function worst(values: readonly number[]): number {
  let index = -1;
  for (const [i, value] of values.entries()) {
    if (value > 0 && (index < 0 || value > values[index]!)) index = i;
  }
  return index;
}

function product(row: Float64Array, x: readonly number[]): number {
  return x.reduce((sum, value, i) => sum + row[i]! * value, 0);
}

/** W l = target on the active set, zero elsewhere, by elimination. Contacts that follow from others carry nothing. */
function solved(
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
