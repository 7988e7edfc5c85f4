/**
 * Relative size below which a constraint counts as dependent on the others. It is far above the rounding errors of a
 * repeated row (a few eps) and far below relevant sizes: on the examples of Braun and Goldfarb everything up to 1e-6
 * gives the same motion.
 */
export const RANK_TOLERANCE = 1e-12;

/** First and last tolerance of a search for the rank. */
const FIRST_TOLERANCE = 1e-7;
const MAX_TOLERANCE = 1e-2;

/**
 * Searches for the tolerance with which a decomposition finds the generic rank of the rows, and no more. Redundancy of
 * spatial loops holds on the constraints only. At a state that violates them by 1e-9, repeated rows are independent by
 * 1e-9, far more than {@link RANK_TOLERANCE}, and solving with them amplifies the 1e-9 to arbitrary accelerations. No
 * single tolerance serves, since rows of heavy bodies may be as weak. So the rank decides, and the tolerance follows.
 *
 * Rejected: a fixed tolerance of 1e-6 for redundant rows, which drops rows between bodies whose masses differ by 1e12.
 */
export class RankSearch {
  /** Tolerance of the next factorisation. */
  tolerance = 0;
  #limit = 0;
  #least = 0;
  #direction = 0;

  /** Begins a search for rows of which at most `limit` are independent. */
  begin(limit: number, rows: number, tolerance: number): void {
    this.#limit = limit < rows ? limit : Number.POSITIVE_INFINITY;
    this.#least = tolerance;
    this.#direction = 0;
    this.tolerance = limit < rows ? Math.max(tolerance, FIRST_TOLERANCE) : tolerance;
  }

  /**
   * Returns whether to factor again with another {@link tolerance}: a higher one if the rank is too high, a lower one
   * if it is too low.
   */
  again(rank: number): boolean {
    const { tolerance } = this;
    if (rank > this.#limit) {
      if (this.#direction < 0 || tolerance >= MAX_TOLERANCE) return false;
      this.#direction = 1;
      this.tolerance = 10 * tolerance;
      return true;
    }
    if (rank === this.#limit || this.#limit === Number.POSITIVE_INFINITY) return false;
    if (this.#direction > 0 || tolerance <= this.#least) return false;
    this.#direction = -1;
    this.tolerance = Math.max(this.#least, tolerance / 10);
    return true;
  }
}
