// `npm test`: builds what is out of date, then types, style, browsers and engines, and the tests. Stops at the first step that
// fails. The last line counts the tests. `--long` runs the long tests alone (`npm run test:long`). Other arguments go to vitest.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build } from "../scripts/build.mjs";
import { checkSources } from "../scripts/check-sources.mjs";
import { enterRepository } from "../scripts/run.mjs";
import { findChromium } from "./support/chromium.mjs";
import { findEngine, findFirefox, installEngines } from "./support/engines.mjs";

/** Seconds each test file took: `npm run mutate` tries quick ones first. */
const SECONDS = "build/test-seconds.json";

enterRepository();
await step("build", () => build(["all"]));
await step("types and style", checkSources);
const args = process.argv.slice(2);
if (args.includes("--install")) process.env.NODRIFT_INSTALL = "true";
findEngines(process.env.CI === "true" || process.env.NODRIFT_INSTALL === "true");
const projects = args.includes("--long") ? ["long"] : ["debug", "release", "package"];
process.exitCode = runTests([
  ...projects.map((name) => `--project=${name}`),
  ...args.filter((arg) => arg !== "--install" && arg !== "--long"),
]);

async function step(title, action) {
  console.log(`\n== ${title}`);
  try {
    await action();
  } catch (error) {
    console.error(error.output ?? error.stack);
    stop(title);
  }
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

/**
 * Finds browsers and engines. Missing ones are installed in CI and with `npm test -- --install`; otherwise their tests are skipped, with a
 * line that says so. In CI a missing one is a failure.
 */
function findEngines(mayInstall) {
  console.log("\n== engines");
  const browsers = [
    ["chromium", findChromium],
    ["firefox-esr", findFirefox],
  ];
  const missing = browsers.filter(([, find]) => find() === undefined).map(([name]) => name);
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (missing.length > 0 && mayInstall && canInstall) {
    const environment = { DEBIAN_FRONTEND: "noninteractive" };
    console.log(`installs ${missing.join(" and ")} with apt-get`);
    run("apt-get", ["update"], environment);
    run("apt-get", ["install", "-y", ...missing], environment);
  }
  if (mayInstall) installEngines();
  const engines = ["bun", "deno"].map((name) => [name, () => findEngine(name)]);
  let isComplete = true;
  for (const [name, find] of [...browsers, ...engines]) {
    const path = find();
    isComplete &&= path !== undefined;
    const variable = `${name.replace("-esr", "").toUpperCase()}_PATH`;
    const lacking = `TESTS IN IT ARE SKIPPED: it was not found. Install it, set ${variable}, or run "npm test -- --install".`;
    console.log(`${name}: ${path ?? lacking}`);
  }
  if (!isComplete && process.env.CI === "true") stop("engines");
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
  keepSeconds(files);
  const tests = files.flatMap(({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed")
      ? [...assertionResults, { status: "failed" }]
      : assertionResults,
  );
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  return { passed, failed, skipped: tests.length - passed - failed };
}

function keepSeconds(files) {
  const known = existsSync(SECONDS) ? JSON.parse(readFileSync(SECONDS, "utf8")) : {};
  for (const { name, startTime, endTime } of files) {
    known[relative(process.cwd(), name)] = Number(((endTime - startTime) / 1000).toFixed(2));
  }
  writeFileSync(SECONDS, `${JSON.stringify(known, null, 1)}\n`);
}
