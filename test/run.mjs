// `npm test`: the build if it is out of date, types, style, a browser, then all tests. Stops at the
// first step that fails. The last line counts the tests. Arguments go to vitest.
//
// The build comes first because tests and benches see the package by its name, that is, by the
// typings in dist.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "./support/chromium.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
process.env.PATH = [join(process.cwd(), "node_modules/.bin"), process.env.PATH].join(delimiter);

if (isStale()) step("build", "npm", ["run", "build"]);
step("types of the package", "tsc", ["-p", "tsconfig.json"]);
step("types of tests and benches", "tsc", ["-p", "tsconfig.tools.json"]);
step("style", "biome", ["check", "--error-on-warnings"]);
findBrowser();
process.exitCode = runTests(process.argv.slice(2));

function step(title, command, args) {
  console.log(`\n== ${title}: ${command} ${args.join(" ")}`);
  if (run(command, args) !== 0) stop(title);
}

function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...environment },
    shell: process.platform === "win32",
  });
  if (error) console.error(`${command} did not start: ${error.message}`);
  return status ?? 1;
}

function stop(title) {
  console.error(`\n${title}: failed. Nothing after it was run.`);
  process.exit(1);
}

/** True when something the build makes is missing or older than something it is made from. */
function isStale() {
  const made = [
    "build/debug.wasm",
    "build/release.wasm",
    "build/bench/cases/index.js",
    "dist/nodrift.wasm",
    "dist/index.js",
    "src/ground/wasm/generated.ts",
    "src/tools/report/generated-page.ts",
  ];
  if (!made.every((path) => existsSync(path))) return true;
  const settings = readdirSync(".").filter((name) =>
    /^(asconfig|package|tsconfig|bundle).*(json|mjs)$/.test(name),
  );
  const sources = ["assembly", "src", "bench"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mjs|css)$/.test(name) && !/\bgenerated[^/]*\.ts$/.test(name))
      .map((name) => join(folder, name)),
  );
  const changed = (path) => statSync(path).mtimeMs;
  const newest = Math.max(...[...settings, ...sources].map(changed));
  return newest > Math.min(...made.map(changed));
}

/** Installs Chromium where that is possible. Without one, only a person may go on. */
function findBrowser() {
  console.log("\n== browser");
  if (findChromium() === undefined && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const environment = { DEBIAN_FRONTEND: "noninteractive" };
    run("apt-get", ["update"], environment);
    run("apt-get", ["install", "-y", "chromium"], environment);
  }
  const path = findChromium();
  if (path !== undefined) {
    console.log(`tests run in ${path}`);
  } else if (process.env.CI === "true") {
    console.error("No Chromium was found and none could be installed. Set CHROMIUM_PATH.");
    stop("browser");
  } else {
    console.log(
      "BROWSER TESTS ARE SKIPPED: no Chromium was found. Install it or set CHROMIUM_PATH.",
    );
  }
}

function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), "nodrift-"));
  const report = join(folder, "report.json");
  console.log("\n== tests");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const status = run("vitest", ["run", ...reporters, ...args]);
  const { passed, failed, skipped } = count(report);
  rmSync(folder, { recursive: true });
  // Errors outside of tests have no line in the report.
  const wrong = status === 0 ? failed : Math.max(failed, 1);
  console.log(`${passed} passed, ${wrong} failed, ${skipped} skipped`);
  return wrong === 0 ? 0 : 1;
}

/** Counts tests; a file that could not run at all counts as one that failed. */
function count(report) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const files = JSON.parse(readFileSync(report, "utf8")).testResults;
  const tests = files.flatMap(({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed")
      ? [...assertionResults, { status: "failed" }]
      : assertionResults,
  );
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  return { passed, failed, skipped: tests.length - passed - failed };
}
