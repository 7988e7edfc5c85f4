// Coordinates a campaign whose cases are run by workers on other machines: publishes jobs, collects results into the journal, and
// requeues lost cases. It can be stopped and restarted at any time: cases on the server or in the journal are not run twice.

import { createHash } from "node:crypto";
import { NodriftError } from "../../src/base/errors.js";
import type { StopSignal } from "../../src/solve.js";
import { canonical, type Plan } from "../cases/plan.js";
import type { CaseResult } from "../cases/result.js";
import { selfTest } from "../cases/self-test.js";
import { packageVersion } from "../cases/version.js";
import type { Definition } from "../definition/options.js";
import { linesOf, setAsideLine } from "../engine/chunks.js";
import { singleWorker } from "../engine/pool.js";
import type { Ledger } from "../journal/ledger.js";
import type { Address } from "./address.js";
import type { JobQueue } from "./jobs.js";
import { openServer, type Server } from "./open-store.js";
import { withRetry } from "./retry.js";
import type { CampaignEntry, Store } from "./store.js";

/** Default duration of a job in seconds, and the time spent to measure how long a case takes. */
const DEFAULT_JOB_S = 2;
const TRIAL_S = 0.3;
const MAX_CASES_PER_JOB = 1000;
/** Milliseconds between polls for results, and between checks for lost jobs. */
const POLL_MS = 200;
const JOB_CHECK_MS = 3000;
const JOBS_PER_REQUEST = 500;

export interface RemoteOptions {
  readonly signal: StopSignal;
  readonly wanted?: readonly number[] | undefined;
  /** Target duration of a job in seconds. */
  readonly jobSeconds?: number | undefined;
  log(message: string): void;
}

