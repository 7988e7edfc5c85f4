import { type Sampled, TwoOrders } from "./difference-orders.js";

/**
 * Steps are h = RATIO R at most, R the length over which the function varies: |f^(k)| = A / R^(k - 1), A the size of f'.
 * The error of order 6, RATIO^6 / 140 = 2e-14, is then that of rounding, 2 eps / RATIO = 4e-14.
 */
export const RATIO = 0.012;
/** What orders 4 and 6 may differ by in f', in units of A, and in h f'': both say that R is long enough. */
const ODD_ALLOWED = RATIO ** 4 / 30;
const EVEN_ALLOWED = RATIO ** 5 / 90;

/** Entries this small against the largest of their row are judged as if they were this large: they may be rounding. */
const NEGLIGIBLE = 1e-4;
/** Tests finite-difference steps by comparing two orders. */
export class DifferenceStepTest {
  readonly orders: TwoOrders;
  /** The last step that was measured changed nothing. */
  isSilent = false;
  /** Largest |f'| of each row by any argument. */
  largest: Float64Array;
  /** The same of those noted since {@link begin}. */
  readonly #seen: Float64Array<ArrayBuffer>;

  constructor(count: number, rows: number, sample: Sampled) {
    this.orders = new TwoOrders(count, rows, sample);
    this.largest = new Float64Array(rows);
    this.#seen = new Float64Array(rows);
  }

  /** Before arguments are measured and noted. */
  begin(): void {
    this.#seen.fill(0);
  }

  /** All arguments have been noted. */
  end(): void {
    this.largest.set(this.#seen);
  }

  /** How well a step does. Infinity where the function has no values. */
  measure(j: number, h: number): number {
    const { first, second, firstOff, secondOff } = this.orders;
    this.isSilent = false;
    try {
      this.orders.derive(j, h);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    let worst = 0;
    this.isSilent = true;
    for (let row = 0; row < this.orders.first.length; row++) {
      if (first[row] !== 0 || second[row] !== 0) this.isSilent = false;
      const own = Math.max(
        Math.abs(first[row] as number),
        Math.abs((second[row] as number) * h) / RATIO,
      );
      const size = Math.max(own, NEGLIGIBLE * (this.largest[row] as number));
      if (size === 0) continue;
      const odd = Math.abs(firstOff[row] as number) / (size * ODD_ALLOWED);
      const even = Math.abs((secondOff[row] as number) * h) / (size * EVEN_ALLOWED);
      if (!(odd + even < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
      worst = Math.max(worst, odd, even);
    }
    return worst;
  }

  /** By how much of their size the first derivatives of two orders differ. */
  disagreement(j: number, h: number): number {
    const { first, firstOff } = this.orders;
    this.orders.derive(j, h);
    let worst = 0;
    for (let row = 0; row < this.orders.first.length; row++) {
      const size = Math.max(Math.abs(first[row] as number), (this.largest[row] as number) / 8);
      if (size > 0) worst = Math.max(worst, Math.abs(firstOff[row] as number) / size);
    }
    return worst;
  }

  /** The argument that was measured counts among those whose f' is compared. */
  note(): void {
    for (let row = 0; row < this.orders.first.length; row++) {
      const size = Math.abs(this.orders.first[row] as number);
      if (size < Number.POSITIVE_INFINITY) {
        this.#seen[row] = Math.max(this.#seen[row] as number, size);
      }
    }
  }
}
