// `nodrift`: the command line.

import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { Worker } from "node:worker_threads";
import { bytes } from "../../report/numbers.js";
import { writeAtomically } from "../terminal/atomic-file.js";
import {
  type Bar,
  EXIT,
  type Fallback,
  Flag,
  fileErrorText,
  type InputResponse,
  MAX_MODEL_BYTES,
  type TemporaryFile,
  type Work,
  type WorkerMessage,
} from "../terminal/terminal.js";

// Cleans up files whose writer was stopped before they were complete.

/** Size in bytes of the blocks in which the last line end is searched. */
const SEARCH_BLOCK_BYTES = 65_536;
const LINE_END = 10;

/** Removes a temporary file if possible. */
function removeTemporary({ path }: TemporaryFile): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its name marks it as a temporary file.
  }
}

/** Keeps the complete lines of a table under a name that marks it as partial; removes other files. Returns a note. */
function keepPartial(file: TemporaryFile): string[] {
  const { path, partial } = file;
  if (partial === undefined) {
    removeTemporary(file);
    return [];
  }
  try {
    const size = cutToLines(path);
    if (size === 0) removeTemporary(file);
    else renameSync(path, partial);
    return size === 0 ? [] : [`  kept  ${partial} (${bytes(size)}), the rows computed so far`];
  } catch (error) {
    removeTemporary(file);
    return [`  ${fileErrorText(error as NodeJS.ErrnoException, partial)}`];
  }
}

/** Truncates a file after its last line end. Returns the remaining size in bytes. */
function cutToLines(path: string): number {
  const file = openSync(path, "r+");
  try {
    const piece = Buffer.alloc(SEARCH_BLOCK_BYTES);
    let end = fstatSync(file).size;
    while (end > 0) {
      const from = Math.max(0, end - SEARCH_BLOCK_BYTES);
      const length = readSync(file, piece, 0, end - from, from);
      const last = piece.subarray(0, length).lastIndexOf(LINE_END);
      end = last < 0 ? from : from + last + 1;
      if (last >= 0) break;
    }
    ftruncateSync(file, end);
    fsyncSync(file);
    return end;
  } finally {
    closeSync(file);
  }
}

/** Writes a text and returns a note about it. */
function writeFallback({ path, text }: { readonly path: string; readonly text: string }): string {
  try {
    return `  written  ${path} (${bytes(writeAtomically(path, text))})`;
  } catch (error) {
    return `  ${(error as Error).message}`;
  }
}

// Standard streams, which may be closed, full, or pipes without a reader.

class Streams {
  /** Whether standard error is an interactive terminal. */
  readonly isInteractive: boolean;
  /** Whether results can have colours. */
  readonly hasColours: boolean;
  /** Error of standard output; results are lost. */
  outputProblem: string | undefined;
  #hasReader = true;

  /** `onOutputClosed` is called when standard output is closed. */
  constructor(onOutputClosed: () => void) {
    const { stdout, stderr, env } = process;
    this.isInteractive = stderr.isTTY === true && env.TERM !== "dumb";
    this.hasColours = Boolean(
      env.FORCE_COLOR || (stdout.isTTY && !env.NO_COLOR && env.TERM !== "dumb"),
    );
    stdout.on("error", (error: NodeJS.ErrnoException) => {
      this.#hasReader = false;
      onOutputClosed();
      // The reader may stop early, as `| head` does; that is not an error.
      if (error.code !== "EPIPE") this.outputProblem ??= fileErrorText(error, "standard output");
    });
    // If standard error is closed, nothing can be reported.
    stderr.on("error", () => {});
  }

  print(text: string): void {
    if (this.#hasReader) process.stdout.write(`${text}\n`);
  }

  log(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Waits, at most 100 ms, until both streams have been flushed. */
  async flushed(): Promise<void> {
    const gone = [process.stdout, process.stderr].map(
      (stream) => new Promise((resolve) => stream.write("", resolve)),
    );
    const late = new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.race([Promise.all(gone), late]);
  }
}

/** Reads all of standard input, up to the largest size of a model. */
async function readInput(): Promise<InputResponse> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > MAX_MODEL_BYTES)
        return {
          problem: `standard input is too large for a model; the limit is ${bytes(MAX_MODEL_BYTES)}`,
        };
    }
    return { text: Buffer.concat(parts).toString("utf8") };
  } catch (error) {
    return { problem: fileErrorText(error as NodeJS.ErrnoException, "standard input") };
  }
}

// The main thread owns signals and standard streams while a worker computes, so signals are handled immediately.

/** Milliseconds after a signal in which a command may finish, and in which its thread may then terminate. */
const GRACE_PERIOD_MS = 550;
const TERMINATE_TIMEOUT_MS = 350;
const FORCED_TERMINATE_TIMEOUT_MS = 50;

