// A worker on any machine: takes jobs from a server, runs their cases in processes of its own, and puts the results back.

import { NodriftError } from "../../../ground/errors.js";
import type { StopSignal } from "../../../solve.js";
import { Plan } from "../cases/plan.js";
import { recordOf } from "../cases/result.js";
import { selfTest } from "../cases/self-test.js";
import { packageVersion } from "../cases/version.js";
import type { Definition } from "../definition/options.js";
import { linesOf } from "../engine/chunks.js";
import { ProcessSeat } from "../engine/pool.js";
import type { Seat } from "../engine/seat.js";
import type { Address } from "./address.js";
import { type JobData, takeJobs } from "./jobs.js";
import { openStore } from "./open-store.js";
import type { Store } from "./store.js";

export interface QueueWorkerOptions {
  readonly width: number;
  readonly lease: number;
  /** Ends when nothing has come for so many seconds. */
  readonly idle: number | undefined;
  readonly signal: StopSignal;
  tell(message: string): void;
  /** So many cases are done. */
  progress(cases: number): void;
}

const LOOK = 200;

/** Works until a signal, or until there is nothing to do. Gives the number of cases it has run. */
export async function serveQueue(address: Address, options: QueueWorkerOptions): Promise<number> {
  const version = packageVersion();
  const store = await openStore(address, options.tell);
  try {
    if (!(await agrees(store, version, options))) return 0;
    const server = new Server(store, options);
    const taken = await takeJobs(address, version, (data) => server.work(data), {
      width: options.width,
      lease: options.lease,
      tries: 3,
      tell: options.tell,
    });
    try {
      await server.ended();
    } finally {
      await taken.close(options.signal.aborted);
      await server.close();
    }
    if (server.error !== undefined) throw server.error;
    return server.cases;
  } finally {
    await store.close();
  }
}

/** Before any job is taken: this machine must compute the bits that the campaign was begun with. Waits for a first campaign. */
async function agrees(
  store: Store,
  version: string,
  { signal, tell, idle }: QueueWorkerOptions,
): Promise<boolean> {
  const own = await selfTest();
  const began = performance.now();
  let isTold = false;
  while (!signal.aborted) {
    const wanted = await store.bits(version);
    if (wanted === own) return true;
    if (wanted !== undefined) {
      throw new NodriftError(
        "STOPPED",
        "this machine computes other bits than the one that began the campaign: its results would not fit. Use the same build of nodrift",
      );
    }
    if (!isTold) tell(`waiting for a campaign of nodrift ${version}`);
    isTold = true;
    if (idle !== undefined && performance.now() - began > 1000 * idle) return false;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return false;
}

interface Begun {
  readonly plan: Plan;
  readonly seats: Seat[];
}

class Server {
  cases = 0;
  error: unknown;
  readonly #store: Store;
  readonly #options: QueueWorkerOptions;
  readonly #begun = new Map<string, Promise<Begun>>();
  #active = 0;
  #last = performance.now();

  constructor(store: Store, options: QueueWorkerOptions) {
    this.#store = store;
    this.#options = options;
  }

  async ended(): Promise<void> {
    const { signal, idle } = this.#options;
    while (!signal.aborted && this.error === undefined) {
      const quiet = (performance.now() - this.#last) / 1000;
      if (idle !== undefined && this.#active === 0 && quiet > idle) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  async close(): Promise<void> {
    for (const begun of this.#begun.values()) {
      const { seats } = await begun.catch(() => ({ seats: [] }));
      await Promise.all(seats.map((seat) => seat.close()));
    }
  }

  async work({ key, indices }: JobData): Promise<void> {
    this.#active++;
    try {
      const entry = await this.#store.entry(key);
      if (!entry || entry.state === "cancelled") return;
      const { plan, seats } = await this.#campaign(key);
      const there = new Set(
        (
          await this.#store.get(
            key,
            indices.map((i) => plan.id(i)),
          )
        ).map(idOf),
      );
      const open = indices.filter((index) => !there.has(plan.id(index)));
      const seat = seats.pop() ?? new ProcessSeat(plan);
      try {
        const { signal } = this.#options;
        for await (const lines of linesOf(seat, plan, open, signal)) await this.#put(key, lines);
      } finally {
        seats.push(seat);
      }
    } catch (error) {
      // What is wrong with a campaign is told; the job goes to another worker.
      if (!this.#options.signal.aborted) this.#options.tell((error as Error).message);
      throw error;
    } finally {
      this.#active--;
      this.#last = performance.now();
    }
  }

  #campaign(key: string): Promise<Begun> {
    const known = this.#begun.get(key);
    if (known) return known;
    const begun = this.#begin(key);
    this.#begun.set(key, begun);
    begun.catch(() => this.#begun.delete(key));
    return begun;
  }

  async #begin(key: string): Promise<Begun> {
    const text = await this.#store.definition(key);
    if (text === undefined)
      throw new NodriftError("DESCRIPTION", `campaign ${key} is not on the server`);
    return { plan: new Plan(JSON.parse(text) as Definition), seats: [] };
  }

  async #put(key: string, lines: readonly string[]): Promise<void> {
    await this.#store.put(
      key,
      lines.map((line) => ({ id: idOf(line), line })),
    );
    this.cases += lines.length;
    this.#options.progress(this.cases);
  }
}

function idOf(line: string): string {
  return String(recordOf(line)?.id);
}
