// A campaign whose cases are run by workers on other machines: gives out jobs, collects results into the journal, and gives lost cases
// out again. It can be ended and begun again at any time: what is on the server and in the journal is not run twice.

import { createHash } from "node:crypto";
import { NodriftError } from "../../../ground/errors.js";
import type { StopSignal } from "../../../solve.js";
import { canonical, type Plan } from "../cases/plan.js";
import type { CaseResult } from "../cases/result.js";
import { selfTest } from "../cases/self-test.js";
import { packageVersion } from "../cases/version.js";
import type { Definition } from "../definition/options.js";
import { linesOf, setAsideLine } from "../engine/chunks.js";
import { oneSeat } from "../engine/pool.js";
import type { Ledger } from "../journal/ledger.js";
import type { Address } from "./address.js";
import { JobQueue } from "./jobs.js";
import { openStore } from "./open-store.js";
import { patiently } from "./retry.js";
import type { CampaignEntry, Store } from "./store.js";

/** Seconds of work in a job where nothing is said, and the seconds that are spent to find out how long a case takes. */
const JOB_SECONDS = 2;
const TRIAL_SECONDS = 0.3;
const MOST = 1000;
/** Milliseconds between questions for news, and between looks at jobs that may be lost. */
const POLL = 200;
const LOOK = 3000;
const ADDED_AT_ONCE = 500;

export interface RemoteOptions {
  readonly signal: StopSignal;
  readonly wanted?: readonly number[] | undefined;
  /** Seconds of work in a job. */
  readonly jobSeconds?: number | undefined;
  tell(message: string): void;
}

