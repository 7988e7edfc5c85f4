// Least squares whose rows differ by many powers of ten.

import { lengthFrom, longestFrom, reflect, reflector } from "./householder.js";

/** Relative to the weight of a row: smaller entries are rounding. */
const NOISE = 1e-13;

/** Equations sum c_j columns[j] = target, one per row, and the rounding level of each. */
interface Equations {
  readonly columns: readonly Float64Array[];
  readonly target: Float64Array;
  readonly noise: Float64Array;
}

/**
 * Coefficients c with the least |sum c_j a_j - b|, where the a_j are orthonormal columns times the weights of their
 * rows, and rows come in blocks, one for each body, of about the same weight.
 *
 * Blocks are processed one by one, the heaviest first, by Householder QR that pivots columns by length and rows by the
 * largest entry in the pivot column: backward stable row by row (Powell & Reid 1969; Cox & Higham 1998). The
 * remainder of a row is then rounding, and is removed before lighter blocks follow, together with the constraint
 * force of a heavy body. Rejected: all rows together, however pivoted. Some 1e-16 of the heavy rows stays in the
 * motions of light ones; times the constraint force, over the inertia of a light body, that is 1e-3 at a ratio of
 * 1e12.
 */
export function weightedLeastSquares(
  columns: readonly Float64Array[],
  b: Float64Array,
  weights: Float64Array,
  block = 6,
): Float64Array {
  if (columns.length === 0) return new Float64Array(0);
  const blocks = Array.from({ length: b.length / block }, (_, i) => block * i);
  const heaviest = (first: number) => Math.max(...weights.subarray(first, first + block));
  blocks.sort((i, j) => heaviest(j) - heaviest(i));
  let known: Equations = {
    columns: columns.map(() => new Float64Array(0)),
    target: new Float64Array(0),
    noise: new Float64Array(0),
  };
  for (const first of blocks) {
    const part = (x: Float64Array) => x.subarray(first, first + block);
    known = reduced({
      columns: columns.map((column, j) => joined(known.columns[j], part(column))),
      target: joined(known.target, part(b)),
      noise: joined(
        known.noise,
        part(weights).map((weight) => NOISE * weight),
      ),
    });
  }
  return solved(known);
}

/** The independent equations, with the same solution. */
function reduced({ columns, target: b, noise: least }: Equations): Equations {
  const r = columns.map((column) => column.slice());
  const [target, noise] = [b.slice(), least.slice()];
  const order = r.map((_, j) => j);
  let rank = 0;
  for (; rank < Math.min(r.length, target.length); rank++) {
    const k = rank;
    for (let j = k; j < r.length; j++) clean(r[j], k, noise);
    const best = longestFrom(r, k);
    if (lengthFrom(r[best], k) === 0) break;
    swap(r, k, best);
    swap(order, k, best);
    const row = largestFrom(r[k], k);
    for (const list of [...r, target, noise]) swap(list, k, row);
    const u = reflector(r[k], k);
    for (let j = k; j < r.length; j++) reflect(u, k, r[j]);
    // Entries that are zero up to rounding.
    r[k].fill(0, k + 1);
    reflect(u, k, target);
  }
  const back = r.map((_, j) => r[order.indexOf(j)].slice(0, rank));
  return { columns: back, target: target.slice(0, rank), noise: noise.slice(0, rank) };
}

/** Solves independent equations, one per unknown. */
function solved({ columns, target }: Equations): Float64Array {
  const c = new Float64Array(columns.length);
  const left = target.slice();
  const unknown = new Set(columns.keys());
  // The last equation has one unknown, the one before it two: columns are those of a triangle in some order.
  for (let k = columns.length - 1; k >= 0; k--) {
    const [j] = [...unknown].sort((a, b) => last(columns[b]) - last(columns[a]));
    c[j] = left[k] / columns[j][k];
    for (let i = 0; i < k; i++) left[i] -= columns[j][i] * c[j];
    unknown.delete(j);
  }
  return c;
}

/** The last entry that is not zero. */
function last(column: Float64Array): number {
  let i = column.length - 1;
  while (i >= 0 && column[i] === 0) i--;
  return i;
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  return Float64Array.of(...a, ...b);
}

function clean(column: Float64Array, first: number, noise: Float64Array): void {
  for (let i = first; i < column.length; i++) if (Math.abs(column[i]) < noise[i]) column[i] = 0;
}

function largestFrom(column: Float64Array, first: number): number {
  let best = first;
  for (let i = first; i < column.length; i++) {
    if (Math.abs(column[i]) > Math.abs(column[best])) best = i;
  }
  return best;
}

function swap<T>(list: { [index: number]: T }, i: number, j: number): void {
  const kept = list[i];
  list[i] = list[j];
  list[j] = kept;
}
