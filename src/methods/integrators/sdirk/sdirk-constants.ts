import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { SdirkTableau } from "./tableau.js";

/** Weights of displacements, in the arena. */
export interface SdirkConstants {
  /** Rows of alpha. */
  readonly known: readonly Address[];
  /** First guesses of all stages but the first. */
  readonly guesses: readonly Address[];
  /** z_s - sum e_i z_i. */
  readonly error: Address;
  /** Rows of the interpolant after the first two. */
  readonly dense: readonly Address[];
}

export function sdirkConstants(tableau: SdirkTableau, workspace: Workspace): SdirkConstants {
  const { name, alpha, embedded, guesses, dense } = tableau;
  const list = (what: string, rows: readonly (readonly number[])[]) =>
    rows.map((row, k) => workspace.constants(`${name} ${what} ${k}`, row));
  return {
    known: list("row", alpha),
    guesses: list("guess", [...guesses, embedded]),
    error: workspace.constants(`${name} error`, [...embedded.map((weight) => -weight), 1]),
    dense: list("dense row", nestedRows(dense)),
  };
}

/**
 * Rows c2, c3, c4 of c1 s + c2 s (1 - s) + c3 s^2 (1 - s) + c4 s^2 (1 - s)^2 for a polynomial given by rows of s,
 * s^2, s^3 and s^4. In those products, b1 to b4,
 *
 *   s^2 = b1 - b2,   s^3 = b1 - b2 - b3,   s^4 = b1 - b2 - 2 b3 + b4.
 */
function nestedRows([, second = [], third = [], fourth = []]: readonly (readonly number[])[]) {
  const at = (row: readonly number[], i: number) => row[i] as number;
  return [
    second.map((value, i) => -(value + at(third, i) + at(fourth, i))),
    third.map((value, i) => -(value + 2 * at(fourth, i))),
    fourth,
  ];
}

/**
 * Writes the weights of the displacements of the last step in y(t + s h) - y(t + h): its dense output extrapolated
 * beyond its end.
 */
export function extrapolate({ dense }: SdirkTableau, s: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let k = dense.length - 1; k >= 0; k--) sum = s * (sum + (dense[k]?.[i] as number));
    out[i] = i === out.length - 1 ? sum - 1 : sum;
  }
}
