// README.md is short enough to be read in a few minutes, and shows how to install this version.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { linksOf } from "../support/markdown.js";
import { textOf } from "../support/sources.js";

const readme = textOf("README.md");

test("the README has at most 1200 words, code and tables included", () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1200);
});

test("the README has a picture, both commands, one program and the tarball of this version", () => {
  expect(readme).toMatch(/^!\[.+\]\(docs\/pictures\/\S+\)$/m);
  expect(readme).toContain("npm ci && npm start");
  expect(readme).toContain("npm ci && npm test");
  expect(readme.match(/^```js$/gm)).toHaveLength(1);
  expect(readme).toContain(`/${manifest.name}-${manifest.version}.tgz`);
});

test("the README links to every page of docs/ and to the changelog", () => {
  const links = linksOf(readme);
  const pages = readdirSync("docs").filter((name) => name.endsWith(".md"));
  for (const page of pages) expect(links).toContain(`docs/${page}`);
  expect(links).toContain("CHANGELOG.md");
  expect(textOf("CHANGELOG.md")).toContain(`\n## ${manifest.version} - `);
});
