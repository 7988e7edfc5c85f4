// Data of campaigns on a server, apart from jobs: definitions, results by case id, and states. The first result of a case
// stays; later ones are ignored.

/** State of a campaign; workers take jobs of active ones only. */
export type CampaignState = "active" | "cancelled" | "finished";

/** One campaign on a server. */
export interface CampaignEntry {
  readonly key: string;
  readonly name: string;
  readonly cases: number;
  /** Number of cases per job. */
  readonly chunk: number;
  readonly version: string;
  readonly state: CampaignState;
}

/** Storage of campaigns on a server. */
export interface Store {
  /** Digest of the self-test, the same on all machines whose results are bitwise identical. The first one stored stays. */
  fingerprint(version: string, digest?: string): Promise<string | undefined>;
  /** Stores a campaign unless it exists, and returns the stored one. */
  define(entry: CampaignEntry, definition: string): Promise<CampaignEntry>;
  entry(key: string): Promise<CampaignEntry | undefined>;
  entries(): Promise<readonly CampaignEntry[]>;
  definition(key: string): Promise<string | undefined>;
  setState(key: string, state: CampaignState): Promise<void>;
  put(
    key: string,
    results: readonly { readonly id: string; readonly line: string }[],
  ): Promise<void>;
  /** Results after a position in order of arrival, and the next position. */
  resultsAfter(
    key: string,
    after: number,
  ): Promise<{ readonly lines: readonly string[]; readonly next: number }>;
  /** The stored lines among these case ids. */
  get(key: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes results, so that their cases are run again. */
  deleteResults(key: string, ids: readonly string[]): Promise<void>;
  count(key: string): Promise<number>;
  close(): Promise<void>;
}
