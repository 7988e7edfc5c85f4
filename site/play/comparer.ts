// Work-precision comparison of several methods on the current model.

import { compare } from "nodrift/compare";
import type { Answer } from "./protocol.js";
import type { Subject } from "./subject.js";

/** Maximum seconds per run. */
const MAX_RUN_S = 3;
const TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
let stop = new AbortController();

/** Compares methods on a model; a newer comparison cancels this one. */
export async function compareMethods(
  { id, methods }: { readonly id: number; readonly methods: readonly string[] },
  subject: Subject,
  report: (answer: Answer) => void,
): Promise<void> {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  let done = 0;
  const compared = await compare(subject.system, {
    ...subject.solveOptions(),
    methods,
    tolerances: TOLERANCES,
    maximumSeconds: MAX_RUN_S,
    signal,
    each: (attempt, { total, reference }) => {
      if (!signal.aborted) report({ kind: "attempt", id, attempt, done: ++done, total, reference });
    },
  });
  if (!signal.aborted) report({ kind: "compared", id, reference: compared.reference });
}
