// A worker on any machine: takes jobs from a server, runs their cases in its own processes and stores the results.

import { NodriftError } from "../../src/base/errors.js";
import type { StopSignal } from "../../src/solve.js";
import { Plan } from "../cases/plan.js";
import { recordOf } from "../cases/result.js";
import { selfTest } from "../cases/self-test.js";
import { packageVersion } from "../cases/version.js";
import type { Definition } from "../definition/options.js";
import type { CaseWorker } from "../engine/case-worker.js";
import { linesOf } from "../engine/chunks.js";
import { ProcessWorker } from "../engine/pool.js";
import type { Address } from "./address.js";
import { type JobData, processJobs } from "./jobs.js";
import { openStore } from "./open-store.js";
import type { Store } from "./store.js";

export interface QueueWorkerOptions {
  readonly width: number;
  readonly lease: number;
  /** Seconds without a job after which the worker ends. */
  readonly idle: number | undefined;
  readonly signal: StopSignal;
  log(message: string): void;
  /** Called with the number of cases done so far. */
  progress(cases: number): void;
}

const POLL_MS = 200;

/** Works until a signal, or until the worker has been idle for too long. Returns the number of cases it has run. */
export async function serveQueue(address: Address, options: QueueWorkerOptions): Promise<number> {
  const version = packageVersion();
  const store = await openStore(address, options.log);
  try {
    if (!(await matchesFingerprint(store, version, options))) return 0;
    const runner = new JobRunner(store, options);
    const processor = await processJobs(address, (data) => runner.work(data), {
      width: options.width,
      lease: options.lease,
      attempts: 3,
      log: options.log,
    });
    try {
      await runner.ended();
    } finally {
      await processor.close(options.signal.aborted);
      await runner.close();
    }
    if (runner.error !== undefined) throw runner.error;
    return runner.cases;
  } finally {
    await store.close();
  }
}

/** Whether this machine computes the bits of the campaign's first machine. Waits for the first campaign if there is none. */
async function matchesFingerprint(
  store: Store,
  version: string,
  { signal, log, idle }: QueueWorkerOptions,
): Promise<boolean> {
  const own = await selfTest();
  const began = performance.now();
  let isReported = false;
  while (!signal.aborted) {
    const wanted = await store.fingerprint(version);
    if (wanted === own) return true;
    if (wanted !== undefined) {
      throw new NodriftError(
        "STOPPED",
        "results on this machine are not bitwise identical to those of the campaign's first machine. Use the same build of nodrift",
      );
    }
    if (!isReported) log(`waiting for a campaign of nodrift ${version}`);
    isReported = true;
    if (idle !== undefined && performance.now() - began > 1000 * idle) return false;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return false;
}

interface OpenCampaign {
  readonly plan: Plan;
  readonly workers: CaseWorker[];
}

class JobRunner {
  cases = 0;
  error: unknown;
  readonly #store: Store;
  readonly #options: QueueWorkerOptions;
  readonly #campaigns = new Map<string, Promise<OpenCampaign>>();
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
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async close(): Promise<void> {
    for (const campaign of this.#campaigns.values()) {
      const { workers } = await campaign.catch(() => ({ workers: [] }));
      await Promise.all(workers.map((worker) => worker.close()));
    }
  }

  async work({ key, indices }: JobData): Promise<void> {
    this.#active++;
    try {
      const entry = await this.#store.entry(key);
      if (!entry || entry.state === "cancelled") return;
      const { plan, workers } = await this.#campaign(key);
      const stored = new Set(
        (
          await this.#store.get(
            key,
            indices.map((i) => plan.id(i)),
          )
        ).map(idOf),
      );
      const open = indices.filter((index) => !stored.has(plan.id(index)));
      const worker = workers.pop() ?? new ProcessWorker(plan);
      try {
        const { signal } = this.#options;
        for await (const lines of linesOf(worker, plan, open, signal)) await this.#put(key, lines);
      } finally {
        workers.push(worker);
      }
    } catch (error) {
      // Report a faulty campaign; the job goes to another worker.
      if (!this.#options.signal.aborted) this.#options.log((error as Error).message);
      throw error;
    } finally {
      this.#active--;
      this.#last = performance.now();
    }
  }

  #campaign(key: string): Promise<OpenCampaign> {
    const cached = this.#campaigns.get(key);
    if (cached) return cached;
    const campaign = this.#open(key);
    this.#campaigns.set(key, campaign);
    campaign.catch(() => this.#campaigns.delete(key));
    return campaign;
  }

  async #open(key: string): Promise<OpenCampaign> {
    const text = await this.#store.definition(key);
    if (text === undefined)
      throw new NodriftError("DESCRIPTION", `campaign ${key} is not on the server`);
    return { plan: new Plan(JSON.parse(text) as Definition), workers: [] };
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
