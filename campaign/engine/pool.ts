// Processes that run cases, using tinypool. Each worker has a pool of one process. If the process dies, its pool is discarded
// and the next one starts afresh. Rejected: one pool for all workers, which stops replacing processes once one has died during
// start-up. Rejected: threads. A case that runs out of memory, or user code that ends the process, costs one worker and not the
// campaign.

import { Tinypool } from "tinypool";
import { NodriftError } from "../../src/base/errors.js";
import type { StopSignal } from "../../src/solve.js";
import { CaseRunner } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import { type CaseWorker, inProcessWorker, type Work, WorkerLost } from "./case-worker.js";

/** Number of consecutive processes that may die during start-up. */
const MAX_FAILED_STARTS = 10;
/** Timeout of the start of a worker in seconds, and the time in addition to that of a case in which a module must load. */
const START_TIMEOUT_S = 120;
const LOAD_TIMEOUT_S = 30;

/** Entry point of the processes, next to this file in the package. */
const WORKER_FILE = new URL("./campaign-worker.js", import.meta.url);

const INLINE_PROGRAM = /^(-e|-p|-pe|--eval|--print|--input-type)$/;

/** Whether an option of this process also applies to files. Node rejects those of inline programs: `node --input-type=module -e ...` */
function isForFiles(option: string, index: number, all: readonly string[]): boolean {
  return ![option.split("=")[0]!, all[index - 1] ?? ""].some((each) => INLINE_PROGRAM.test(each));
}

/** Creates one worker: in this process, or in another one for modules, since only killing its process ends code that never returns. */
export async function singleWorker(plan: Plan, signal?: StopSignal): Promise<CaseWorker> {
  const isModule = plan.definition.model.kind === "module";
  return isModule ? new ProcessWorker(plan) : inProcessWorker(await CaseRunner.of(plan), signal);
}

/** A worker in a process of its own. */
export class ProcessWorker implements CaseWorker {
  readonly #plan: Plan;
  #pool: Tinypool | undefined;
  #failedStarts = 0;
  #isClosed = false;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  async run(indices: readonly number[], timeout: number): Promise<Work> {
    while (!this.#pool) {
      if (this.#isClosed) throw new WorkerLost("closed");
      await this.#start();
    }
    return this.#call<Work>(this.#pool, "work", { indices }, timeout);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#discardPool();
  }

  /** Starts a process. If it dies during start-up, no pool is left and the caller starts another; no case loses an attempt. */
  async #start(): Promise<void> {
    const pool = new Tinypool({
      filename: WORKER_FILE.href,
      runtime: "child_process",
      minThreads: 1,
      maxThreads: 1,
      serialization: "advanced",
      env: process.env as Record<string, string>,
      execArgv: process.execArgv.filter(isForFiles),
    });
    // The process died while idle; the next call starts another.
    pool.on("error", () => void this.#discardPool());
    this.#pool = pool;
    const { definition, digest } = this.#plan;
    const { maximumSeconds = START_TIMEOUT_S } = definition.limits ?? {};
    const timeout = Math.min(START_TIMEOUT_S, LOAD_TIMEOUT_S + maximumSeconds);
    let answer: string;
    try {
      answer = await this.#call<string>(pool, "begin", { definition }, timeout);
    } catch (error) {
      if (
        error instanceof WorkerLost &&
        !this.#isClosed &&
        ++this.#failedStarts < MAX_FAILED_STARTS
      )
        return;
      throw error instanceof WorkerLost && !this.#isClosed
        ? new NodriftError("STOPPED", `workers do not start: ${error.message}`)
        : error;
    }
    this.#failedStarts = 0;
    if (answer === digest) return;
    await this.#discardPool();
    throw new NodriftError(
      "STOPPED",
      "a worker has a different campaign digest: is another version installed?",
    );
  }

  async #call<R>(pool: Tinypool, name: string, task: object, timeout: number): Promise<R> {
    const late = new AbortController();
    // A delay beyond the range of timers would expire immediately.
    const timer = setTimeout(() => late.abort(), Math.min(1000 * timeout, 2 ** 31 - 1));
    try {
      return (await pool.run(task, { name, signal: late.signal })) as R;
    } catch (error) {
      await this.#discardPool();
      const { message, code } = error as Error & { readonly code?: unknown };
      // Mistakes of the campaign are reported unchanged; another worker would find the same.
      if (
        typeof code === "string" &&
        (error as Error).name.endsWith("Error") &&
        name === "begin" &&
        code === "DESCRIPTION"
      ) {
        throw new NodriftError("DESCRIPTION", message);
      }
      if (this.#isClosed) throw new WorkerLost("closed");
      const isLate = late.signal.aborted;
      if (isLate && name === "begin") {
        const what = this.#plan.definition.model.kind === "module" ? "the module" : "a worker";
        throw new NodriftError("STOPPED", `${what} did not load within ${timeout} s`);
      }
      throw new WorkerLost(isLate ? `no result within ${Math.round(timeout)} s` : message, isLate);
    } finally {
      clearTimeout(timer);
    }
  }

  async #discardPool(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    // It may have been destroyed already.
    await pool?.destroy().catch(() => {});
  }
}