/** The name of a campaign on a server: the same for the same file. */
export function campaignKey(definition: Definition): string {
  const text = `${packageVersion()} ${canonical(definition)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Runs the open cases of a ledger on a server, and gives their results as they come. */
export async function* remoteSweep(
  ledger: Ledger,
  address: Address,
  options: RemoteOptions,
): AsyncGenerator<CaseResult> {
  const store = await openStore(address, options.tell);
  let queue: JobQueue | undefined;
  try {
    queue = await JobQueue.open(address, packageVersion(), options.tell);
    yield* new Remote(ledger, store, queue, address, options).results();
  } finally {
    await Promise.race([queue?.close().catch(() => {}), pause(1000)]);
    await Promise.race([store.close().catch(() => {}), pause(1000)]);
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A job that was given out. */
interface Given {
  readonly indices: readonly number[];
}

class Remote {
  readonly #ledger: Ledger;
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #options: RemoteOptions;
  readonly #key: string;
  readonly #where: string;
  /** Jobs whose cases are not all known. */
  readonly #given = new Map<string, Given>();
  #parts = 0;
  /** Results of the server before this place are known. */
  #place = 0;

  constructor(
    ledger: Ledger,
    store: Store,
    queue: JobQueue,
    { shown }: Address,
    options: RemoteOptions,
  ) {
    this.#ledger = ledger;
    this.#plan = ledger.plan;
    this.#store = store;
    this.#queue = queue;
    this.#options = options;
    this.#key = campaignKey(ledger.plan.definition);
    this.#where = shown;
  }

  async *results(): AsyncGenerator<CaseResult> {
    const { signal, wanted } = this.#options;
    await this.#agree();
    if (wanted)
      await this.#store.forget(
        this.#key,
        wanted.map((index) => this.#plan.id(index)),
      );
    else yield* await this.#reconcile(this.#open());
    const entry = await this.#enter();
    await this.#give(entry.chunk);
    let looked = performance.now();
    while (!signal.aborted && !this.#isOver()) {
      const { lines, next } = await this.#store.news(this.#key, this.#place);
      this.#place = next;
      const fresh = this.#ledger.add(lines);
      yield* fresh;
      if (lines.length > 0) continue;
      this.#ledger.flush();
      if (performance.now() - looked > LOOK) {
        yield* await this.#look();
        looked = performance.now();
      }
      await pause(POLL);
    }
    if (this.#isOver()) await this.#finish();
  }

  #isOver(): boolean {
    const { wanted } = this.#options;
    if (this.#ledger.stopReason !== undefined) return true;
    return wanted ? !wanted.some((index) => this.#ledger.isOpen(index)) : this.#ledger.isComplete;
  }

  async #finish(): Promise<void> {
    await this.#store.setState(this.#key, "finished");
    await this.#ask(() => this.#queue.withdraw(this.#key));
  }

  async #agree(): Promise<void> {
    const own = await selfTest();
    if ((await this.#store.bits(packageVersion(), own)) === own) return;
    throw new NodriftError(
      "STOPPED",
      `${this.#where} holds results of machines that compute other bits than this one`,
    );
  }

  #ask<R>(action: () => Promise<R>): Promise<R> {
    return patiently(action, this.#where, this.#options.tell);
  }

  *#open(): Generator<number> {
    for (let i = 0; i < this.#ledger.count; i++) if (this.#ledger.isOpen(i)) yield i;
  }

  /** What the server knows of cases. */
  async #reconcile(indices: Iterable<number>): Promise<CaseResult[]> {
    const ids = [...indices].map((index) => this.#plan.id(index));
    if (ids.length === 0 || (await this.#store.count(this.#key)) === 0) return [];
    const fresh = this.#ledger.add(await this.#store.get(this.#key, ids));
    this.#ledger.flush();
    return fresh;
  }

  /** Puts the campaign on the server. How many cases make a job is found by running some, the first time. */
  async #enter(): Promise<CampaignEntry> {
    const known = await this.#store.entry(this.#key);
    const chunk = known?.chunk ?? (await this.#trial());
    const { definition, count } = this.#plan;
    const entry = {
      key: this.#key,
      name: definition.name,
      cases: count,
      chunk,
      version: packageVersion(),
    };
    return this.#store.define({ ...entry, state: "active" }, JSON.stringify(definition));
  }

  /** The server has forgotten all: a Redis that keeps nothing on its disk, and was restarted. The journal has what was collected. */
  async #remind(): Promise<void> {
    this.#options.tell(`${this.#where} has forgotten the campaign: it is begun there again`);
    await this.#agree();
    await this.#enter();
    this.#place = 0;
  }

  async #trial(): Promise<number> {
    const { signal } = this.#options;
    const seat = await oneSeat(this.#plan, signal);
    let [count, seconds] = [0, 0];
    try {
      for (const index of this.#open()) {
        if (seconds > TRIAL_SECONDS || signal.aborted) break;
        const began = performance.now();
        for await (const lines of linesOf(seat, this.#plan, [index], signal))
          this.#ledger.add(lines);
        // The first case also compiles: it says little about the others.
        if (count++ > 0) seconds += (performance.now() - began) / 1000;
      }
    } finally {
      await seat.close();
    }
    const { jobSeconds = JOB_SECONDS } = this.#options;
    const each = seconds / Math.max(1, count - 1) || jobSeconds;
    return Math.max(1, Math.min(Math.round(jobSeconds / each), MOST));
  }

  /** Jobs have the same cases whoever gives them out, so that those of an earlier coordinator are not given out again. */
  async #give(chunk: number): Promise<void> {
    const { count } = this.#ledger;
    let jobs: { id: string; data: { key: string; indices: number[] } }[] = [];
    const { wanted } = this.#options;
    const mark = wanted ? `-again-${Date.now()}` : "";
    const asked = wanted ? new Set(wanted) : undefined;
    for (let from = 0, part = 0; from < count; from += chunk, part++) {
      const all = Array.from({ length: Math.min(chunk, count - from) }, (_, i) => from + i);
      const indices = all.filter((i) => this.#ledger.isOpen(i) && (asked?.has(i) ?? true));
      if (indices.length === 0) continue;
      const id = `${this.#key}-${part}${mark}`;
      this.#given.set(id, { indices });
      jobs.push({ id, data: { key: this.#key, indices } });
      if (jobs.length < ADDED_AT_ONCE) continue;
      await this.#add(jobs);
      jobs = [];
    }
    await this.#add(jobs);
  }

  #add(
    jobs: readonly {
      readonly id: string;
      readonly data: { key: string; indices: readonly number[] };
    }[],
  ): Promise<void> {
    return jobs.length === 0 ? Promise.resolve() : this.#ask(() => this.#queue.add(jobs));
  }

  /** Nothing has come for a while: results that were missed, jobs that failed or are gone, a campaign that was cancelled. */
  async #look(): Promise<CaseResult[]> {
    const entry = await this.#store.entry(this.#key);
    if (!entry) await this.#remind();
    if (entry?.state === "cancelled") {
      throw new NodriftError(
        "STOPPED",
        "the campaign was cancelled: `nodrift resume` goes on with it",
      );
    }
    const found: CaseResult[] = [];
    for (const [id, given] of [...this.#given]) {
      const open = given.indices.filter((index) => this.#ledger.isOpen(index));
      if (open.length === 0) {
        this.#given.delete(id);
        continue;
      }
      const state = await this.#ask(() => this.#queue.state(id));
      if (state === "there") continue;
      found.push(...(await this.#reconcile(open)));
      const left = open.filter((index) => this.#ledger.isOpen(index));
      this.#given.delete(id);
      if (state === "failed") await this.#ask(() => this.#queue.remove(id));
      found.push(...(await this.#again(left, state === "failed")));
    }
    return found;
  }

  /** Cases that were lost: in halves where workers died of them, until the one that does it is alone. */
  async #again(indices: readonly number[], isDeadly: boolean): Promise<CaseResult[]> {
    if (indices.length === 0) return [];
    const { tries = 3 } = this.#plan.definition.limits ?? {};
    if (isDeadly && indices.length === 1) {
      return this.#ledger.add([setAsideLine(this.#plan, indices[0]!, tries, "its job failed")]);
    }
    const half = isDeadly ? indices.length >>> 1 : indices.length;
    const parts = [indices.slice(0, half), indices.slice(half)].filter(({ length }) => length > 0);
    const jobs = parts.map((part) => ({
      id: `${this.#key}-part-${Date.now()}-${this.#parts++}`,
      data: { key: this.#key, indices: part },
    }));
    for (const { id, data } of jobs) this.#given.set(id, data);
    await this.#add(jobs);
    return [];
  }
}
