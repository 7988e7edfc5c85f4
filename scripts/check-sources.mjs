// Checks types, style and words of all sources in parallel; none needs the output of another.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "./run.mjs";
import { digestOf, filesBelow } from "./stamps.mjs";

const TYPES = ["tsconfig.json", "tsconfig.tools.json"];

/** Cache of files that passed the style check, by content: style is checked file by file. */
const STYLED = "build/styled.json";
const FOLDERS = [
  "src",
  "campaign",
  "papers",
  "test",
  "bench",
  "docs/make",
  "scripts",
  "site",
  "assembly",
];
const SOURCES = /\.(ts|mts|mjs|json|css|html)$/;
const ELSEWHERE = /(^|\/)(node_modules|results|generated[^/]*)(\/|$)/;
/** Inputs of the style check other than the file. */
const RULES = ["biome.json", "node_modules/@biomejs/biome/package.json"];
/** If more files have changed, all files are checked. */
const MAX_LISTED_FILES = 200;

/**
 * Throws if a check fails; the error holds the output of all failed checks. `remembers`: skips files that passed
 * before and have not changed, for the quick check; `npm test` uses no cache.
 */
export async function checkSources({ remembers = false } = {}) {
  const types = TYPES.map((project) => {
    const memory = ["--incremental", "--tsBuildInfoFile", `build/${project}.tsbuildinfo`];
    return run("tsc", "-p", project, ...(remembers ? memory : []));
  });
  const style = remembers ? changedStyle() : run("biome", "check", "--error-on-warnings");
  const words = run("node", "scripts/check-words.mjs");
  const results = await Promise.allSettled([...types, style, words]);
  const failures = results
    .filter(({ status }) => status === "rejected")
    .map(({ reason }) => reason);
  if (failures.length === 0) return;
  const output = failures
    .map((failure) => `${failure.message}\n${failure.output ?? ""}`)
    .join("\n");
  throw Object.assign(new Error("types, style or words"), { output });
}

/** Checks the style of files that have changed since they last passed. */
async function changedStyle() {
  const rules = digestOf(RULES);
  const known = read(STYLED);
  const before = known.rules === rules ? known.files : {};
  const now = Object.fromEntries(sources().map((path) => [path, digestOf([path])]));
  const changed = Object.keys(now).filter((path) => before[path] !== now[path]);
  if (changed.length === 0) return;
  const these = changed.length > MAX_LISTED_FILES ? [] : ["--no-errors-on-unmatched", ...changed];
  await run("biome", "check", "--error-on-warnings", ...these);
  writeFileSync(STYLED, JSON.stringify({ rules, files: now }));
}

function sources() {
  const top = readdirSync(".").filter((name) => /\.(json|ts)$/.test(name));
  return [...top, ...FOLDERS.flatMap((folder) => filesBelow(folder, SOURCES))].filter(
    (path) => !ELSEWHERE.test(path),
  );
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
