// Work and precision of several methods on the visitor's model.

import { readSystem } from "nodrift/files";
import { Comparison, type ComparisonOptions } from "../../src/tools/compare/comparison.js";
import type { Answer, CompareRequest } from "./protocol.js";

/** Seconds that a run may take. */
const PATIENCE = 3;
const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

export class Comparer {
  readonly #tell: (answer: Answer) => void;
  #stop = new AbortController();

  constructor(tell: (answer: Answer) => void) {
    this.#tell = tell;
  }

  /** Runs all methods; a newer comparison ends this one. */
  async run({ id, text, methods }: CompareRequest): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    const contest = {
      methods,
      tolerances: TOLERANCES,
      steps: undefined,
      maximumSeconds: PATIENCE,
    };
    const comparison = await comparisonOf(text, contest);
    let done = 0;
    for await (const attempt of comparison.run(stop.signal)) {
      if (stop.signal.aborted) return;
      const { size: total, referenceText: reference } = comparison;
      this.#tell({ kind: "attempt", id, attempt, done: ++done, total, reference });
    }
    if (!stop.signal.aborted) {
      this.#tell({ kind: "compared", id, reference: comparison.referenceText });
    }
  }
}

async function comparisonOf(text: string, contest: ComparisonOptions) {
  const file = readSystem(text);
  if ("system" in file) {
    return new Comparison(file.system, file.solveOptions(), contest);
  }
  const system = await file.compile();
  return new Comparison(system, file.solveOptions(system), contest);
}
