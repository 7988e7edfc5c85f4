// README.md and docs/papers.md state the number of values in the papers that were measured.

import { drawings, reproductions } from "nodrift/reproduce";
import { expect, test } from "vitest";
import { PAGES, papers, papersSentence, SENTENCE } from "../../docs/make/paper-counts.js";
import { textOf } from "../support/sources.js";

test("every table has been counted, and none besides", () => {
  expect(Object.keys(papers)).toEqual(reproductions.map(({ name }) => name));
});

test.each(PAGES)("%s has the counts of what was measured", (page) => {
  const found = SENTENCE.exec(textOf(page).replaceAll(/\s+/g, " "))?.[0];
  expect(found, "npm run papers writes it").toBe(papersSentence(papers));
});

test("docs/papers.md names every drawing", () => {
  for (const { name } of drawings) expect(textOf("docs/papers.md")).toContain(`\`${name}\``);
});
