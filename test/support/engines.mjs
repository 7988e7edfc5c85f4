// JavaScript engines other than Node's and Chromium's V8: Firefox (SpiderMonkey) from the system, Bun (JavaScriptCore) and Deno from
// their npm packages. These two have about 100 MB each, so they are no dependencies: they are installed once, into build/engines.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findExecutable } from "./executables.mjs";

const FOLDER = "build/engines";
const VERSIONS = { bun: "1.4.4", deno: "2.9.6" };

/** Path of Firefox: FIREFOX_PATH, or the first of the usual names; undefined if not found. */
export function findFirefox() {
  return findExecutable(
    "FIREFOX_PATH",
    ["firefox-esr", "firefox"],
    ["/usr/bin", "/usr/local/bin", "/snap/bin"],
  );
}

/** Programs are in packages of their own, by system and processor: the packages by name would fetch them in install scripts. */
const PACKAGES = {
  bun: { "linux-x64": "@oven/bun-linux-x64", "linux-arm64": "@oven/bun-linux-aarch64" },
  deno: { "linux-x64": "@deno/linux-x64-glibc", "linux-arm64": "@deno/linux-arm64-glibc" },
};
const packageOf = (name) => PACKAGES[name][`${process.platform}-${process.arch}`];

/** Path of Bun or Deno: BUN_PATH or DENO_PATH, the one installed by `installEngines`, or the one on the PATH. */
export function findEngine(name) {
  const own = packageOf(name) ?? name;
  const folders = [join(FOLDER, "node_modules", own, "bin"), join(FOLDER, "node_modules", own)];
  return findExecutable(`${name.toUpperCase()}_PATH`, [name], folders);
}

/** Installs Bun and Deno if they are missing and the registry has them. */
export function installEngines() {
  const names = Object.keys(VERSIONS).filter((name) => packageOf(name) !== undefined);
  if (names.every((name) => findEngine(name) !== undefined)) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), '{ "private": true }\n');
  // Request all packages: npm removes installed ones that are not requested.
  const wanted = names.map((name) => `${packageOf(name)}@${VERSIONS[name]}`);
  const flags = ["--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  spawnSync("npm", ["install", ...flags, ...wanted], { cwd: FOLDER, stdio: "inherit" });
}
