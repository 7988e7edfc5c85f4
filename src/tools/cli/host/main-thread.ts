// The main thread: owns signals and standard streams while a worker computes, so signals are handled at once.

import { Worker } from "node:worker_threads";
import type { Bar } from "../terminal/bar.js";
import {
  type Fallback,
  Flag,
  type TemporaryFile,
  type Work,
  type WorkerMessage,
} from "../terminal/messages.js";
import { readInput, Streams } from "../terminal/streams.js";
import { EXIT } from "../terminal/terminal.js";
import { keepPartial, removeTemporary, writeFallback } from "../written/partial-files.js";

/** Milliseconds after a signal in which the work may come to its end by itself; and that a thread may take to stop. */
const PATIENCE = 550;
const LAST = 350;
const AT_ONCE = 50;

/** Does what the arguments say, and gives the exit code. */
export function perform(args: readonly string[]): Promise<number> {
  return new Host(args).finished;
}

class Host {
  readonly finished: Promise<number>;
  readonly #flags = new Int32Array(new SharedArrayBuffer(4 * Flag.LENGTH));
  readonly #streams = new Streams(() => void Atomics.store(this.#flags, Flag.deaf, 1));
  readonly #worker: Worker;
  readonly #files = new Map<string, TemporaryFile>();
  readonly #name: string;
  #fallback: Fallback | undefined;
  #bar: Promise<Bar> | undefined;
  #finish: (code: number) => void = () => {};
  #isOver = false;

  constructor(args: readonly string[]) {
    this.#name = args[0] ?? "";
    const { isInteractive, hasColours } = this.#streams;
    const work: Work = { args, flags: this.#flags, isInteractive, hasColours };
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#worker = new Worker(new URL("./cli-worker.js", import.meta.url), {
      workerData: work,
    });
    this.#worker.on("message", (report: WorkerMessage) => this.#hear(report));
    this.#worker.on("error", (error) => this.#break(error));
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => void this.#signal(signal));
    }
  }

  #hear(report: WorkerMessage): void {
    const { kind } = report;
    if (kind === "print") this.#streams.print(report.text);
    else if (kind === "tell") this.#streams.tell(report.text);
    else if (kind === "bar") this.#showBar(report.fraction, report.text ?? "");
    else if (kind === "input") void readInput().then((input) => this.#worker.postMessage(input));
    else if (kind === "begun") this.#files.set(report.file.path, report.file);
    else if (kind === "over") this.#files.delete(report.aside);
    else if (kind === "fallback") this.#fallback = report.fallback;
    else void this.#end(report.code);
  }

  /** Loaded for interactive terminals. Progress before it is loaded is not shown. */
  #showBar(fraction: number | undefined, text: string): void {
    if (fraction === undefined) {
      void this.#bar?.then((bar) => bar.stop());
      this.#bar = undefined;
      return;
    }
    this.#bar ??= import("../terminal/progress.js").then(({ progressBar }) => progressBar());
    void this.#bar.then((bar) => bar.update(fraction, text));
  }

  /** The first asks the work to end; the second ends it. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    if (Atomics.exchange(this.#flags, Flag.stop, 1) === 0) {
      setTimeout(() => void this.#giveUp(signal), PATIENCE).unref();
      return;
    }
    this.#isOver = true;
    for (const file of this.#files.values()) removeTemporary(file);
    leave(signal, await this.#halt(AT_ONCE));
  }

  /** The work does not come to its end: what it has reported is kept. */
  async #giveUp(signal: NodeJS.Signals): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const isHalted = await this.#halt(LAST);
    this.#tellKept("stopped before it finished");
    await this.#streams.flushed();
    leave(signal, isHalted);
  }

  /** The thread died: of memory, or of a mistake of ours. */
  async #break(error: Error & { readonly code?: string }): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#halt(LAST);
    this.#tellKept(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? "out of memory: store fewer states (--rate, --until) or raise NODE_OPTIONS=--max-old-space-size=8000"
        : `internal error in nodrift, please report it\n${error.stack}`,
    );
    this.#finish(EXIT.bad);
  }

  /** Ends the thread. False if it has not ended within the given milliseconds: system calls cannot be interrupted. */
  #halt(patience: number): Promise<boolean> {
    this.#showBar(undefined, "");
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), patience).unref();
    });
    return Promise.race([this.#worker.terminate().then(() => true), late]);
  }

  #tellKept(why: string): void {
    const { print = "", files = [] } = this.#fallback ?? {};
    const kept = [...this.#files.values()].flatMap(keepPartial);
    const written = files.map(writeFallback);
    if (print !== "") this.#streams.print(print);
    this.#streams.tell(`nodrift ${this.#name}: ${why}`);
    for (const line of [...kept, ...written]) this.#streams.tell(line);
  }

  async #end(code: number): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#halt(LAST);
    const { outputProblem } = this.#streams;
    if (outputProblem !== undefined) this.#streams.tell(`nodrift ${this.#name}: ${outputProblem}`);
    this.#finish(outputProblem === undefined ? code : EXIT.files);
  }
}

/** Ends the process. By the signal itself where a thread does not end, for which an exit would wait. */
function leave(signal: NodeJS.Signals, isHalted: boolean): void {
  if (isHalted) process.exit(EXIT.interrupted);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
