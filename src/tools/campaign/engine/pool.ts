// Processes that run cases, by tinypool. A seat has a pool of one process: a process that dies takes its pool with it, and the next has
// no memory of it. (One pool for all stops replacing processes once one has died while it was starting.) Processes, not threads: a case
// that runs out of memory, or code of users that ends the process, costs one worker and not the campaign.

import { Tinypool } from "tinypool";
import { NodriftError } from "../../../ground/errors.js";
import type { Definition } from "../definition/options.js";
import { type Seat, type Work, WorkerLost } from "./seat.js";

/** Deaths in a row, without any work in between, after which a seat gives up. */
const DEATHS = 10;
/** Seconds that a worker may take to start. */
const START = 120;

/** The file that processes run, beside this one in the package. */
const FILE = new URL("./campaign-worker.js", import.meta.url);

/** A seat in a process of its own. */
export class ProcessSeat implements Seat {
  readonly #definition: Definition;
  readonly #digest: string;
  #pool: Tinypool | undefined;
  #deaths = 0;
  #isClosed = false;

  constructor(definition: Definition, digest: string) {
    this.#definition = definition;
    this.#digest = digest;
  }

  async run(indices: readonly number[], patience: number): Promise<Work> {
    const pool = this.#pool ?? (await this.#start());
    const work = await this.#call<Work>(pool, "work", { indices }, patience);
    this.#deaths = 0;
    return work;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }

  async #start(): Promise<Tinypool> {
    const pool = new Tinypool({
      filename: FILE.href,
      runtime: "child_process",
      minThreads: 1,
      maxThreads: 1,
      serialization: "advanced",
      env: process.env as Record<string, string>,
    });
    // A process that dies while it waits: the next call finds out.
    pool.on("error", () => void this.#drop());
    this.#pool = pool;
    const digest = await this.#call<string>(pool, "begin", { definition: this.#definition }, START);
    if (digest === this.#digest) return pool;
    await this.#drop();
    throw new NodriftError(
      "STOPPED",
      "a worker understands the campaign differently: is another version installed?",
    );
  }

  async #call<R>(pool: Tinypool, name: string, task: object, patience: number): Promise<R> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), 1000 * patience);
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
      const isLate = late.signal.aborted && name === "work";
      if (!isLate && ++this.#deaths >= DEATHS) {
        throw new NodriftError("STOPPED", `workers do not start or die at once: ${message}`);
      }
      throw new WorkerLost(
        late.signal.aborted ? `no result within ${Math.round(patience)} s` : message,
        isLate,
      );
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
