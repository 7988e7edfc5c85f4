// What a server keeps of campaigns besides jobs: definitions, results by identity, and states. Results are put in once: of several for
// the same case the first stays.

/** Of a campaign: whether workers take its jobs. */
export type CampaignState = "active" | "cancelled" | "finished";

/** One campaign on a server. */
export interface CampaignEntry {
  readonly key: string;
  readonly name: string;
  readonly cases: number;
  /** Cases in a job. */
  readonly chunk: number;
  readonly version: string;
  readonly state: CampaignState;
}

/** A server's memory. */
export interface Store {
  /** A number that is the same on all machines that compute the same bits; the first to say it decides. */
  bits(version: string, digest?: string): Promise<string | undefined>;
  /** Puts a campaign in, unless it is there; gives the one that is. */
  define(entry: CampaignEntry, definition: string): Promise<CampaignEntry>;
  entry(key: string): Promise<CampaignEntry | undefined>;
  entries(): Promise<readonly CampaignEntry[]>;
  definition(key: string): Promise<string | undefined>;
  setState(key: string, state: CampaignState): Promise<void>;
  put(
    key: string,
    results: readonly { readonly id: string; readonly line: string }[],
  ): Promise<void>;
  /** Results that came after a place in their order, and the next place. */
  news(
    key: string,
    after: number,
  ): Promise<{ readonly lines: readonly string[]; readonly next: number }>;
  /** Lines by identity, of those that are there. */
  get(key: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Takes results out, to be computed again. */
  forget(key: string, ids: readonly string[]): Promise<void>;
  count(key: string): Promise<number>;
  close(): Promise<void>;
}
