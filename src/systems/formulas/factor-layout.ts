// What written-out solves (solve-graph.ts) know of matrices, and where the numbers of their factor lie: L, 1 / D, P, W P,
// 1 / (P^T W P), R.

import type { Node } from "../../describe/expressions/graph.js";

/** What is known of the matrices: zeros and other constants. */
export interface SolveShape {
  readonly n: number;
  readonly m: number;
  /** M by columns, or its diagonal; undefined where a number is not constant. */
  readonly mass: readonly (number | undefined)[];
  readonly massIsDiagonal: boolean;
  readonly massIsConstant: boolean;
  /** J by rows. */
  readonly jacobian: readonly (number | undefined)[];
}

/** Where it all lies. */
export interface SolvePlaces {
  readonly mass: number;
  readonly jacobian: number;
  readonly forces: number;
  readonly velocities: number;
  /** Numbers of the factor: {@link factorSlots} of them. */
  readonly factor: number;
}

/** Numbers of the factor by name: constants, or what was computed. */
export interface FactorNodes {
  /** Of L below the diagonal: i, j. */
  readonly lower: Node[][];
  readonly inverse: Node[];
  /** By rows of J. */
  readonly p: Node[][];
  readonly wp: Node[][];
  readonly scale: Node[];
  /** R above the diagonal: j, k with j < k. */
  readonly r: Node[][];
}

/** Products of a factorisation beyond which loops in the general kernels are faster. */
const MOST = 6000;

/** Whether a system is small enough to have its solves written out. */
export function isWrittenOut({ n, m }: { readonly n: number; readonly m: number }): boolean {
  return (n * n * n) / 3 + m * n * n + 2 * n * m * m <= MOST;
}

/** Numbers in a factor: L, 1 / D, P, W P, 1 / (P^T W P), R. */
export function factorSlots(n: number, m: number): number {
  return n * n + n + 2 * n * m + m + m * m;
}

/** Places in the factor of n coordinates and m rows, counted in numbers. */
export class FactorLayout {
  readonly #n: number;
  readonly #m: number;

  constructor(n: number, m: number) {
    this.#n = n;
    this.#m = m;
  }

  lower(i: number, j: number): number {
    return i * this.#n + j;
  }

  inverse(i: number): number {
    return this.#n * this.#n + i;
  }

  /** P has rows 0 to m - 1, W P those behind. */
  row(k: number, i: number): number {
    return this.#n * (this.#n + 1 + k) + i;
  }

  scale(k: number): number {
    return this.#n * (this.#n + 1 + 2 * this.#m) + k;
  }

  triangle(j: number, k: number): number {
    return this.scale(this.#m) + j * this.#m + k;
  }
}
