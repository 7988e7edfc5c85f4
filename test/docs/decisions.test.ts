// Pages of docs/decisions are numbered 0001, 0002, ... without gaps, and references to them are valid.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { markdownFiles } from "../support/markdown.js";
import { sourceFiles, textOf } from "../support/sources.js";

const pages = readdirSync("docs/decisions").sort();
const texts = [
  ...["assembly", "src", "campaign", "papers", "test", "bench", "docs"].flatMap(sourceFiles),
  ...markdownFiles(),
].filter((path) => path !== "test/docs/decisions.test.ts");

test("decisions have consecutive numbers, each a title without one", () => {
  const numbers = pages.map((page) => /^(\d{4})-[a-z-]+\.md$/.exec(page)?.[1]);
  expect(numbers).toEqual(pages.map((_, index) => String(index + 1).padStart(4, "0")));
  for (const page of pages) expect(textOf(`docs/decisions/${page}`)).toMatch(/^# (?!\d)/);
});

test("references to decisions in sources, tests and pages point at a page", () => {
  const wrong: string[] = [];
  let found = 0;
  for (const path of texts) {
    for (const [, page] of textOf(path).matchAll(/\bdecisions\/(\d[\w.-]*\w)/g)) {
      found++;
      if (!pages.includes(page)) wrong.push(`${path}: ${page}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(5);
});

test("a link whose text is the number of a decision leads to that decision", () => {
  const wrong = markdownFiles().flatMap((path) =>
    [...textOf(path).matchAll(/\[(\d{4})\]\((?:\S*\/)?([^/)]*)\)/g)]
      .filter(([, number, target]) => !target.startsWith(`${number}-`))
      .map(([link]) => `${path}: ${link}`),
  );
  expect(wrong).toEqual([]);
});