/** Runs the command given by the arguments and returns the exit code. */
function perform(args: readonly string[]): Promise<number> {
  return new Host(args).finished;
}

class Host {
  readonly finished: Promise<number>;
  readonly #flags = new Int32Array(new SharedArrayBuffer(4 * Flag.LENGTH));
  readonly #streams = new Streams(() => void Atomics.store(this.#flags, Flag.outputClosed, 1));
  readonly #worker: Worker;
  readonly #files = new Map<string, TemporaryFile>();
  readonly #name: string;
  #fallback: Fallback | undefined;
  #bar: Promise<Bar> | undefined;
  #finish: (code: number) => void = () => {};
  #isEnding = false;

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
    this.#worker.on("message", (report: WorkerMessage) => this.#handleMessage(report));
    this.#worker.on("error", (error) => this.#handleCrash(error));
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => void this.#signal(signal));
    }
  }

  #handleMessage(report: WorkerMessage): void {
    const { kind } = report;
    if (kind === "print") this.#streams.print(report.text);
    else if (kind === "log") this.#streams.log(report.text);
    else if (kind === "bar") this.#showBar(report.fraction, report.text ?? "");
    else if (kind === "input") void readInput().then((input) => this.#worker.postMessage(input));
    else if (kind === "fileStarted") this.#files.set(report.file.path, report.file);
    else if (kind === "fileFinished") this.#files.delete(report.path);
    else if (kind === "fallback") this.#fallback = report.fallback;
    else void this.#end(report.code);
  }

  /** Shows the progress bar, which is loaded on first use. Progress before it is loaded is not shown. */
  #showBar(fraction: number | undefined, text: string): void {
    if (fraction === undefined) {
      void this.#bar?.then((bar) => bar.stop());
      this.#bar = undefined;
      return;
    }
    this.#bar ??= import("../terminal/progress.js").then(({ progressBar }) => progressBar());
    void this.#bar.then((bar) => bar.update(fraction, text));
  }

  /** The first signal requests a stop; the second terminates the worker. */
  async #signal(signal: NodeJS.Signals): Promise<void> {
    if (Atomics.exchange(this.#flags, Flag.stop, 1) === 0) {
      setTimeout(() => void this.#abandon(signal), GRACE_PERIOD_MS).unref();
      return;
    }
    this.#isEnding = true;
    for (const file of this.#files.values()) removeTemporary(file);
    exitProcess(signal, await this.#halt(FORCED_TERMINATE_TIMEOUT_MS));
  }

  /** Terminates a worker that does not finish in time; the results it has reported are kept. */
  async #abandon(signal: NodeJS.Signals): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const isHalted = await this.#halt(TERMINATE_TIMEOUT_MS);
    this.#reportKept("stopped before it finished");
    await this.#streams.flushed();
    exitProcess(signal, isHalted);
  }

  /** Handles the death of the worker: out of memory, or an internal error. */
  async #handleCrash(error: Error & { readonly code?: string }): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await this.#halt(TERMINATE_TIMEOUT_MS);
    this.#reportKept(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? "out of memory: store fewer states (--rate, --until) or raise NODE_OPTIONS=--max-old-space-size=8000"
        : `internal error in nodrift, please report it\n${error.stack}`,
    );
    this.#finish(EXIT.bad);
  }

  /** Terminates the worker. Returns false after a timeout in milliseconds: system calls cannot be interrupted. */
  #halt(timeout: number): Promise<boolean> {
    this.#showBar(undefined, "");
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), timeout).unref();
    });
    return Promise.race([this.#worker.terminate().then(() => true), late]);
  }

  #reportKept(why: string): void {
    const { print = "", files = [] } = this.#fallback ?? {};
    const kept = [...this.#files.values()].flatMap(keepPartial);
    const written = files.map(writeFallback);
    if (print !== "") this.#streams.print(print);
    this.#streams.log(`nodrift ${this.#name}: ${why}`);
    for (const line of [...kept, ...written]) this.#streams.log(line);
  }

  async #end(code: number): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await this.#halt(TERMINATE_TIMEOUT_MS);
    const { outputProblem } = this.#streams;
    if (outputProblem !== undefined) this.#streams.log(`nodrift ${this.#name}: ${outputProblem}`);
    this.#finish(outputProblem === undefined ? code : EXIT.files);
  }
}

/** Ends the process; by the signal itself if the worker has not terminated, since exit would wait for it. */
function exitProcess(signal: NodeJS.Signals, isHalted: boolean): void {
  if (isHalted) process.exit(EXIT.interrupted);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

process.exitCode = await perform(process.argv.slice(2));
