// Work-precision comparison of several methods on the current model.

import { MethodComparison } from "../../src/compare/comparison.js";
import type { Answer, CompareRequest } from "./protocol.js";
import type { Subject } from "./subject.js";

/** Maximum seconds per run. */
const MAX_RUN_S = 3;
const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

export class Comparer {
  readonly #report: (answer: Answer) => void;
  #stop = new AbortController();

  constructor(report: (answer: Answer) => void) {
    this.#report = report;
  }

  /** Runs all methods; a newer comparison cancels this one. */
  async run({ id, methods }: CompareRequest, subject: Subject): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    const contest = {
      methods,
      tolerances: TOLERANCES,
      steps: undefined,
      maximumSeconds: MAX_RUN_S,
    };
    const comparison = new MethodComparison(subject.system, subject.solveOptions(), contest);
    let done = 0;
    for await (const attempt of comparison.run(stop.signal)) {
      if (stop.signal.aborted) return;
      const { size: total, referenceText: reference } = comparison;
      this.#report({ kind: "attempt", id, attempt, done: ++done, total, reference });
    }
    if (!stop.signal.aborted) {
      this.#report({ kind: "compared", id, reference: comparison.referenceText });
    }
  }
}
