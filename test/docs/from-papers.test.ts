// docs/from-papers.md: no equation of the five papers is missing, and each call there is one that this package has.

import * as core from "nodrift";
import * as analysis from "nodrift/analysis";
import * as bodies from "nodrift/bodies";
import * as mechanisms from "nodrift/mechanisms";
import * as reproduce from "nodrift/reproduce";
import * as solving from "nodrift/solve";
import { describe, expect, test } from "vitest";
import {
  fromPapersPage,
  missingLines,
  numbersOf,
  PAPERS,
  rowsBelow,
} from "../../docs/make/from-papers.js";
import { textOf } from "../support/sources.js";

const exported: Readonly<Record<string, unknown>> = {
  ...reproduce,
  ...mechanisms,
  ...analysis,
  ...bodies,
  ...solving,
  ...core,
};
const tables = reproduce.reproductions.map(({ name }) => `nodrift reproduce ${name}`);

/** Evaluates code as a user would write it. Options are checked by what is called. */
function evaluate(code: string): unknown {
  const names = Object.keys(exported).filter((name) => /^[a-zA-Z]\w*$/.test(name));
  const call = new Function(...names, `"use strict"; return (${code});`);
  return call(...names.map((name) => exported[name]));
}

/** Headings, first cells and code of the last column. */
const spans = ["Words", ...PAPERS.map(({ name }) => name)].flatMap((heading) =>
  rowsBelow(heading).flatMap(([first, , here]) =>
    [...here!.matchAll(/`([^`]+)`/g)].map(([, code]) => [`${heading} ${first}`, code!] as const),
  ),
);

describe("docs/from-papers.md", () => {
  test("lists the methods of the registries", () => {
    expect(textOf("docs/from-papers.md"), "npm run docs writes it").toBe(fromPapersPage());
  });

  test.each(PAPERS)("$name: each number has a line, and no other", (paper) => {
    const { name, highest, parts, others } = paper;
    expect(missingLines(paper)).toEqual([]);
    const known = new Set([...parts, ...others]);
    for (const number of rowsBelow(name).flatMap(([cell]) => numbersOf(cell!))) {
      const isEquation = Number(number) >= 1 && Number(number) <= highest;
      expect(isEquation || known.has(number), number).toBe(true);
    }
  });

  test("a missing line is detected", () => {
    const lines = textOf("docs/from-papers.md").split("\n");
    const without = lines.filter((line) => !line.startsWith("| (71)-(76)")).join("\n");
    expect(missingLines(PAPERS[0]!, without)).toEqual(["71", "72", "73", "74", "75", "76"]);
    expect(numbersOf("(43a)-(43b), (24.a)-(24.c), (7), Table 1")).toEqual([
      "43a",
      "43b",
      "24.a",
      "24.b",
      "24.c",
      "7",
      "Table 1",
    ]);
  });

  test("every call in the page runs", () => {
    expect(spans.length).toBeGreaterThan(100);
    for (const [line, code] of spans) {
      // Members of a simulation and of a model are checked by names.test.ts.
      if (/^(simulation|model\(\))\./.test(code) || code.startsWith("coordinates:")) continue;
      if (code.startsWith("nodrift ")) expect(tables, line).toContain(code);
      else if (code !== "characteristics") expect(evaluate(code), `${line}: ${code}`).toBeDefined();
    }
    expect(() => evaluate("baumgart()")).toThrow();
    expect(() => evaluate('maggi({ basis: "lq" })')).toThrow();
  });

  test("links only words that are in the table", () => {
    const words = rowsBelow("Words").flatMap(([cell]) => cell!.split(", "));
    const linked = [...textOf("docs/from-papers.md").matchAll(/\[([^\]]+)\]\(#words\)/g)];
    expect(linked.length).toBeGreaterThan(5);
    for (const [, word] of linked) expect(words).toContain(word);
  });
});
