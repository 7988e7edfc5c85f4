// Build step before tsc: bundles the page script with uPlot and writes src/report/generated-page.ts, which contains
// script and style as texts. By their hashes a page allows them and nothing else.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const library = JSON.parse(await readFile("node_modules/uplot/package.json", "utf8"));
const [copyright] = /Copyright .*/.exec(await readFile("node_modules/uplot/LICENSE", "utf8"));
const NOTICE = `/*! Plots by uPlot ${library.version}, ${copyright}, MIT License. */`;

const script = `${NOTICE}\n${await bundle()}`;
const style = await styles();
await writeFile(
  path("generated-page.ts"),
  `// Made by the build from src/report/page.

/** What a page allows to run. */
export const pageHashes = {
  script: "${hash(script)}",
  style: "${hash(style)}",
} as const;

/** A function, because bundlers copy a constant to wherever it is used. */
export function pageScript(): string {
  return ${JSON.stringify(script)};
}

export function pageStyle(): string {
  return ${JSON.stringify(style)};
}
`,
);

async function bundle() {
  const build = await rolldown({ input: path("page/main.ts"), platform: "browser" });
  const { output } = await build.generate({ format: "iife", minify: true, comments: false });
  await build.close();
  const code = output[0].code.trim();
  // The page embeds the script in a tag.
  if (/<\/script|<!--/i.test(code)) throw new Error("the script of the page would end itself");
  return code;
}

/** Returns the styles without comments and redundant spaces. */
async function styles() {
  const all = [await readFile("node_modules/uplot/dist/uPlot.min.css", "utf8")];
  all.push(await readFile(path("page/page.css"), "utf8"));
  return all
    .join("\n")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(/;\}/g, "}")
    .trim();
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
