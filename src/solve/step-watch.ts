import type { State } from "../contracts.js";
import type { Leg } from "./leg.js";

/** Steps between two looks, and looks in a row that make a system stiff. */
const EVERY = 10;
const IN_ROW = 8;
/** h |lambda| from which stability limits the step: about the real stability interval of each order. */
const LIMITS = { upTo5: 3.25, upTo8: 6.1 } as const;

/** Notices when steps are limited by stability instead of accuracy. */
export class StepWatch<T extends State> {
  #steps = 0;
  #inRow = 0;

  save(): readonly number[] {
    return [this.#steps, this.#inRow];
  }

  restore([steps = 0, inRow = 0]: readonly number[]): void {
    this.#steps = steps;
    this.#inRow = inRow;
  }

  /** Looks at a step that has been judged, but not been committed. True at the one that shows it, once. */
  look({ motion }: Leg<T>, h: number): boolean {
    const stiffness = motion.native?.stiffness;
    if (!stiffness || this.#steps++ % EVERY !== 0 || this.#inRow >= IN_ROW) return false;
    if (motion.order > 8) return false;
    const limit = motion.order <= 5 ? LIMITS.upTo5 : LIMITS.upTo8;
    this.#inRow = stiffness(h) > limit ? this.#inRow + 1 : 0;
    return this.#inRow === IN_ROW;
  }
}
