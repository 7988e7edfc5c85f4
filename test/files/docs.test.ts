// The examples of docs/files.md run as written, and its tables are complete.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Json, parseMethod, quantityNames, readDocument, readModel } from "nodrift/files";
import { solve } from "nodrift/solve";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { jsonSchema } from "../../src/files/schema/json-schema.js";
import { allCases, documentWith } from "./support/all-types.js";
import { edited } from "./support/mistakes.js";

const text = readFileSync("docs/files.md", "utf8");
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, code]) => code,
  );
const [pendulum, bouncing, ...otherFiles] = blocks("json");
const [program, ...otherPrograms] = blocks("js");

const folder = mkdtempSync(join(tmpdir(), "nodrift-files-"));
const before = process.cwd();

beforeAll(() => {
  writeFileSync(join(folder, "pendulum.json"), pendulum);
  writeFileSync(join(folder, "program.ts"), program);
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

test("all examples are run here", () => {
  expect([otherFiles, otherPrograms]).toEqual([[], []]);
});

test("the program solves the file, and could write it", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(/* @vite-ignore */ pathToFileURL(join(folder, "program.ts")).href);
  const [[angle, length]] = log.mock.calls as [[number, number]];
  log.mockRestore();
  // It is let go level, and swings down and up again: never above where it began.
  expect(angle).toBeGreaterThan(-1e-6);
  expect(angle).toBeLessThan(Math.PI + 1e-6);
  expect(length).toBeGreaterThan(pendulum.length / 2);
});

test("the ball bounces, and its columns are those of the example", async () => {
  const parts = JSON.parse(bouncing) as Record<string, Json>;
  const file = readDocument({
    nodrift: 1,
    name: "ball",
    units: "SI",
    gravity: [0, 0, -9.81],
    bodies: [{ name: "ball", mass: 1, inertia: [1, 1, 1], position: [0, 0, 1] }],
    solve: { span: [0, 1] },
    ...parts,
  });
  const system = await file.compile();
  const { events } = solve(system, file.solveOptions(system));
  expect(events[0].name).toBe("floor");
  expect(Math.abs(events[0].time - Math.sqrt((2 * 0.9) / 9.81))).toBeLessThan(1e-6);
  expect(file.columns.map(({ name, unit }) => [name, unit])).toEqual([
    ["height", "m"],
    ["speed('ball')", "m/s"],
  ]);
});

/** Rows of the table that begins with a line. */
function rowsAfter(heading: string): string[][] {
  const [table] = text.slice(text.indexOf(`\n| ${heading} |`) + 1).split("\n\n");
  return table
    .split("\n")
    .slice(2)
    .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word);

describe("tables of docs/files.md", () => {
  test("list all keys", () => {
    const documented = rowsAfter("key").flatMap(([key]) => quoted(key));
    const known = Object.keys(jsonSchema().properties ?? {}).filter((key) => key !== "$schema");
    expect(documented.sort()).toEqual(known.sort());
  });

  test("list all quantities", () => {
    const documented = rowsAfter("object").flatMap(([, names]) => quoted(names));
    const names = documented.map((name) => name.replace("()", ""));
    expect([...new Set(names)].sort()).toEqual([...quantityNames].sort());
  });

  const functions = rowsAfter("option").flatMap(([options, variables]) =>
    quoted(options).map((option) => [option, quoted(variables)] as const),
  );

  test("list all functions", () => {
    expect(functions).toHaveLength(10);
  });

  test.each(functions)("show the variables of %s", (option, variables) => {
    const [type, key] = option.split(".");
    const one = allCases.find((each) => each.type === type && key in each.given.entry)!;
    const formula = `1 + 0*(${variables.join(" + ")})`;
    const made = (source: string) => {
      const isVector = Array.isArray(one.given.entry[key]);
      const value = isVector ? [0, source, 0] : source;
      const entry = { ...one.given.entry, [key]: value };
      return readDocument(documentWith([{ ...one, given: { ...one.given, entry } }]));
    };
    expect(made(formula).model.data().bodies).toHaveLength(2);
    const known = new RegExp(`unknown name "q": .*${variables[0]}`);
    expect(() => made(`${formula} + q`)).toThrow(known);
  });
});

test("methods that are named are methods", () => {
  const [, list] = /^`method` is a name([\s\S]*?)\n\n/m.exec(text)!;
  const names = quoted(list).filter((word) => word.startsWith('"'));
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(parseMethod(JSON.parse(name))).toBeDefined();
});

test("the file is what an editor would make of it", () => {
  expect(readModel(pendulum).name).toBe("pendulum");
  expect(
    readDocument(edited({ "/$schema": "node_modules/nodrift/dist/model-1.schema.json" })).name,
  ).toBe("crane");
});
