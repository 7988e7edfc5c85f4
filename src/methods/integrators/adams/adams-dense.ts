import { HIGHEST_ORDER } from "./adams-weights.js";
import { at, scaledDifferences } from "./differences.js";

const WIDTH = HIGHEST_ORDER + 1;

/**
 * Weights of the slopes in the rows of dense output, from row 4 on: the rows before make the cubic with the
 * values and slopes of both ends. The slopes at u_0 = 1, u_1, ..., u_k in units of the step have the polynomial
 * Q = sum of f[u_0, ..., u_j] prod over l < j of (s - u_l). The products are written in the functions
 *
 *   A_0 = 1, A_1 = s, A_2 = s (s - 1), A_3 = s^2 (s - 1), ...   with   s A_m = A_(m+1) + (m odd) A_m,
 *   A_m' = m A_(m-1) -+ floor(m / 2) A_(m-2)   (- for even m, + for odd m),
 *
 * and integrated there; A_4 and those after it vanish with their slopes at both ends.
 */
export class AdamsDense {
  /** Row m begins at {@link stride} m: the weight of the slope at the end, then u_1, u_2, ... */
  readonly rows = new Float64Array((HIGHEST_ORDER + 2) * WIDTH);
  readonly stride = WIDTH;
  /** u_0 = 1, u_1, ...: to be written before {@link prepare}. */
  readonly nodes = new Float64Array(WIDTH);
  readonly #scales = new Float64Array(WIDTH);
  readonly #table = new Float64Array(WIDTH * WIDTH);
  readonly #product = new Float64Array(WIDTH);
  readonly #integral = new Float64Array(WIDTH + 1);

  /** Rows 4 to k + 1, from the slope at the end and k slopes before it. */
  prepare(k: number): void {
    const { nodes, rows } = this;
    this.#scales[0] = 1;
    for (let l = 1; l <= k; l++) this.#scales[l] = 1 - at(nodes, l);
    scaledDifferences(nodes, this.#scales, k + 1, this.#table, WIDTH);
    rows.fill(0);
    this.#product.fill(0);
    this.#product[0] = 1;
    for (let j = 0; j <= k; j++) {
      if (j >= 3) this.#addIntegral(j);
      if (j < k) this.#multiply(j);
    }
  }

  /** The product times (s - u_j) / scale_j. */
  #multiply(j: number): void {
    const product = this.#product;
    const node = at(this.nodes, j);
    const scale = at(this.#scales, j);
    for (let m = j + 1; m >= 0; m--) {
      const from = m > 0 ? at(product, m - 1) : 0;
      product[m] = (from + ((m & 1) - node) * at(product, m)) / scale;
    }
  }

  /** Adds difference j times the integral of the product, which has degree j + 1. */
  #addIntegral(j: number): void {
    const integral = this.#integral;
    integral.fill(0);
    for (let m = j + 1; m >= 4; m--) {
      const half = (m + 1) >> 1;
      const above = m <= j ? half * at(integral, m + 1) : 0;
      const left = at(this.#product, m - 1) - (m & 1 ? -above : above);
      integral[m] = left / m;
      // Row m multiplies (-1)^floor(m / 2) A_m.
      const sign = (m >> 1) & 1 ? -1 : 1;
      for (let i = 0; i <= j; i++) {
        const place = m * WIDTH + i;
        this.rows[place] =
          at(this.rows, place) + sign * at(integral, m) * at(this.#table, j * WIDTH + i);
      }
    }
  }
}
