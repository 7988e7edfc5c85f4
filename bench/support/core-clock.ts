// Time as it would be on a core of one's own. On a machine that others use too a wall clock measures them; the kernel of Linux knows for
// each thread how long it ran and how long it was ready and waited for a core (Documentation/scheduler/sched-stats.rst).

import { readdirSync, readFileSync } from "node:fs";

/** Of a process, in seconds since some beginning. */
export interface CoreTime {
  /** Of all threads together, on cores. */
  readonly busy: number;
  /** Of the main thread: of the clock on the wall, less its waiting for a core. */
  readonly own: number;
  /** Of the main thread, on a core. */
  readonly main: number;
}

function schedule(pid: number, thread: number | string): readonly [ran: number, waited: number] {
  const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
  const [ran = 0, waited = 0] = text.split(" ").map((word) => Number(word) / 1e9);
  return [ran, waited];
}

/** The times of a process now. Elsewhere than on Linux: of the wall clock, and of this process only. */
export function coreTime(pid = process.pid): CoreTime {
  const wall = performance.now() / 1000;
  try {
    const [main, waited] = schedule(pid, pid);
    let busy = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) busy += schedule(pid, thread)[0];
    return { busy, own: wall - waited, main };
  } catch {
    return { busy: wall, own: wall, main: wall };
  }
}

/** Processes that this one has started. */
export function ownChildren(): number[] {
  try {
    return readdirSync("/proc/self/task").flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, "utf8")
        .split(" ")
        .filter(Boolean)
        .map(Number),
    );
  } catch {
    return [];
  }
}
