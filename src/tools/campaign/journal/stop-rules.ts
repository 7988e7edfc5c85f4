// Rules that end a campaign. They are judged on cases in the order of their numbers, as far as these are done without a gap: the same
// cases then decide, however many workers there are and in whatever order they finish.

import type { Plan } from "../cases/plan.js";
import type { CaseResult } from "../cases/result.js";
import type { StopRule } from "../definition/options.js";
import { Running } from "./running.js";

/** Cases before which no rule is judged, where none is said. */
const LEAST = 100;

/** Judges cases one after the other. */
export class StopRules {
  readonly #rules: readonly {
    readonly rule: StopRule;
    readonly column: number;
    readonly running: Running;
  }[];
  #seen = 0;
  #failed = 0;

  constructor({ definition, columns }: Plan) {
    this.#rules = (definition.stop ?? []).map((rule) => ({
      rule,
      column: columns.indexOf(rule.output),
      running: new Running(),
    }));
  }

  /** Whether there are any. */
  get isNeeded(): boolean {
    return this.#rules.length > 0;
  }

  /** The next case. Gives why the campaign ends with it, or nothing. */
  see(result: CaseResult): string | undefined {
    this.#seen++;
    if (result.status === "failed") this.#failed++;
    let why: string | undefined;
    for (const { rule, column, running } of this.#rules) {
      const value = result.status === "done" ? result.outputs[column] : undefined;
      if (typeof value === "number") running.add(value);
      if (this.#seen >= (rule.least ?? LEAST)) why ??= this.#judge(rule, running);
    }
    return why;
  }

  #judge(rule: StopRule, running: Running): string | undefined {
    const { output, standardErrorBelow, relativeErrorBelow, failuresAbove } = rule;
    if (failuresAbove !== undefined) {
      const part = this.#failed / this.#seen;
      return part > failuresAbove ? `${this.#failed} of ${this.#seen} cases failed` : undefined;
    }
    const error = running.standardError;
    const bound = standardErrorBelow ?? (relativeErrorBelow ?? 0) * Math.abs(running.mean);
    if (!(error < bound)) return undefined;
    return `the mean of "${output}" is known to ${error.toPrecision(3)} after ${this.#seen} cases`;
  }
}
