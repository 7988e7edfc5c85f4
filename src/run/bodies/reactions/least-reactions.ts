// Load sharing among redundant rows: first minimise out-of-plane reactions, then compliance energy.

import { minimise, type Sparse, separate } from "./load-sharing.js";

/** What a row adds to sums over joints: places among them, and factors. */
export type Parts = readonly (readonly [place: number, factor: number])[];

/** Sums that are to be least before the compliance energy: those of forces come first, then those of torques. */
export interface Sums {
  /** Of every row that takes part in one. */
  readonly partsOf: ReadonlyMap<number, Parts>;
  readonly forces: number;
  readonly count: number;
}

/** Parts of a sum that are rounding, among its terms. */
const ROUNDING = 1e-8;

/**
 * Changes multipliers by null vectors: the squares of the first sums become least, with what is left those of the
 * others, and with what is left then the compliance energy. Sums are written behind the multipliers, in the
 * values as in the null vectors, and are made least as multipliers are.
 */
export function shareBetween(
  multipliers: Float64Array,
  vectors: readonly Sparse[],
  compliance: Float64Array,
  sums?: Sums,
): void {
  const { partsOf = new Map<number, Parts>(), forces = 0, count = 0 } = sums ?? {};
  const rows = [...new Set([...vectors.flatMap((vector) => vector.rows), ...partsOf.keys()])];
  const placeOf = new Map(rows.map((row, place) => [row, place]));
  const [first, torques, end] = [rows.length, rows.length + forces, rows.length + count];
  const extended = (members: readonly number[], numbers: readonly number[]): Sparse => {
    const more = summed(members, numbers, partsOf);
    return {
      rows: [...members.map((row) => placeOf.get(row)!), ...more.map(([place]) => first + place)],
      values: [...numbers, ...more.map(([, sum]) => sum)],
    };
  };
  const values = new Float64Array(end);
  const start = extended(
    rows,
    rows.map((row) => multipliers[row]!),
  );
  for (const [i, place] of start.rows.entries()) values[place] = start.values[i]!;
  const along = separate(
    vectors.map((vector) => extended(vector.rows, vector.values)),
    first,
    torques,
  );
  const tilting = separate(along.rest, torques, end);
  minimise(values, along.own, new Float64Array(end).fill(1, first, torques));
  minimise(values, tilting.own, new Float64Array(end).fill(1, torques));
  const weights = new Float64Array(end);
  weights.set(rows.map((row) => compliance[row]!));
  minimise(values, tilting.rest, weights);
  for (const [place, row] of rows.entries()) multipliers[row] = values[place]!;
}

function summed(
  rows: readonly number[],
  numbers: readonly number[],
  partsOf: ReadonlyMap<number, Parts>,
): [place: number, sum: number][] {
  const found = new Map<number, [sum: number, size: number]>();
  for (const [i, row] of rows.entries()) {
    for (const [place, factor] of partsOf.get(row) ?? []) {
      const [sum, size] = found.get(place) ?? [0, 0];
      const term = factor * numbers[i]!;
      found.set(place, [sum + term, size + Math.abs(term)]);
    }
  }
  return [...found].flatMap(([place, [sum, size]]): [number, number][] =>
    Math.abs(sum) > ROUNDING * size ? [[place, sum]] : [],
  );
}
