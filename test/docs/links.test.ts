// Every relative link of every page leads to a file, and to a heading of it where it names one; paths in the text
// are those of files, too. test/package asks the same of the links in the packed tarball.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../../bench/support/sources.js";
import { anchorsOf, brokenLinks, linksOf, markdownFiles } from "../support/markdown.js";

test("links of all pages lead somewhere", () => {
  expect(markdownFiles()).toContain("README.md");
  expect(markdownFiles().flatMap((page) => linksOf(textOf(page))).length).toBeGreaterThan(30);
  expect(brokenLinks(".")).toEqual([]);
});

test("a link to nothing, to a missing heading or out of the folder is found; code and addresses are not links", () => {
  const top = mkdtempSync(join(tmpdir(), "nodrift-links-"));
  mkdirSync(join(top, "docs"));
  const good = "[a](docs/b.md#the-second-one) [c](#top) [d](https://example.org/x) `[e](none.md)`";
  const bad = '![f](none.png) [g](docs/b.md#third) [h](#no) [i](../up.md) <img src="gone.svg">';
  writeFileSync(join(top, "a.md"), `# Top\n${good}\n${bad}\n\`\`\`md\n[j](none.md)\n\`\`\`\n`);
  writeFileSync(join(top, "docs/b.md"), "## The `second` one!\n[k](../a.md#top)\n");
  const wanted = ["none.png", "docs/b.md#third", "#no", "../up.md", "gone.svg"];
  expect(brokenLinks(top)).toEqual(wanted.map((link) => `a.md: ${link}`));
  rmSync(top, { recursive: true });
});

// Beginnings of paths, as pages name folders, groups of files (test/solve/sdirk*) and tests without their ending. x.ts
// stands for a file to come.
test("paths of the repository that pages name exist", () => {
  const tops = ["assembly", "bench", "docs", "examples", "src", "test"];
  const paths = tops.flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: "utf8" }).map((name) => `${top}/${name}`),
  );
  const named = markdownFiles().flatMap((page) =>
    [...textOf(page).matchAll(/(?<![\w./-])(?:assembly|bench|src|test)\/[\w./-]*\w/g)]
      .map(([path]) => path)
      .filter((path) => !/\/x\.|^bench\/results\//.test(path))
      .map((path) => ({ page, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(({ path }) => !paths.some((each) => each.startsWith(path)));
  expect(missing).toEqual([]);
});

test("equal headings have anchors of their own", () => {
  const text = "# Limits\n## Limits\n```\n# code\n```\n## [A link](x.md), q̇ & `solve()`\n";
  expect([...anchorsOf(text)]).toEqual(["limits", "limits-1", "a-link-q̇--solve"]);
});
