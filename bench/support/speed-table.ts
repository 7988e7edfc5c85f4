import type { Contest } from "../contests/index.js";
import { type RaceOptions, race, speedup, type Timing } from "./race.js";

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

/** Microseconds of each entrant with the spread of its rounds, and the speed-up of wasm. */
export function speedTable(results: readonly ContestResult[]): string {
  const names = results[0].timings.map(({ name }) => name);
  const opponents = names.filter((name) => name !== "wasm");
  const rows = results.map(({ size, timings }) => [
    size,
    ...timings.map(({ median, spread }) => `${shortNumber(median)} ±${(100 * spread).toFixed(0)}%`),
    ...opponents.map((opponent) => `${speedup(timings, opponent).toFixed(1)}x`),
  ]);
  return textTable(["n", ...names, ...opponents.map((opponent) => `vs ${opponent}`)], rows);
}

/** Rows of text as a table with aligned columns; numbers to the right. */
function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [line(header), rule, ...rows.map(line)].join("\n");
}

/** Three significant digits, without exponent. */
function shortNumber(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 4));
}
