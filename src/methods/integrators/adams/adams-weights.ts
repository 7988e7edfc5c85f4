import { at, scaledDifferences } from "./differences.js";

/** The highest order, that of Shampine and Gordon. */
export const HIGHEST_ORDER = 12;

/**
 * Differences that magnify the roundings of the slopes by more than this are meaningless: slopes that lie too
 * close together for the step are left out.
 */
const MOST_MAGNIFIED = 1e4;

/**
 * Weights of the slopes in one step of a variable-step Adams method. In units of the step the slopes lie at
 * x_0 = 0 > x_1 > ..., the end at 1. With the functions of Newton scaled to be 1 at the end,
 *
 *   w_m(s) = prod over l < m of (s - x_l) / (1 - x_l),     g_(m+1) = integral of w_m over [0, 1],
 *
 * and the differences D_m = prod (1 - x_l) f[x_0, ..., x_m], the predictor of order k is y + h sum over m < k
 * of g_(m+1) D_m, the slope it expects at the end is e = sum D_m, and the corrector of order k + 1 adds
 * h g_(k+1) (f - e) to it (Shampine and Gordon, Computer Solution of ODEs, 1975, chapter 5;
 * Hairer, Norsett and Wanner, Solving ODEs I, section III.5: their g_(j,1)).
 *
 * Only falls d_m = g_(m+1) - g_(m+2) = (integral of (1 - s) w_m) / (1 - x_m) > 0 are computed, from moments
 * that are sums of positive terms, and each weight is a sum of terms of one sign: nothing cancels.
 */
export class AdamsWeights {
  /** Weights last asked for: that of the slope at the end, then those at x_0, x_1, ... */
  readonly weights = new Float64Array(HIGHEST_ORDER + 1);
  readonly #table = new Float64Array(HIGHEST_ORDER * HIGHEST_ORDER);
  readonly #distances = new Float64Array(HIGHEST_ORDER);
  readonly #falls = new Float64Array(HIGHEST_ORDER);
  readonly #moments = new Float64Array(HIGHEST_ORDER + 1);

  /** Takes the places of the slopes; gives how many of them can be used, the latest first. */
  prepare(nodes: Float64Array, count: number): number {
    for (let l = 0; l < count; l++) this.#distances[l] = 1 - at(nodes, l);
    scaledDifferences(nodes, this.#distances, count, this.#table, HIGHEST_ORDER);
    this.#findFalls(nodes, count);
    for (let m = 1; m < count; m++) {
      let magnified = 0;
      for (let i = 0; i <= m; i++) magnified += Math.abs(at(this.#table, m * HIGHEST_ORDER + i));
      if (!(magnified <= MOST_MAGNIFIED)) return m;
    }
    return count;
  }

  /** The explicit formula of order k: Adams-Bashforth, if the steps are equal. */
  predictor(k: number): void {
    this.weights.fill(0);
    let g = 1;
    for (let m = 0; m < k; m++) {
      this.#add(m, g);
      g -= at(this.#falls, m);
    }
  }

  /** The implicit formula of order k + 1: Adams-Moulton, if the steps are equal. */
  corrector(k: number): void {
    this.weights.fill(0);
    let fallen = 0;
    for (let m = k - 1; m >= 0; m--) {
      fallen += at(this.#falls, m);
      this.#add(m, fallen);
    }
    this.weights[0] = 1 - fallen;
  }

  /** The implicit formula of order k + 1 less that of order k: the error of the latter. */
  error(k: number): void {
    this.weights.fill(0);
    const fall = at(this.#falls, k - 1);
    for (let m = 0; m < k; m++) this.#add(m, fall);
    this.weights[0] = -fall;
  }

  /** Adds a multiple of the difference D_m. */
  #add(m: number, factor: number): void {
    const { weights } = this;
    for (let i = 0; i <= m; i++) {
      weights[i + 1] = at(weights, i + 1) + factor * at(this.#table, m * HIGHEST_ORDER + i);
    }
  }

  /** Moments are integrals of s^p (1 - s) w_m(s), for m = 0, 1, ... in place. */
  #findFalls(nodes: Float64Array, count: number): void {
    const moments = this.#moments;
    for (let p = 0; p < count; p++) moments[p] = 1 / ((p + 1) * (p + 2));
    for (let m = 0; m < count; m++) {
      const distance = at(this.#distances, m);
      this.#falls[m] = at(moments, 0) / distance;
      for (let p = 0; p < count - 1 - m; p++) {
        moments[p] = (at(moments, p + 1) - at(nodes, m) * at(moments, p)) / distance;
      }
    }
  }
}
