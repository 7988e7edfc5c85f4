// Types and style of everything, at once: none needs what another makes.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "./run.mjs";
import { digestOf, filesBelow } from "./stamps.mjs";

const TYPES = ["tsconfig.json", "tsconfig.tools.json"];

/** Files that were found to be in style, by their contents: style is judged file by file. */
const STYLED = "build/styled.json";
const FOLDERS = ["src", "test", "bench", "scripts", "site", "assembly"];
const SOURCES = /\.(ts|mts|mjs|json|css|html)$/;
const ELSEWHERE = /(^|\/)(node_modules|results|generated[^/]*)(\/|$)/;
/** What the verdict depends on besides a file. */
const RULES = ["biome.json", "node_modules/@biomejs/biome/package.json"];
/** Of more files than this all are looked at. */
const FEW = 200;

/**
 * Throws where one finds something; the error holds what all of them found. `remembers`: what was right before and has not changed is not looked at again, for
 * the fast lane; `npm test` trusts no memory.
 */
export async function checkSources({ remembers = false } = {}) {
  const types = TYPES.map((project) => {
    const memory = ["--incremental", "--tsBuildInfoFile", `build/${project}.tsbuildinfo`];
    return run("tsc", "-p", project, ...(remembers ? memory : []));
  });
  const style = remembers ? changedStyle() : run("biome", "check", "--error-on-warnings");
  const results = await Promise.allSettled([...types, style]);
  const failures = results
    .filter(({ status }) => status === "rejected")
    .map(({ reason }) => reason);
  if (failures.length === 0) return;
  const output = failures
    .map((failure) => `${failure.message}\n${failure.output ?? ""}`)
    .join("\n");
  throw Object.assign(new Error("types or style"), { output });
}

/** Style of files that have changed since they were found to be right. */
async function changedStyle() {
  const rules = digestOf(RULES);
  const known = read(STYLED);
  const before = known.rules === rules ? known.files : {};
  const now = Object.fromEntries(sources().map((path) => [path, digestOf([path])]));
  const changed = Object.keys(now).filter((path) => before[path] !== now[path]);
  if (changed.length === 0) return;
  const these = changed.length > FEW ? [] : ["--no-errors-on-unmatched", ...changed];
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
