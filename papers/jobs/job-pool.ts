// Worker threads of `nodrift reproduce`. Timed jobs run meanwhile, one at a time, in a separate process,
// whose CPU clock counts nothing else.

import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { StopSignal } from "../../src/solve.js";
import type { DrawnFigure, Entry } from "../reproduce/index.js";
import { isTimed, type Job, type JobMessage, type JobResult, secondsOf } from "./job.js";

/** More threads gain nothing: the longest table then takes longer than a thread's share of the others. */
const MAX_THREADS = 4;
/** Interval between checks for Ctrl-C, in milliseconds. */
const ABORT_POLL_MS = 40;

/** Progress callbacks. */
export interface Listener {
  /** Reports the completed fraction, from 0 to 1, and the latest result. */
  progress(fraction: number, text: string): void;
  /** Reports a finished job. */
  found(finding: JobResult): void;
}

const PROGRAM = new URL("./job-worker.js", import.meta.url);

/** A thread or a process that runs jobs. */
interface Worked {
  readonly events: EventEmitter;
  start(name: string): void;
  end(): unknown;
}

function thread(): Worked {
  const worker = new Worker(PROGRAM);
  return {
    events: worker,
    start: (name) => worker.postMessage(name),
    end: () => worker.terminate(),
  };
}

function ownProcess(): Worked {
  const child = fork(fileURLToPath(PROGRAM), { serialization: "advanced" });
  return { events: child, start: (name) => child.send(name), end: () => child.kill() };
}

/** Runs all jobs, longest first; timed jobs run in a separate process. Stops on Ctrl-C. */
export async function work(
  jobs: readonly Job[],
  signal: StopSignal,
  listener: Listener,
): Promise<void> {
  const pool = new JobPool(jobs, signal, listener);
  const plain = jobs.filter((job) => !isTimed(job));
  const timed = jobs.filter(isTimed);
  const cores = availableParallelism() - (timed.length > 0 ? 1 : 0);
  const threads = Math.min(Math.max(cores, 1), MAX_THREADS, plain.length);
  try {
    await Promise.all([pool.runOn(timed, 1, ownProcess), pool.runOn(plain, threads, thread)]);
  } finally {
    await pool.close();
  }
}

class JobPool {
  readonly #signal: StopSignal;
  readonly #listener: Listener;
  readonly #total: number;
  readonly #workers = new Set<Worked>();
  #done = 0;

  constructor(jobs: readonly Job[], signal: StopSignal, listener: Listener) {
    this.#signal = signal;
    this.#listener = listener;
    this.#total = jobs.reduce((sum, job) => sum + secondsOf(job), 0);
  }

  /** Runs jobs on `count` workers; each takes the next job when it has finished one. */
  async runOn(jobs: readonly Job[], count: number, create: () => Worked): Promise<void> {
    const waiting = [...jobs].sort((a, b) => secondsOf(b) - secondsOf(a));
    const one = async () => {
      if (waiting.length === 0) return;
      const worker = create();
      this.#workers.add(worker);
      for (let job = waiting.shift(); job && !this.#signal.aborted; job = waiting.shift()) {
        const finding = await this.#do(worker, job);
        if (finding) this.#listener.found(finding);
      }
      await this.#terminate(worker);
    };
    await Promise.all(Array.from({ length: count }, one));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.#terminate(worker)));
  }

  async #terminate(worker: Worked): Promise<void> {
    this.#workers.delete(worker);
    await worker.end();
  }

  /** Runs a job and returns its results; undefined if aborted by Ctrl-C. */
  #do({ events, start }: Worked, job: Job): Promise<JobResult | undefined> {
    const [entries, figures]: [Entry[], DrawnFigure[]] = [[], []];
    return new Promise((resolve, reject) => {
      const finish = (result: JobResult | Error | undefined) => {
        clearInterval(timer);
        events.off("message", onMessage).off("error", finish).off("exit", ended);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const timer = setInterval(() => {
        if (this.#signal.aborted) finish(undefined);
      }, ABORT_POLL_MS);
      const ended = () =>
        finish(this.#signal.aborted ? undefined : new Error(`${job.of.name}: ended`));
      const onMessage = (message: JobMessage) => {
        if (message.kind === "entry") entries.push(message.entry);
        else if (message.kind === "figure") figures.push(message.figure);
        else if (message.kind === "failed") finish(new Error(`${job.of.name}: ${message.reason}`));
        else {
          this.#done += secondsOf(job);
          finish({ job, entries, figures, seconds: message.seconds });
        }
        const last = entries.at(-1)?.quantity ?? figures.at(-1)?.title ?? "";
        this.#listener.progress(this.#done / this.#total, `${job.of.name}: ${last}`);
      };
      events.on("message", onMessage).on("error", finish).on("exit", ended);
      start(job.of.name);
    });
  }
}
