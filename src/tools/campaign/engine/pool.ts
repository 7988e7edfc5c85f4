// Processes that run cases, by tinypool. A seat has a pool of one process: a process that dies takes its pool with it, and the next has
// no memory of it. (One pool for all stops replacing processes once one has died while it was starting.) Processes, not threads: a case
// that runs out of memory, or code of users that ends the process, costs one worker and not the campaign.

import { Tinypool } from "tinypool";
import { NodriftError } from "../../../ground/errors.js";
import type { StopSignal } from "../../../solve.js";
import { CaseRunner } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import { ownSeat, type Seat, type Work, WorkerLost } from "./seat.js";

/** Processes in a row that die while they start, after which a seat gives up. */
const DEATHS = 10;
/** Seconds that a worker may take to start, and what a module may take longer to load than a case to run. */
const START = 120;
const LOADING = 30;

/** The file that processes run, beside this one in the package. */
const FILE = new URL("./campaign-worker.js", import.meta.url);

const TEXT = /^(-e|-p|-pe|--eval|--print|--input-type)$/;

/** Whether an option of this process holds for files too. Node refuses those of programs that are text: `node --input-type=module -e ...` */
function isForFiles(option: string, index: number, all: readonly string[]): boolean {
  return ![option.split("=")[0]!, all[index - 1] ?? ""].some((each) => TEXT.test(each));
}

/** One seat: in this process, unless a module runs. One that never gives control back is ended with its process, which cannot be this one. */
export async function oneSeat(plan: Plan, signal?: StopSignal): Promise<Seat> {
  const isModule = plan.definition.model.kind === "module";
  return isModule ? new ProcessSeat(plan) : ownSeat(await CaseRunner.of(plan), signal);
}

/** A seat in a process of its own. */
export class ProcessSeat implements Seat {
  readonly #plan: Plan;
  #pool: Tinypool | undefined;
  #deaths = 0;
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
    await this.#drop();
  }

  /** Starts a process. One that dies of it has cost no case a try: nothing is there then, and another is started. */
  async #start(): Promise<void> {
    const pool = new Tinypool({
      filename: FILE.href,
      runtime: "child_process",
      minThreads: 1,
      maxThreads: 1,
      serialization: "advanced",
      env: process.env as Record<string, string>,
      execArgv: process.execArgv.filter(isForFiles),
    });
    // A process that dies while it waits: the next call finds out.
    pool.on("error", () => void this.#drop());
    this.#pool = pool;
    const { definition, digest } = this.#plan;
    const { maximumSeconds = START } = definition.limits ?? {};
    const timeout = Math.min(START, LOADING + maximumSeconds);
    let answer: string;
    try {
      answer = await this.#call<string>(pool, "begin", { definition }, timeout);
    } catch (error) {
      if (error instanceof WorkerLost && !this.#isClosed && ++this.#deaths < DEATHS) return;
      throw error instanceof WorkerLost && !this.#isClosed
        ? new NodriftError("STOPPED", `workers do not start: ${error.message}`)
        : error;
    }
    this.#deaths = 0;
    if (answer === digest) return;
    await this.#drop();
    throw new NodriftError(
      "STOPPED",
      "a worker understands the campaign differently: is another version installed?",
    );
  }

  async #call<R>(pool: Tinypool, name: string, task: object, timeout: number): Promise<R> {
    const late = new AbortController();
    // A longer delay than a timer can count would end at once.
    const timer = setTimeout(() => late.abort(), Math.min(1000 * timeout, 2 ** 31 - 1));
    try {
      return (await pool.run(task, { name, signal: late.signal })) as R;
    } catch (error) {
      await this.#drop();
      const { message, code } = error as Error & { readonly code?: unknown };
      // Mistakes of the campaign itself are said as they are: another worker would find the same.
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

  async #drop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    // A pool that was destroyed already says so.
    await pool?.destroy().catch(() => {});
  }
}
