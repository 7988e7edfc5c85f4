// Campaign store on Redis: for each campaign a hash of results by case id, and a list of the ids in order of arrival.

import type { Address } from "./address.js";
import { importOptional } from "./optional.js";
import { withRetry } from "./retry.js";
import type { CampaignEntry, CampaignState, Store } from "./store.js";

/** The part of ioredis that is used. */
interface Client {
  on(event: "error", listener: () => void): void;
  get(key: string): Promise<string | null>;
  set(key: string, value: string, mode: "NX"): Promise<unknown>;
  hget(key: string, field: string): Promise<string | null>;
  hset(key: string, field: string, value: string): Promise<number>;
  hsetnx(key: string, field: string, value: string): Promise<number>;
  hgetall(key: string): Promise<Record<string, string>>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
  hdel(key: string, ...fields: string[]): Promise<number>;
  hlen(key: string): Promise<number>;
  lrange(key: string, from: number, to: number): Promise<string[]>;
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
  disconnect(): void;
}

interface Library {
  readonly Redis: new (url: string, options: object) => Client;
}

const CAMPAIGNS = "nodrift:campaigns";
const STATES = "nodrift:states";
const DEFINITIONS = "nodrift:definitions";
/** Number of lines per request. */
const BATCH = 1000;

/** Stores new results and appends their ids to the list, atomically. */
const PUT = `for i = 1, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) == 1 then redis.call('RPUSH', KEYS[2], ARGV[i]) end
end`;

/** Opens a store. */
export async function redisStore(address: Address, log: (message: string) => void): Promise<Store> {
  const { Redis } = await importOptional<Library>("ioredis", "a campaign on Redis");
  const client = new Redis(address.url, { maxRetriesPerRequest: 3, connectTimeout: 5000 });
  // Reported by `withRetry` if a request fails.
  client.on("error", () => {});
  const retry = <R>(action: () => Promise<R>) => withRetry(action, address.shown, log);
  return new RedisStore(client, retry);
}

type Retry = <R>(action: () => Promise<R>) => Promise<R>;
const resultsOf = (key: string) => `nodrift:{${key}}:results`;
const orderOf = (key: string) => `nodrift:{${key}}:order`;

class RedisStore implements Store {
  constructor(
    readonly client: Client,
    readonly retry: Retry,
  ) {}

  fingerprint(version: string, digest?: string): Promise<string | undefined> {
    const name = `nodrift:bits:${version}`;
    return this.retry(async () => {
      if (digest !== undefined) await this.client.set(name, digest, "NX");
      return (await this.client.get(name)) ?? undefined;
    });
  }

  async define(entry: CampaignEntry, definition: string): Promise<CampaignEntry> {
    const { state: _, ...rest } = entry;
    await this.retry(async () => {
      await this.client.hsetnx(DEFINITIONS, entry.key, definition);
      await this.client.hsetnx(CAMPAIGNS, entry.key, JSON.stringify(rest));
      await this.client.hset(STATES, entry.key, "active");
    });
    return (await this.entry(entry.key)) ?? entry;
  }

  entry(key: string): Promise<CampaignEntry | undefined> {
    return this.retry(async () => {
      const text = await this.client.hget(CAMPAIGNS, key);
      const state = ((await this.client.hget(STATES, key)) ?? "active") as CampaignState;
      return text === null ? undefined : { ...(JSON.parse(text) as CampaignEntry), state };
    });
  }

  async entries(): Promise<readonly CampaignEntry[]> {
    const keys = Object.keys(await this.retry(() => this.client.hgetall(CAMPAIGNS))).sort();
    return (await Promise.all(keys.map((key) => this.entry(key)))).flatMap((one) => one ?? []);
  }

  definition(key: string): Promise<string | undefined> {
    return this.retry(async () => (await this.client.hget(DEFINITIONS, key)) ?? undefined);
  }

  async setState(key: string, state: CampaignState): Promise<void> {
    await this.retry(() => this.client.hset(STATES, key, state));
  }

  async put(
    key: string,
    results: readonly { readonly id: string; readonly line: string }[],
  ): Promise<void> {
    for (let i = 0; i < results.length; i += BATCH) {
      const pairs = results.slice(i, i + BATCH).flatMap(({ id, line }) => [id, line]);
      await this.retry(() => this.client.eval(PUT, 2, resultsOf(key), orderOf(key), ...pairs));
    }
  }

  async resultsAfter(key: string, after: number) {
    const ids = await this.retry(() => this.client.lrange(orderOf(key), after, after + BATCH - 1));
    return { lines: await this.get(key, ids), next: after + ids.length };
  }

  async get(key: string, ids: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    for (let i = 0; i < ids.length; i += BATCH) {
      const part = ids.slice(i, i + BATCH);
      const found = await this.retry(() => this.client.hmget(resultsOf(key), ...part));
      lines.push(...found.flatMap((line) => line ?? []));
    }
    return lines;
  }

  async deleteResults(key: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.retry(() => this.client.hdel(resultsOf(key), ...ids));
  }

  count(key: string): Promise<number> {
    return this.retry(() => this.client.hlen(resultsOf(key)));
  }

  async close(): Promise<void> {
    this.client.disconnect();
  }
}
