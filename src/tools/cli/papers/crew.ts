// Threads that share the work of `nodrift reproduce`. Where times are measured, one works alone.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { StopSignal } from "../../../solve.js";
import type { DrawnFigure, Entry } from "../../reproduce/index.js";
import { type CrewMessage, type Finding, isTimed, type Job, secondsOf } from "./job.js";

/** Threads at most: the longest table takes longer than a share of all others among more. */
const MOST = 4;
/** Milliseconds between looks whether Ctrl-C came. */
const LOOK = 40;

/** Who wants to know. */
export interface Listener {
  /** From 0 to 1, and what was just found. */
  progress(fraction: number, text: string): void;
  /** A job came to its end. */
  found(finding: Finding): void;
}

/** Does all jobs, the longest first, those that measure times last and alone. Ends early where Ctrl-C comes. */
export async function work(
  jobs: readonly Job[],
  signal: StopSignal,
  listener: Listener,
): Promise<void> {
  const crew = new Crew(jobs, signal, listener);
  const plain = jobs.filter((job) => !isTimed(job));
  try {
    await crew.share(plain, Math.min(availableParallelism(), MOST, plain.length));
    await crew.share(jobs.filter(isTimed), 1);
  } finally {
    await crew.leave();
  }
}

class Crew {
  readonly #signal: StopSignal;
  readonly #listener: Listener;
  readonly #total: number;
  readonly #workers = new Set<Worker>();
  #done = 0;

  constructor(jobs: readonly Job[], signal: StopSignal, listener: Listener) {
    this.#signal = signal;
    this.#listener = listener;
    this.#total = jobs.reduce((sum, job) => sum + secondsOf(job), 0);
  }

  /** Each thread takes the next job when it has done one. */
  async share(jobs: readonly Job[], threads: number): Promise<void> {
    const waiting = [...jobs].sort((a, b) => secondsOf(b) - secondsOf(a));
    const one = async () => {
      if (waiting.length === 0) return;
      const worker = new Worker(new URL("./crew-worker.js", import.meta.url));
      this.#workers.add(worker);
      for (let job = waiting.shift(); job && !this.#signal.aborted; job = waiting.shift()) {
        const finding = await this.#do(worker, job);
        if (finding) this.#listener.found(finding);
      }
      await this.#dismiss(worker);
    };
    await Promise.all(Array.from({ length: threads }, one));
  }

  async leave(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.#dismiss(worker)));
  }

  async #dismiss(worker: Worker): Promise<void> {
    this.#workers.delete(worker);
    await worker.terminate();
  }

  /** All that a job finds; nothing where Ctrl-C came in between. */
  #do(worker: Worker, job: Job): Promise<Finding | undefined> {
    const [entries, figures]: [Entry[], DrawnFigure[]] = [[], []];
    return new Promise((resolve, reject) => {
      const finish = (result: Finding | Error | undefined) => {
        clearInterval(timer);
        worker.off("message", hear).off("error", finish);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const timer = setInterval(() => {
        if (this.#signal.aborted) finish(undefined);
      }, LOOK);
      const hear = (message: CrewMessage) => {
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
      worker.on("message", hear).on("error", finish);
      worker.postMessage(job.of.name);
    });
  }
}
