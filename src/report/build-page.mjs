// Build step before tsc: writes the styles of all pictures as text to src/draw/generated-style.ts, and script and style
// of pages to src/report/generated-page.ts. By their hashes a page allows these and nothing else.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const library = JSON.parse(await readFile("node_modules/uplot/package.json", "utf8"));
const [copyright] = /Copyright .*/.exec(await readFile("node_modules/uplot/LICENSE", "utf8"));
const NOTICE = `/*! Plots by uPlot ${library.version}, ${copyright}, MIT License. */`;

const script = `${NOTICE}\n${await bundle()}`;
const [libraryStyle, drawStyle, ownStyle] = await Promise.all(
  ["node_modules/uplot/dist/uPlot.min.css", path("../draw/draw.css"), path("report.css")].map(
    styleOf,
  ),
);
await writeFile(
  path("../draw/generated-style.ts"),
  `// Made by the build from src/draw/draw.css.

/** A function, because bundlers copy a constant to wherever it is used. */
export function drawStyle(): string {
  return ${JSON.stringify(drawStyle)};
}
`,
);
await writeFile(
  path("generated-page.ts"),
  `// Made by the build from src/report/page-script.ts and src/report/report.css.

import { drawStyle } from "../draw/generated-style.js";

/** What a page allows to run. */
export const pageHashes = {
  script: "${hash(script)}",
  style: "${hash(libraryStyle + drawStyle + ownStyle)}",
} as const;

/** A function, because bundlers copy a constant to wherever it is used. */
export function pageScript(): string {
  return ${JSON.stringify(script)};
}

export function pageStyle(): string {
  return ${JSON.stringify(libraryStyle)} + drawStyle() + ${JSON.stringify(ownStyle)};
}
`,
);

async function bundle() {
  const build = await rolldown({ input: path("page-script.ts"), platform: "browser" });
  const { output } = await build.generate({ format: "iife", minify: true, comments: false });
  await build.close();
  const code = output[0].code.trim();
  // The page embeds the script in a tag.
  if (/<\/script|<!--/i.test(code)) throw new Error("the script of the page would end itself");
  return code;
}

/** Returns a style without comments and redundant spaces. */
async function styleOf(file) {
  const text = await readFile(file, "utf8");
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(/;\}/g, "}")
    .trim();
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
