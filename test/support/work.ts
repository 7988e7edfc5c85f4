// How much work something is: how often the pieces of code of this repository and of its libraries ran, loops and
// branches included. Unlike time, the same on every machine, busy or not.

import type { Profiler } from "node:inspector";
import { Session } from "node:inspector";

/** What an action gives, and how many runs of pieces of code that took. */
export function workOf<Result>(action: () => Result): { result: Result; work: number } {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  try {
    const result = action();
    return { result, work: takeWork(session) };
  } finally {
    session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}

function takeWork(session: Session): number {
  let work = 0;
  // Answers come before `post` returns: this thread asks itself.
  session.post("Profiler.takePreciseCoverage", (error, coverage) => {
    if (error) throw error;
    work = sumOf(coverage);
  });
  return work;
}

function sumOf({ result }: Profiler.TakePreciseCoverageReturnType): number {
  let sum = 0;
  for (const { functions } of result) {
    for (const { ranges } of functions) for (const { count } of ranges) sum += count;
  }
  return sum;
}
