// Job queue on BullMQ, which stores jobs on Redis or PostgreSQL. Each job holds some cases of a campaign. Jobs are delivered at
// least once; results are stored by case id, so duplicates have no effect.

import { packageVersion } from "../cases/version.js";
import type { Address } from "./address.js";
import { importOptional, loadPostgres } from "./optional.js";
import { withRetry } from "./retry.js";

/** Cases of a job. */
export interface JobData {
  readonly key: string;
  readonly indices: readonly number[];
}

/** The part of BullMQ that is used. */
interface BullJob {
  readonly id?: string;
  readonly data: JobData;
  readonly failedReason?: string;
  getState(): Promise<string>;
  remove(): Promise<void>;
}
/** A queue or a worker. */
interface BullPart {
  on(event: "error", listener: (error: unknown) => void): void;
  waitUntilReady(): Promise<unknown>;
  close(force?: boolean): Promise<void>;
}
interface BullQueue extends BullPart {
  addBulk(jobs: readonly { name: string; data: JobData; opts: object }[]): Promise<unknown>;
  getJob(id: string): Promise<BullJob | undefined>;
  getJobCounts(...types: string[]): Promise<Record<string, number>>;
  getJobs(types: readonly string[], start: number, end: number): Promise<(BullJob | undefined)[]>;
}
interface Bull {
  readonly Queue: new (name: string, options: object, backend?: unknown) => BullQueue;
  readonly Worker: new (
    name: string,
    process: (job: BullJob) => Promise<void>,
    options: object,
    backend?: unknown,
  ) => BullPart;
  readonly createPostgresBackend: unknown;
}

/** Name of the queue. Workers of another version do not see its jobs. */
const queueName = () => `nodrift-${packageVersion().replaceAll(/[^\w.-]/g, "_")}`;

interface Connection {
  readonly options: object;
  readonly backend: unknown;
}

async function connectionOf({ kind, url }: Address, bull: Bull): Promise<Connection> {
  if (kind === "postgres") {
    const { Client } = await loadPostgres("a campaign on PostgreSQL");
    const connection = {
      Client,
      connectionString: url,
      schema: "nodrift_queue",
      migrate: true,
      keepAlive: true,
    };
    return { options: { connection }, backend: bull.createPostgresBackend };
  }
  const { hostname, port, username, password, pathname, protocol } = new URL(url);
  const connection = {
    host: hostname,
    port: Number(port || 6379),
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(protocol === "rediss:" && { tls: {} }),
    maxRetriesPerRequest: null,
  };
  return { options: { connection }, backend: undefined };
}

type Log = (message: string) => void;

/** Reports each distinct connection error at most once a minute; BullMQ reconnects automatically. */
function throttleReports(log: Log): (error: unknown) => void {
  const reported = new Map<string, number>();
  return (error) => {
    const { message = String(error) } = (error ?? {}) as Partial<Error>;
    const now = performance.now();
    if (now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    reported.set(message, now);
    log(`queue: ${message || "no connection"}`);
  };
}

/**
 * Opens a queue or a worker. On PostgreSQL BullMQ keeps the outcome of its first connection: a part whose first
 * connection failed is closed and created again. On Redis BullMQ reconnects.
 */
function open<Part extends BullPart>(
  make: () => Part,
  { kind, shown }: Address,
  log: Log,
): Promise<Part> {
  const report = throttleReports(log);
  const attempt = async () => {
    const part = make();
    part.on("error", report);
    if (kind === "redis") return part;
    try {
      await part.waitUntilReady();
      return part;
    } catch (error) {
      await part.close(true).catch(() => {});
      throw error;
    }
  };
  return withRetry(attempt, shown, log);
}

/** State of a job; "there" means waiting or active. */
export type JobState = "there" | "failed" | "gone";

/** The jobs of a server, as seen by the coordinator. */
export class JobQueue {
  readonly #queue: BullQueue;

  private constructor(queue: BullQueue) {
    this.#queue = queue;
  }

  static async open(address: Address, log: Log): Promise<JobQueue> {
    const bull = await importOptional<Bull>("bullmq", "a campaign on a server");
    const { options, backend } = await connectionOf(address, bull);
    const make = () => new bull.Queue(queueName(), options, ...(backend ? [backend] : []));
    return new JobQueue(await open(make, address, log));
  }

  /** Adds jobs by id; existing ones are not added again. */
  async add(jobs: readonly { readonly id: string; readonly data: JobData }[]): Promise<void> {
    const opts = { removeOnComplete: true, attempts: 3, backoff: { type: "fixed", delay: 500 } };
    await this.#queue.addBulk(
      jobs.map(({ id, data }) => ({ name: "cases", data, opts: { ...opts, jobId: id } })),
    );
  }

  async state(id: string): Promise<JobState> {
    const job = await this.#queue.getJob(id);
    if (!job) return "gone";
    const state = await job.getState();
    if (state === "failed") return "failed";
    return state === "completed" || state === "unknown" ? "gone" : "there";
  }

  async remove(id: string): Promise<void> {
    const job = await this.#queue.getJob(id);
    // An active job is locked and stays.
    await job?.remove().catch(() => {});
  }

  /** Removes the pending jobs of a campaign and returns their count. */
  async withdraw(key: string): Promise<number> {
    let count = 0;
    const jobs = await this.#queue.getJobs(
      ["waiting", "delayed", "failed", "prioritized", "paused"],
      0,
      -1,
    );
    for (const job of jobs) {
      if (job?.data.key !== key) continue;
      await job.remove().catch(() => {});
      count++;
    }
    return count;
  }

  counts(): Promise<Record<string, number>> {
    return this.#queue.getJobCounts("waiting", "active", "delayed", "failed");
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

export interface ProcessOptions {
  /** Number of concurrent jobs. */
  readonly width: number;
  /** Seconds without a heartbeat after which a job goes to another worker. */
  readonly lease: number;
  /** Number of attempts at a job whose workers die. */
  readonly attempts: number;
  readonly log: Log;
}

/** Processes jobs until it is closed. */
export async function processJobs(
  address: Address,
  work: (data: JobData) => Promise<void>,
  { width, lease, attempts, log }: ProcessOptions,
): Promise<{ close(force?: boolean): Promise<void> }> {
  const bull = await importOptional<Bull>("bullmq", "a worker");
  const { options, backend } = await connectionOf(address, bull);
  const make = () =>
    new bull.Worker(
      queueName(),
      (job) => work(job.data),
      {
        ...options,
        concurrency: width,
        lockDuration: 1000 * lease,
        stalledInterval: 500 * lease,
        maxStalledCount: attempts - 1,
        drainDelay: 1,
      },
      ...(backend ? [backend] : []),
    );
  const worker = await open(make, address, log);
  return {
    // Do not wait for an unreachable server.
    close: (force) =>
      Promise.race([
        worker.close(force),
        new Promise<void>((resolve) => setTimeout(resolve, 2000)),
      ]),
  };
}
