// Matrix structure for generated solves (solve-graph.ts), and the layout of their factor: L, 1 / D, P, W P, 1 / (P^T W
// P), R.

import type { Node } from "../../formulas/expressions/graph.js";

/** Known structure of the matrices: zeros and other constants. */
export interface SolveShape {
  readonly n: number;
  readonly m: number;
  /** M, column-major, or its diagonal; undefined for an entry that is not constant. */
  readonly mass: readonly (number | undefined)[];
  readonly massIsDiagonal: boolean;
  readonly massIsConstant: boolean;
  /** J, row-major. */
  readonly jacobian: readonly (number | undefined)[];
}

/** Addresses. */
export interface SolvePlaces {
  readonly mass: number;
  readonly jacobian: number;
  readonly forces: number;
  readonly velocities: number;
  /** Address of the factor, of {@link factorSlots} slots. */
  readonly factor: number;
}

/** Values of the factor by name: constants, or computed nodes. */
export interface FactorNodes {
  /** L below the diagonal: i, j. */
  readonly lower: Node[][];
  readonly inverse: Node[];
  /** P, by rows of J. */
  readonly p: Node[][];
  readonly wp: Node[][];
  readonly scale: Node[];
  /** R above the diagonal: j, k with j < k. */
  readonly r: Node[][];
}

/** Number of products in a factorisation above which loops in the general kernels are faster. */
const MAX_UNROLLED_PRODUCTS = 6000;

/** Returns whether a system is small enough for generated solves. */
export function isWrittenOut({ n, m }: { readonly n: number; readonly m: number }): boolean {
  return (n * n * n) / 3 + m * n * n + 2 * n * m * m <= MAX_UNROLLED_PRODUCTS;
}

/** Number of values in a factor: L, 1 / D, P, W P, 1 / (P^T W P), R. */
export function factorSlots(n: number, m: number): number {
  return n * n + n + 2 * n * m + m + m * m;
}

/** Offsets in the factor of n coordinates and m rows, in slots. */
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

  /** P has rows 0 to m - 1; the rows of W P follow. */
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
