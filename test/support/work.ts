// Amount of work of an action: executions of code blocks of this repository and of its libraries, loops and
// branches included. Unlike time, the same on every machine, busy or not.

import type { Profiler } from "node:inspector";
import { Session } from "node:inspector";

/** Returns the result of an action, and the number of executed code blocks. */
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
  // The response arrives before `post` returns, as this thread inspects itself.
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
