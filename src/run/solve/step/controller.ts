import { power } from "../../../ground/algebra/portable-power.js";

/** Bounds of a change of the step, and the part of the predicted one that is taken. */
const SAFETY = 0.9;
const LEAST = 0.2;
const MOST = 6;
/** Factor if a stage could not be evaluated, or the error was not a number. */
const AFTER_FAILURE = 0.1;
/** Errors below this count as zero. */
const NO_ERROR = 1e-10;

/**
 * Proportional-integral control of the step (Gustafsson, ACM TOMS 17 (1991) 533-554; Hairer & Wanner, Solving
 * ODEs II, section IV.2): with the error e of this step and that of the one before,
 *
 *   h_new = 0.9 h e^-(1/k - 0.75 b) e_before^b,   b = 0.4 / k,   k the order of the estimate.
 *
 * It does not grow right after a rejection.
 */
export class StepController {
  #before = 1e-4;
  #rejected = false;

  /** Factor for the step after one with this error, which was accepted. */
  accepted(error: number, errorOrder: number): number {
    const size = Math.max(error, NO_ERROR);
    const b = 0.4 / errorOrder;
    const wanted = SAFETY * power(size, 0.75 * b - 1 / errorOrder) * power(this.#before, b);
    const most = this.#rejected ? 1 : MOST;
    this.#before = Math.max(error, 1e-4);
    this.#rejected = false;
    return Math.min(Math.max(wanted, LEAST), most);
  }

  /** Factor for another attempt after one with this error; NaN when it could not be finished. */
  rejected(error: number, errorOrder: number): number {
    this.#rejected = true;
    if (!(error < Number.POSITIVE_INFINITY)) return AFTER_FAILURE;
    return Math.min(Math.max(SAFETY * power(error, -1 / errorOrder), LEAST), 0.9);
  }

  /** The motion begins again. */
  reset(): void {
    this.#before = 1e-4;
    this.#rejected = false;
  }

  save(): readonly number[] {
    return [this.#before, this.#rejected ? 1 : 0];
  }

  restore([before = 1e-4, rejected = 0]: readonly number[]): void {
    this.#before = before;
    this.#rejected = rejected === 1;
  }
}
