// Pages of the documentation: their order and addresses.

import { readdirSync, readFileSync } from "node:fs";

/** Groups of the page list; pages in no group exist but are not listed. */
const GROUPS = [
  ["Begin", ["README.md", "docs/tutorial.md", "docs/tour.md", "docs/how-to.md", "docs/joints.md"]],
  [
    "Without code",
    ["docs/command-line.md", "docs/files.md", "docs/expressions.md", "docs/campaigns.md"],
  ],
  [
    "Simulate",
    [
      "docs/solve.md",
      "docs/stiff.md",
      "docs/live.md",
      "docs/equations.md",
      "docs/small-motions.md",
    ],
  ],
  ["Methods", ["docs/choosing.md", "docs/methods.md", "docs/work-precision.md"]],
  ["Theory", "docs/theory/"],
  [
    "Evidence",
    ["docs/papers.md", "docs/from-papers.md", "docs/speed.md", "docs/proofs.md", "docs/limits.md"],
  ],
  ["Inside", ["docs/ARCHITECTURE.md", "CHANGELOG.md"]],
];

const listed = GROUPS.flatMap(([, pages]) => (typeof pages === "string" ? [] : pages));

/** Returns the source paths of all pages. */
export function sources() {
  const below = (folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}${name}`)
      .sort();
  return [
    "README.md",
    "CHANGELOG.md",
    ...["docs/", "docs/theory/", "docs/decisions/"].flatMap(below),
  ];
}

/** Returns the address of a page on the site, where all pages lie in one folder. */
export function addressOf(source) {
  if (source === "README.md") return "index.html";
  const name = source.replace(/^docs\//, "").replace(/\.md$/, "");
  return `${name.replaceAll("/", "-").toLowerCase()}.html`;
}

export function titleOf(source) {
  if (source === "README.md") return "What nodrift is";
  return /^# (.+)$/m.exec(readFileSync(source, "utf8"))?.[1].replaceAll("`", "") ?? source;
}

/** Returns the page list with the present page marked. `more` are pages without a source. */
export function navigation(all, present, more) {
  const known = new Set(all);
  const groups = GROUPS.map(([name, pages]) => [
    name,
    typeof pages === "string"
      ? all.filter((source) => source.startsWith(pages))
      : [...pages, ...(name === "Simulate" ? unlisted(all) : [])].filter((page) => known.has(page)),
  ]);
  const links = groups.map(([name, pages]) => [
    name,
    pages.map((source) => [addressOf(source), titleOf(source)]),
  ]);
  return [...links, ["Reference", more]]
    .filter(([, pages]) => pages.length > 0)
    .map(([name, pages]) => {
      const items = pages.map(([address, title]) => {
        const mark = address === present ? ' aria-current="page"' : "";
        return `<li><a href="./${address}"${mark}>${escaped(title)}</a></li>`;
      });
      return `<h2>${name}</h2><ul>${items.join("")}</ul>`;
    })
    .join("");
}

/** Returns the top-level pages of docs/ that are in no group. */
function unlisted(all) {
  return all.filter((source) => /^docs\/[^/]+\.md$/.test(source) && !listed.includes(source));
}

export function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
