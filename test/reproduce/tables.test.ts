import { type Entry, type Reproduction, reproductions } from "nodrift/reproduce";
import { describe, expect, test } from "vitest";
import { judge } from "./verdicts.js";

/** Measured to the end here; of the others, other tests measure the same numbers, or the figures do. */
const QUICK = [
  "welch-table-1",
  "welch-table-2",
  "welch-stability",
  "yoon-example-1",
  "yoon-sleigh",
  "braun-goldfarb-biped",
  "laulusa-bauchau-drift",
  "negrut-method",
  "negrut-jacobians",
  "negrut-table-2",
  "negrut-table-3",
  "negrut-hmmwv",
];
/** Seconds go by until their first entry. */
const SLOW = ["braun-goldfarb-pendulum", "negrut-speed-up"];

/** So many entries as there are in papers and references; what is not reproducible among them. */
const COUNTS: Record<string, readonly [entries: number, unreproducible: number]> = {
  "welch-table-1": [104, 0],
  "welch-table-2": [12, 1],
  "welch-stability": [7, 1],
  "yoon-example-1": [38, 0],
  "negrut-table-2": [32, 32],
  "negrut-table-3": [18, 0],
};

const of = (names: readonly string[]) => reproductions.filter(({ name }) => names.includes(name));

function expectConsistent(entry: Entry): void {
  const { verdict, difference } = judge(entry);
  expect(entry.verdict, entry.quantity).toBe(verdict);
  expect(entry.difference, entry.quantity).toBe(difference);
  if (entry.verdict === "not reproducible") expect(entry.note).toMatch(/\.$/);
}

describe("the registry", () => {
  test("has names in kebab-case, each once, and knows those of this test", () => {
    const names = reproductions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)+$/);
    for (const name of [...QUICK, ...SLOW, ...Object.keys(COUNTS)]) expect(names).toContain(name);
  });

  test.each(reproductions)("$name says where it comes from, in sentences", (table) => {
    expect(table.paper).toMatch(/^(Welch|Yoon|Braun|Laulusa|Negrut)/);
    expect(table.title).toMatch(/^[A-Z]/);
    expect(table.notes.length).toBeGreaterThan(0);
    for (const note of table.notes) expect(note).toMatch(/^\S.*\.$/);
  });
});

describe.each(of(QUICK))("$name", (table: Reproduction) => {
  test("comes out", async () => {
    const entries: Entry[] = [];
    for await (const entry of table.run()) entries.push(entry);
    for (const entry of entries) expectConsistent(entry);
    expect(entries.filter(({ verdict }) => verdict === "missed")).toEqual([]);
    expect(new Set(entries.map(({ quantity }) => quantity)).size).toBe(entries.length);
    const [count, known] = COUNTS[table.name] ?? [entries.length, 0];
    const unreproducible = entries.filter(({ verdict }) => verdict === "not reproducible");
    expect([entries.length, unreproducible.length]).toEqual([count, known]);
  });
});

describe.each(reproductions.filter(({ name }) => ![...QUICK, ...SLOW].includes(name)))(
  "$name",
  (table: Reproduction) => {
    test("begins, and can be left", async () => {
      for await (const entry of table.run()) {
        expectConsistent(entry);
        expect(entry.verdict).not.toBe("missed");
        break;
      }
    });
  },
);

test("others have a turn while a table is measured", async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
  });
  const before: number[] = [];
  for await (const _ of of(["yoon-example-1"])[0].run()) before.push(turns);
  clearInterval(timer);
  expect(before[0]).toBeGreaterThan(0);
  expect(before[before.length - 1]).toBeGreaterThan(before[0]);
});
