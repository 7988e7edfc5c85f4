// Every relative link of every page leads to a file, and to an existing heading if it names one; paths in the text
// exist, too. test/package checks the links in the packed tarball.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, brokenLinks, linksOf, markdownFiles } from "../support/markdown.js";
import { commentsOf, sourceFiles, textOf } from "../support/sources.js";

test("links of all pages lead to existing targets", () => {
  expect(markdownFiles()).toContain("README.md");
  expect(markdownFiles().flatMap((page) => linksOf(textOf(page))).length).toBeGreaterThan(30);
  expect(brokenLinks(".")).toEqual([]);
});

test("broken links, missing headings and links out of the folder are found; code and addresses are not links", () => {
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

// Paths may lack the ending of a test or a source, and may stand for several: test/solve/sdirk*, src/methods. x.ts is a file to come; what the
// build makes and what readers write is not there.
const ABSENT = /(^|\/)x\.|^bench\/results\/|\/generated[\w-]*\.ts$/;
const TOPS = [
  "assembly",
  "bench",
  "campaign",
  "docs",
  "examples",
  "papers",
  "scripts",
  "site",
  "src",
  "test",
];
const READERS = [
  "area.mjs",
  "step.mjs",
  "x.ts",
  "x.test.ts",
  "THIRD-PARTY.md",
  "generated.ts",
  "generated-page.ts",
];
const files = [
  ...TOPS.flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: "utf8" }).map((name) => `${top}/${name}`),
  ),
  ...readdirSync("."),
].filter((path) => !path.includes("node_modules"));
const texts = [
  ...markdownFiles().map((path) => ({ path, text: textOf(path) })),
  ...TOPS.flatMap(sourceFiles).map((path) => ({ path, text: commentsOf(path) })),
];

test("paths of the repository that pages and comments name exist", () => {
  const known = new Set(files.flatMap((path) => [path, path.replace(/(\.test)?\.\w+$/, "")]));
  const named = texts.flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /(?<![\w./-])((?:assembly|bench|docs\/make|scripts|site|src|test)\/[\w./-]*[\w-])(\*?)/g,
      ),
    ]
      .filter(([, name]) => !ABSENT.test(name))
      .map(([, name, star]) => ({ path, name, star })),
  );
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ name, star }) =>
    star ? !files.some((each) => each.startsWith(name)) : !known.has(name),
  );
  expect(missing).toEqual([]);
});

test("files that pages and comments name without their folders exist", () => {
  const known = new Set([...files.map((path) => basename(path)), ...READERS]);
  const named = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w*}.-])([\w][\w.-]*\.(?:ts|mjs|md))(?![\w/])/g)].map(([, name]) => ({
      path,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("equal headings have anchors of their own", () => {
  const text = "# Limits\n## Limits\n```\n# code\n```\n## [A link](x.md), q̇ & `solve()`\n";
  expect([...anchorsOf(text)]).toEqual(["limits", "limits-1", "a-link-q̇--solve"]);
});
