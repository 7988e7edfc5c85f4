import type { Contest } from "../contests/index.js";
import { type RaceOptions, race, speedup, type Timing } from "./race.js";
import { shortNumber, textTable } from "./table.js";

/** The timings of one contest at one size. */
export interface ContestResult {
  readonly contest: string;
  readonly size: string;
  readonly timings: readonly Timing[];
}

/** Runs a contest at all its sizes. */
export function runContest(contest: Contest, options?: RaceOptions): ContestResult[] {
  return contest.sizes.map(([m, n]) => {
    const runs = Object.entries(contest.entrants).map(
      ([name, make]) => [name, make(m, n)] as const,
    );
    const size = m === n ? String(n) : `${m}x${n}`;
    return { contest: contest.name, size, timings: race(Object.fromEntries(runs), options) };
  });
}

/** Microseconds of each entrant with the spread of its rounds, and how many times faster wasm is. */
export function speedTable(results: readonly ContestResult[]): string {
  const names = results[0].timings.map(({ name }) => name);
  const rivals = names.filter((name) => name !== "wasm");
  const rows = results.map(({ size, timings }) => [
    size,
    ...timings.map(({ median, spread }) => `${shortNumber(median)} ±${(100 * spread).toFixed(0)}%`),
    ...rivals.map((rival) => `${speedup(timings, rival).toFixed(1)}x`),
  ]);
  return textTable(["n", ...names, ...rivals.map((rival) => `vs ${rival}`)], rows);
}
