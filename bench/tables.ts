// The tables of WebAssembly against JavaScript, for `npm run bench` and the command line: a separate bundle.

import { contests } from "./contests/index.js";
import type { RaceOptions } from "./support/race.js";
import { type ContestResult, runContest, speedTable } from "./support/speed-table.js";

export interface ContestTable {
  readonly name: string;
  /** Text for a terminal. */
  readonly text: string;
  readonly results: readonly ContestResult[];
}

export const contestNames: readonly string[] = contests.map(({ name }) => name);

/** Runs the contests whose names contain a word, one after the other. */
export function* contestTables(word: string, options: RaceOptions): Generator<ContestTable> {
  for (const contest of contests) {
    if (!contest.name.toLowerCase().includes(word.toLowerCase())) continue;
    const results = runContest(contest, options);
    yield { name: contest.name, text: speedTable(results), results };
  }
}