/** Key of a campaign on a server, the same for the same file. */
export function campaignKey(definition: Definition): string {
  const text = `${packageVersion()} ${canonical(definition)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Runs the open cases of a ledger on a server. Yields their results as they arrive. */
export async function* remoteSweep(
  ledger: Ledger,
  address: Address,
  options: RemoteOptions,
): AsyncGenerator<CaseResult> {
  const server = await openServer(address, options.log);
  try {
    yield* new Remote(ledger, server, address, options).results();
  } finally {
    await server.close();
  }
}

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A published job. */
interface PublishedJob {
  readonly indices: readonly number[];
}

class Remote {
  readonly #ledger: Ledger;
  readonly #plan: Plan;
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #options: RemoteOptions;
  readonly #key: string;
  readonly #address: string;
  /** Jobs with open cases. */
  readonly #jobs = new Map<string, PublishedJob>();
  #splitCount = 0;
  /** Position in the server's list of results up to which they have been read. */
  #position = 0;

  constructor(
    ledger: Ledger,
    { store, queue }: Server,
    { shown }: Address,
    options: RemoteOptions,
  ) {
    this.#ledger = ledger;
    this.#plan = ledger.plan;
    this.#store = store;
    this.#queue = queue;
    this.#options = options;
    this.#key = campaignKey(ledger.plan.definition);
    this.#address = shown;
  }

  async *results(): AsyncGenerator<CaseResult> {
    const { signal, wanted } = this.#options;
    await this.#checkFingerprint();
    if (wanted)
      await this.#store.deleteResults(
        this.#key,
        wanted.map((index) => this.#plan.id(index)),
      );
    else yield* await this.#reconcile(this.#openCases());
    const entry = await this.#publish();
    await this.#enqueue(entry.chunk);
    let lastCheck = performance.now();
    while (!signal.aborted && !this.#isFinished()) {
      const { lines, next } = await this.#store.resultsAfter(this.#key, this.#position);
      this.#position = next;
      const fresh = this.#ledger.add(lines);
      yield* fresh;
      if (lines.length > 0) continue;
      this.#ledger.flush();
      if (performance.now() - lastCheck > JOB_CHECK_MS) {
        yield* await this.#checkJobs();
        lastCheck = performance.now();
      }
      await pause(POLL_MS);
    }
    if (this.#isFinished()) await this.#finish();
  }

  #isFinished(): boolean {
    const { wanted } = this.#options;
    if (this.#ledger.stopReason !== undefined) return true;
    return wanted ? !wanted.some((index) => this.#ledger.isOpen(index)) : this.#ledger.isComplete;
  }

  async #finish(): Promise<void> {
    await this.#store.setState(this.#key, "finished");
    await this.#retry(() => this.#queue.withdraw(this.#key));
  }

  async #checkFingerprint(): Promise<void> {
    const own = await selfTest();
    if ((await this.#store.fingerprint(packageVersion(), own)) === own) return;
    throw new NodriftError(
      "STOPPED",
      `${this.#address} has results that are not bitwise identical to those of this machine: use the same build of nodrift`,
    );
  }

  #retry<R>(action: () => Promise<R>): Promise<R> {
    return withRetry(action, this.#address, this.#options.log);
  }

  *#openCases(): Generator<number> {
    for (let i = 0; i < this.#ledger.count; i++) if (this.#ledger.isOpen(i)) yield i;
  }

  /** Adds results that are already on the server to the ledger and returns them. */
  async #reconcile(indices: Iterable<number>): Promise<CaseResult[]> {
    const ids = [...indices].map((index) => this.#plan.id(index));
    if (ids.length === 0 || (await this.#store.count(this.#key)) === 0) return [];
    const fresh = this.#ledger.add(await this.#store.get(this.#key, ids));
    this.#ledger.flush();
    return fresh;
  }

  /** Publishes the campaign. A trial run decides the number of cases per job, unless it is on the server already. */
  async #publish(): Promise<CampaignEntry> {
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

  /** Publishes the campaign again after a restart of a Redis without persistence. The journal has the collected results. */
  async #republish(): Promise<void> {
    this.#options.log(`${this.#address} has lost the campaign: publishing it again`);
    await this.#checkFingerprint();
    await this.#publish();
    this.#position = 0;
  }

  async #trial(): Promise<number> {
    const { signal } = this.#options;
    const worker = await singleWorker(this.#plan, signal);
    let [count, seconds] = [0, 0];
    try {
      for (const index of this.#openCases()) {
        if (seconds > TRIAL_S || signal.aborted) break;
        const began = performance.now();
        for await (const lines of linesOf(worker, this.#plan, [index], signal))
          this.#ledger.add(lines);
        // The first case includes the compilation and is not representative.
        if (count++ > 0) seconds += (performance.now() - began) / 1000;
      }
    } finally {
      await worker.close();
    }
    const { jobSeconds = DEFAULT_JOB_S } = this.#options;
    const each = seconds / Math.max(1, count - 1) || jobSeconds;
    return Math.max(1, Math.min(Math.round(jobSeconds / each), MAX_CASES_PER_JOB));
  }

  /** Enqueues the open cases. Job ids depend on the cases only, so that jobs of an earlier coordinator are not duplicated. */
  async #enqueue(chunk: number): Promise<void> {
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
      this.#jobs.set(id, { indices });
      jobs.push({ id, data: { key: this.#key, indices } });
      if (jobs.length < JOBS_PER_REQUEST) continue;
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
    return jobs.length === 0 ? Promise.resolve() : this.#retry(() => this.#queue.add(jobs));
  }

  /** Checks for missed results, for jobs that failed or vanished, and for a cancelled campaign. */
  async #checkJobs(): Promise<CaseResult[]> {
    const entry = await this.#store.entry(this.#key);
    if (!entry) await this.#republish();
    if (entry?.state === "cancelled") {
      throw new NodriftError(
        "STOPPED",
        "the campaign was cancelled: use `nodrift resume` to continue it",
      );
    }
    const found: CaseResult[] = [];
    for (const [id, job] of [...this.#jobs]) {
      const open = job.indices.filter((index) => this.#ledger.isOpen(index));
      if (open.length === 0) {
        this.#jobs.delete(id);
        continue;
      }
      const state = await this.#retry(() => this.#queue.state(id));
      if (state === "there") continue;
      found.push(...(await this.#reconcile(open)));
      const left = open.filter((index) => this.#ledger.isOpen(index));
      this.#jobs.delete(id);
      if (state === "failed") await this.#retry(() => this.#queue.remove(id));
      found.push(...(await this.#requeue(left, state === "failed")));
    }
    return found;
  }

  /** Requeues lost cases; batches that killed a worker are bisected to isolate the case. */
  async #requeue(indices: readonly number[], isDeadly: boolean): Promise<CaseResult[]> {
    if (indices.length === 0) return [];
    const { attempts = 3 } = this.#plan.definition.limits ?? {};
    if (isDeadly && indices.length === 1) {
      return this.#ledger.add([setAsideLine(this.#plan, indices[0]!, attempts, "its job failed")]);
    }
    const half = isDeadly ? indices.length >>> 1 : indices.length;
    const parts = [indices.slice(0, half), indices.slice(half)].filter(({ length }) => length > 0);
    const jobs = parts.map((part) => ({
      id: `${this.#key}-part-${Date.now()}-${this.#splitCount++}`,
      data: { key: this.#key, indices: part },
    }));
    for (const { id, data } of jobs) this.#jobs.set(id, data);
    await this.#add(jobs);
    return [];
  }
}
