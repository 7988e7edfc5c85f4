// Time as on a dedicated core. On a shared machine wall time includes other processes; the Linux kernel reports for
// each thread its running time and the time it was ready and waited for a core
// (Documentation/scheduler/sched-stats.rst).

import { readdirSync, readFileSync } from "node:fs";

/** Times of a process, in seconds since an arbitrary origin. */
export interface CoreTime {
  /** CPU time of all threads together. */
  readonly busy: number;
  /** Wall time of the main thread, minus its waiting for a core. */
  readonly own: number;
  /** CPU time of the main thread. */
  readonly main: number;
}

function schedule(pid: number, thread: number | string): readonly [ran: number, waited: number] {
  const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
  const [ran = 0, waited = 0] = text.split(" ").map((word) => Number(word) / 1e9);
  return [ran, waited];
}

/** The times of a process now. On systems other than Linux: wall time, and of this process only. */
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
