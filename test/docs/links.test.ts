// Every relative link of every page leads to a file, and to a heading of it where it names one. test/package
// asks the same of the packed tarball.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, brokenLinks, linksOf, markdownFiles } from "../support/markdown.js";
import { textOf } from "../support/sources.js";

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

test("equal headings have anchors of their own", () => {
  const text = "# Limits\n## Limits\n```\n# code\n```\n## [A link](x.md), q̇ & `solve()`\n";
  expect([...anchorsOf(text)]).toEqual(["limits", "limits-1", "a-link-q̇--solve"]);
});
