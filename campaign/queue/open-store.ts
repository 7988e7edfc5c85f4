import type { Address } from "./address.js";
import { JobQueue } from "./jobs.js";
import { loadPostgres, type PostgresPool } from "./optional.js";
import { withRetry } from "./retry.js";
import type { CampaignEntry, CampaignState, Store } from "./store.js";
import { redisStore } from "./store-redis.js";

// Campaign store on PostgreSQL: a table of campaigns and one of results, in a separate schema.

const BATCH = 1000;

/** Creates the tables, in one transaction. A lock, held until it ends, serialises clients that start at the same time. */
const TABLES = `
select pg_advisory_xact_lock(726573);
create schema if not exists nodrift;
create table if not exists nodrift.bits (version text primary key, digest text not null);
create table if not exists nodrift.campaigns (
  key text primary key, entry text not null, definition text not null, state text not null);
create table if not exists nodrift.results (
  campaign text not null, id text not null, line text not null, place bigserial, primary key (campaign, id));
create index if not exists results_place on nodrift.results (campaign, place);`;

/** Opens a store and creates its tables. */
async function postgresStore(address: Address, log: (message: string) => void): Promise<Store> {
  const { Pool, Client } = await loadPostgres("a campaign on PostgreSQL");
  const pool = new Pool({
    Client,
    connectionString: address.url,
    max: 4,
    connectionTimeoutMillis: 5000,
    // Detects connections that were cut silently.
    query_timeout: 20_000,
    keepAlive: true,
  });
  pool.on("error", () => {});
  const retry = <R>(action: () => Promise<R>) => withRetry(action, address.shown, log);
  try {
    await retry(() => pool.query(TABLES));
  } catch (error) {
    await pool.end();
    throw error;
  }
  return new PostgresStore(pool, retry);
}

type Retry = <R>(action: () => Promise<R>) => Promise<R>;

class PostgresStore implements Store {
  constructor(
    readonly pool: PostgresPool,
    readonly retry: Retry,
  ) {}

  async #rows(
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Record<string, unknown>[]> {
    return (await this.retry(() => this.pool.query(text, values))).rows;
  }

  async fingerprint(version: string, digest?: string): Promise<string | undefined> {
    if (digest !== undefined) {
      await this.#rows("insert into nodrift.bits values ($1, $2) on conflict do nothing", [
        version,
        digest,
      ]);
    }
    const [row] = await this.#rows("select digest from nodrift.bits where version = $1", [version]);
    return row?.digest as string | undefined;
  }

  async define(entry: CampaignEntry, definition: string): Promise<CampaignEntry> {
    const { state: _, ...rest } = entry;
    await this.#rows(
      `insert into nodrift.campaigns values ($1, $2, $3, 'active')
       on conflict (key) do update set state = 'active'`,
      [entry.key, JSON.stringify(rest), definition],
    );
    return (await this.entry(entry.key)) ?? entry;
  }

  async entry(key: string): Promise<CampaignEntry | undefined> {
    const rows = await this.#rows("select entry, state from nodrift.campaigns where key = $1", [
      key,
    ]);
    return rows.map(entryOf)[0];
  }

  async entries(): Promise<readonly CampaignEntry[]> {
    return (await this.#rows("select entry, state from nodrift.campaigns order by key", [])).map(
      entryOf,
    );
  }

  async definition(key: string): Promise<string | undefined> {
    const [row] = await this.#rows("select definition from nodrift.campaigns where key = $1", [
      key,
    ]);
    return row?.definition as string | undefined;
  }

  async setState(key: string, state: CampaignState): Promise<void> {
    await this.#rows("update nodrift.campaigns set state = $2 where key = $1", [key, state]);
  }

  async put(
    key: string,
    results: readonly { readonly id: string; readonly line: string }[],
  ): Promise<void> {
    for (let i = 0; i < results.length; i += BATCH) {
      const part = results.slice(i, i + BATCH);
      await this.#rows(
        `insert into nodrift.results (campaign, id, line)
         select $1, * from unnest($2::text[], $3::text[]) order by 2 on conflict do nothing`,
        [key, part.map(({ id }) => id), part.map(({ line }) => line)],
      );
    }
  }

  async resultsAfter(key: string, after: number) {
    const rows = await this.#rows(
      "select line, place from nodrift.results where campaign = $1 and place > $2 order by place limit $3",
      [key, after, BATCH],
    );
    return {
      lines: rows.map(({ line }) => line as string),
      next: Number(rows.at(-1)?.place ?? after),
    };
  }

  async get(key: string, ids: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    for (let i = 0; i < ids.length; i += BATCH) {
      const rows = await this.#rows(
        "select line from nodrift.results where campaign = $1 and id = any($2)",
        [key, ids.slice(i, i + BATCH)],
      );
      lines.push(...rows.map(({ line }) => line as string));
    }
    return lines;
  }

  async deleteResults(key: string, ids: readonly string[]): Promise<void> {
    await this.#rows("delete from nodrift.results where campaign = $1 and id = any($2)", [
      key,
      ids,
    ]);
  }

  async count(key: string): Promise<number> {
    const [row] = await this.#rows(
      "select count(*) as n from nodrift.results where campaign = $1",
      [key],
    );
    return Number(row?.n ?? 0);
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}

function entryOf({ entry, state }: Record<string, unknown>): CampaignEntry {
  return { ...(JSON.parse(entry as string) as CampaignEntry), state: state as CampaignState };
}

/** Opens the store of a server. */
export function openStore(address: Address, log: (message: string) => void): Promise<Store> {
  return address.kind === "redis" ? redisStore(address, log) : postgresStore(address, log);
}

/** The two parts of a server: its store and its jobs. */
export interface Server {
  readonly store: Store;
  readonly queue: JobQueue;
  /** Closes both; does not wait for an unreachable server. */
  close(): Promise<void>;
}

/** Opens the store and the jobs of a server. */
export async function openServer(
  address: Address,
  log: (message: string) => void,
): Promise<Server> {
  const store = await openStore(address, log);
  const closeStore = () => withinSecond(store.close());
  try {
    const queue = await JobQueue.open(address, log);
    return {
      store,
      queue,
      async close() {
        await withinSecond(queue.close());
        await closeStore();
      },
    };
  } catch (error) {
    await closeStore();
    throw error;
  }
}

/** Waits for an action, at most a second, and ignores its error. */
async function withinSecond(action: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, 1000));
  await Promise.race([action.catch(() => {}), late]);
}
