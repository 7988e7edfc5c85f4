// Jobs by BullMQ, which keeps them on Redis or on PostgreSQL: each takes some cases of a campaign. Delivery is at least once; results
// are kept by identity, so that it makes no difference.

import type { Address } from "./address.js";
import { optional } from "./optional.js";

/** Cases of a campaign. */
export interface JobData {
  readonly key: string;
  readonly indices: readonly number[];
}

/** What is used of BullMQ. */
interface BullJob {
  readonly id?: string;
  readonly data: JobData;
  readonly failedReason?: string;
  getState(): Promise<string>;
  remove(): Promise<void>;
}
interface BullQueue {
  on(event: "error", listener: (error: Error) => void): void;
  addBulk(jobs: readonly { name: string; data: JobData; opts: object }[]): Promise<unknown>;
  getJob(id: string): Promise<BullJob | undefined>;
  getJobCounts(...types: string[]): Promise<Record<string, number>>;
  getJobs(types: readonly string[], start: number, end: number): Promise<(BullJob | undefined)[]>;
  close(): Promise<void>;
}
interface BullWorker {
  on(event: "error" | "stalled", listener: (what: unknown) => void): void;
  close(force?: boolean): Promise<void>;
}
interface Bull {
  readonly Queue: new (name: string, options: object, backend?: unknown) => BullQueue;
  readonly Worker: new (
    name: string,
    process: (job: BullJob) => Promise<void>,
    options: object,
    backend?: unknown,
  ) => BullWorker;
  readonly createPostgresBackend: unknown;
}

/** Workers of another version see none of these jobs. */
const nameFor = (version: string) => `nodrift-${version.replaceAll(/[^\w.-]/g, "_")}`;

interface Connection {
  readonly options: object;
  readonly backend: unknown;
}

function connectionOf({ kind, url }: Address, bull: Bull): Connection {
  if (kind === "postgres") {
    const connection = {
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

type Tell = (message: string) => void;

/** Connections come back by themselves, and trouble repeats itself: a message is told once a minute. */
function toldOnce(tell: Tell): (error: unknown) => void {
  const told = new Map<string, number>();
  return (error) => {
    const { message = String(error) } = (error ?? {}) as Partial<Error>;
    const now = performance.now();
    if (now - (told.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return;
    told.set(message, now);
    tell(`the queue: ${message || "no connection"}`);
  };
}

/** What became of a job. */
export type JobState = "there" | "failed" | "gone";

/** The jobs of a server, from where they are given out. */
export class JobQueue {
  readonly #queue: BullQueue;

  private constructor(queue: BullQueue) {
    this.#queue = queue;
  }

  static async open(address: Address, version: string, tell: Tell): Promise<JobQueue> {
    const bull = await optional<Bull>("bullmq", "a campaign on a server");
    const { options, backend } = connectionOf(address, bull);
    const queue = new bull.Queue(nameFor(version), options, ...(backend ? [backend] : []));
    queue.on("error", toldOnce(tell));
    return new JobQueue(queue);
  }

  /** Adds jobs by their names; one that is there already is not added again. */
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
    // One that is being worked on is locked: it stays.
    await job?.remove().catch(() => {});
  }

  /** Takes out the jobs of a campaign that nobody has begun. */
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

export interface TakerOptions {
  /** Jobs at a time. */
  readonly width: number;
  /** Seconds without a sign of life after which a job is given to another worker. */
  readonly lease: number;
  /** How often a job may be lost with its worker. */
  readonly tries: number;
  readonly tell: Tell;
}

/** Takes jobs until it is closed. */
export async function takeJobs(
  address: Address,
  version: string,
  work: (data: JobData) => Promise<void>,
  { width, lease, tries, tell }: TakerOptions,
): Promise<{ close(force?: boolean): Promise<void> }> {
  const bull = await optional<Bull>("bullmq", "a worker");
  const { options, backend } = connectionOf(address, bull);
  const worker = new bull.Worker(
    nameFor(version),
    (job) => work(job.data),
    {
      ...options,
      concurrency: width,
      lockDuration: 1000 * lease,
      stalledInterval: 500 * lease,
      maxStalledCount: tries - 1,
      drainDelay: 1,
    },
    ...(backend ? [backend] : []),
  );
  worker.on("error", toldOnce(tell));
  return {
    // A server that is away does not answer to a farewell.
    close: (force) =>
      Promise.race([
        worker.close(force),
        new Promise<void>((resolve) => setTimeout(resolve, 2000)),
      ]),
  };
}
