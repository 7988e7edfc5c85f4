import { type Entry, judgedWith, type Reproduction, reproductions } from "nodrift/reproduce";
import { describe, expect, test } from "vitest";
import { countClasses, papers, wrongValues } from "../../docs/make/paper-counts.js";
import { judge } from "./verdicts.js";

/** Tables measured completely here; for the others, other tests or the figures measure the same values. */
const QUICK = [
  "welch-table-1",
  "welch-table-2",
  "welch-stability",
  "yoon-example-1",
  "yoon-sleigh",
  "braun-goldfarb-biped",
  "laulusa-bauchau-accelerations",
  "laulusa-bauchau-drift",
  "laulusa-bauchau-survival",
  "negrut-method",
  "negrut-jacobians",
  "negrut-table-2",
  "negrut-table-3",
  "negrut-hmmwv",
];
/** Tables whose first entry takes seconds. */
const SLOW_TABLES = [
  "braun-goldfarb-pendulum",
  "braun-goldfarb-cpu",
  "laulusa-bauchau-costs",
  "negrut-speed-up",
];

const of = (names: readonly string[]) => reproductions.filter(({ name }) => names.includes(name));

function expectConsistent(entry: Entry): void {
  const { quantity, class: kind, verdict, printed, bounds, note } = entry;
  expect(judge(entry), quantity).toBe(verdict);
  const isPrinted = kind.startsWith("printed");
  if (isPrinted) expect(printed, quantity).toBeDefined();
  if (kind === "checked") expect(printed, quantity).toBeUndefined();
  expect(bounds.length > 0, quantity).toBe(kind !== "reported");
  if (isPrinted) expect(bounds[0].against, quantity).toBe("printed");
  const isOff = kind === "printed and not reproducible" || kind === "printed, in magnitude";
  if (isOff) expect(note, quantity).toMatch(/\.$/);
}

/** Expects that wrong values change the verdict. */
function expectStrict(entry: Entry): void {
  if (entry.class === "reported") return;
  for (const value of wrongValues(entry)) {
    const { verdict } = judgedWith(entry, value);
    expect(verdict, `${entry.quantity}, ${entry.acceptance}: ${value}`).toBe("missed");
  }
}

describe("the registry", () => {
  test("names are unique, in kebab-case, and include those of this test", () => {
    const names = reproductions.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)+$/);
    for (const name of [...QUICK, ...SLOW_TABLES]) expect(names).toContain(name);
  });

  test.each(reproductions)("$name describes its source in sentences", (table) => {
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
    for (const entry of entries) {
      expectConsistent(entry);
      expectStrict(entry);
    }
    expect(entries.filter(({ verdict }) => verdict === "missed")).toEqual([]);
    expect(new Set(entries.map(({ quantity }) => quantity)).size).toBe(entries.length);
    expect(countClasses(entries)).toEqual(papers[table.name]);
  });
});

describe.each(reproductions.filter(({ name }) => ![...QUICK, ...SLOW_TABLES].includes(name)))(
  "$name",
  (table: Reproduction) => {
    test("starts, and can be abandoned", async () => {
      for await (const entry of table.run()) {
        expectConsistent(entry);
        expect(entry.verdict).not.toBe("missed");
        break;
      }
    });
  },
);

test("other tasks run while a table is measured", async () => {
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
