import type { State } from "../contracts.js";
import type { Leg } from "./leg.js";

/** Steps between two looks, and looks in a row that make a system stiff. */
const EVERY = 10;
const IN_ROW = 8;
/** h |lambda| from which stability limits the step: about the real stability interval of each order. */
const LIMITS = { upTo5: 3.25, upTo8: 6.1 } as const;

const REMEDY =
  "Strong springs or dampers do that: an implicit method, or softer ones, would take longer steps";
const ODE_REMEDY = "An implicit integrator would take longer ones";

/** Notices when steps are limited by stability instead of accuracy. */
export class StepWatch<T extends State> {
  readonly #notes: string[];
  #steps = 0;
  #inRow = 0;

  constructor(notes: string[]) {
    this.#notes = notes;
  }

  save(): readonly number[] {
    return [this.#steps, this.#inRow];
  }

  restore([steps = 0, inRow = 0]: readonly number[]): void {
    this.#steps = steps;
    this.#inRow = inRow;
  }

  /** Looks at a step that has been judged, but not been committed. */
  look({ motion, system }: Leg<T>, t: number, h: number): void {
    const stiffness = motion.native?.stiffness;
    if (!stiffness || this.#steps++ % EVERY !== 0 || this.#inRow >= IN_ROW) return;
    if (motion.order > 8) return;
    const limit = motion.order <= 5 ? LIMITS.upTo5 : LIMITS.upTo8;
    this.#inRow = stiffness(h) > limit ? this.#inRow + 1 : 0;
    if (this.#inRow === IN_ROW) {
      const start = `the motion is stiff from about t = ${t}: stability, not accuracy, limits the steps.`;
      this.#notes.push(`${start} ${system.ode ? ODE_REMEDY : REMEDY}`);
    }
  }
}
