// Threads that share the work of `nodrift reproduce`. Times are measured meanwhile, one after the other, in a process of their own,
// whose clock of CPU time counts nothing else.

import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
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

const PROGRAM = new URL("./crew-worker.js", import.meta.url);

/** A thread or a process that does jobs. */
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

/** Does all jobs, the longest first, those that measure times in a process of their own. Ends early where Ctrl-C comes. */
export async function work(
  jobs: readonly Job[],
  signal: StopSignal,
  listener: Listener,
): Promise<void> {
  const crew = new Crew(jobs, signal, listener);
  const plain = jobs.filter((job) => !isTimed(job));
  const timed = jobs.filter(isTimed);
  const cores = availableParallelism() - (timed.length > 0 ? 1 : 0);
  const threads = Math.min(Math.max(cores, 1), MOST, plain.length);
  try {
    await Promise.all([crew.share(timed, 1, ownProcess), crew.share(plain, threads, thread)]);
  } finally {
    await crew.leave();
  }
}

class Crew {
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

  /** Each takes the next job when it has done one. */
  async share(jobs: readonly Job[], count: number, create: () => Worked): Promise<void> {
    const waiting = [...jobs].sort((a, b) => secondsOf(b) - secondsOf(a));
    const one = async () => {
      if (waiting.length === 0) return;
      const worker = create();
      this.#workers.add(worker);
      for (let job = waiting.shift(); job && !this.#signal.aborted; job = waiting.shift()) {
        const finding = await this.#do(worker, job);
        if (finding) this.#listener.found(finding);
      }
      await this.#dismiss(worker);
    };
    await Promise.all(Array.from({ length: count }, one));
  }

  async leave(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => this.#dismiss(worker)));
  }

  async #dismiss(worker: Worked): Promise<void> {
    this.#workers.delete(worker);
    await worker.end();
  }

  /** All that a job finds; nothing where Ctrl-C came in between. */
  #do({ events, start }: Worked, job: Job): Promise<Finding | undefined> {
    const [entries, figures]: [Entry[], DrawnFigure[]] = [[], []];
    return new Promise((resolve, reject) => {
      const finish = (result: Finding | Error | undefined) => {
        clearInterval(timer);
        events.off("message", hear).off("error", finish).off("exit", ended);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const timer = setInterval(() => {
        if (this.#signal.aborted) finish(undefined);
      }, LOOK);
      const ended = () =>
        finish(this.#signal.aborted ? undefined : new Error(`${job.of.name}: ended`));
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
      events.on("message", hear).on("error", finish).on("exit", ended);
      start(job.of.name);
    });
  }
}
