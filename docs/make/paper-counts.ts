// The papers' numbers by class: their counts in README.md and docs/papers.md, and tests of the bounds.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bound, type Entry, type EntryClass, judgedWith } from "nodrift/reproduce";

/** Written by `npm run papers`, which measures all tables. */
export const PAPERS_FILE = "bench/results/papers.json";

/** Pages with the counts, in one sentence. */
export const PAGES = ["README.md", "docs/papers.md"] as const;
export const SENTENCE = /\d+ numbers of \d+ tables: .*? without a verdict/;

export type ClassCounts = Readonly<Record<EntryClass, number>>;

/** Number of entries of each class in each table, from the last measurement. */
export const papers: Readonly<Record<string, ClassCounts>> = readPapers();

function readPapers(): Record<string, ClassCounts> {
  try {
    return JSON.parse(readFileSync(PAPERS_FILE, "utf8")) as Record<string, ClassCounts>;
  } catch {
    return {};
  }
}

export function countClasses(entries: readonly Entry[]): ClassCounts {
  const counts = {
    "printed and reproduced": 0,
    "printed, in magnitude": 0,
    "printed and not reproducible": 0,
    checked: 0,
    reported: 0,
  };
  for (const entry of entries) counts[entry.class]++;
  return counts;
}

/** Totals of all tables. */
export function totalOf(tables: readonly ClassCounts[]): ClassCounts {
  const total = { ...countClasses([]) };
  for (const counts of tables) {
    for (const [name, n] of Object.entries(counts)) total[name as EntryClass] += n;
  }
  return total;
}

/** The sentence of README.md and docs/papers.md. */
export function papersSentence(tables: Readonly<Record<string, ClassCounts>>): string {
  const all = totalOf(Object.values(tables));
  const sum = Object.values(all).reduce((a, b) => a + b, 0);
  return [
    `${sum} numbers of ${Object.keys(tables).length} tables:`,
    `${all["printed and reproduced"]} are printed and reproduced,`,
    `${all["printed, in magnitude"]} are printed and come out in magnitude (within a factor 3.16),`,
    `${all["printed and not reproducible"]} are printed and not reproducible (each with the reason),`,
    `${all.checked} are checked against our own reference or bound,`,
    `${all.reported} are reported without a verdict`,
  ].join(" ");
}

/** Values whose error is ten times what a bound allows; for an entry that claims a difference, the printed value. */
export function wrongFor({ kind, by, against }: Bound, entry: Entry): readonly number[] {
  const c = (against === "printed" ? entry.printed : entry.reference) ?? Number.NaN;
  switch (kind) {
    case "most":
      return [10 * by];
    case "least":
      return [by / 10];
    case "beyond":
      return [c];
    case "factor":
      return [10 * by * c, c / (10 * by)];
    case "relative":
      return [c + 10 * by * Math.abs(c), c - 10 * by * Math.abs(c)];
    case "distance":
      return by === 0 ? [c + 1, c - 1] : [c + 10 * by, c - 10 * by];
  }
}

/**
 * Values for which an entry must be missed: errors of ten times each bound, and ten times or a tenth of the value,
 * unless the entry is a one-sided bound, or about zero. For orders of magnitude, four times as far from the printed
 * value.
 */
export function wrongValues(entry: Entry): readonly number[] {
  const { value, printed, reference, bounds } = entry;
  const past = bounds.flatMap((bound) => wrongFor(bound, entry));
  if (entry.class === "printed, in magnitude") {
    return [...past, value >= printed! ? 4 * value : value / 4];
  }
  const isOneSided = bounds.some(({ kind }) => kind === "most" || kind === "least");
  const isAboutZero = (reference ?? printed) === 0;
  return isOneSided || isAboutZero ? past : [...past, 10 * value, value / 10];
}

/** Entries whose verdict does not change for some wrong value. */
export function looseEntries(entries: readonly Entry[]): readonly Entry[] {
  const isMissed = (entry: Entry) => (value: number) =>
    judgedWith(entry, value).verdict === "missed";
  return entries.filter(
    (entry) => entry.class !== "reported" && !wrongValues(entry).every(isMissed(entry)),
  );
}

/** A table in the form printed by the command. */
export interface MeasuredTable {
  readonly name: string;
  readonly entries: readonly Entry[];
}

let measured: ReturnType<typeof reproduceAll> | undefined;

/** All tables, measured once for all figures about them. */
export function measuredTables() {
  measured ??= reproduceAll();
  return measured;
}

/** All tables, or the named ones, measured by the command itself, including its threads. */
export function reproduceAll(names: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "papers-"));
  const page = join(folder, "page.html");
  const args = ["dist/cli.js", "reproduce", ...names, "--json", "--out", page];
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 1e9,
  });
  const seconds = (performance.now() - began) / 1000;
  rmSync(folder, { recursive: true });
  if (stdout === "") throw new Error(stderr);
  const tables = JSON.parse(stdout) as readonly MeasuredTable[];
  return { tables, seconds, status: status ?? 1 };
}
