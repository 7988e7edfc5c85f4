// `npm run check`: the quick check, for use after each edit. Builds the outdated inputs of tests of the sources, then
// checks types, style and the tests that catch most mistakes for their time, in parallel. `npm test` runs everything.
// Arguments go to vitest: `npm run check -- test/solve/radau.test.ts` runs that file in addition.

import { build } from "./build.mjs";
import { checkSources } from "./check-sources.mjs";
import { enterRepository, run } from "./run.mjs";

/**
 * solve-conformance.test.ts is left to `npm test`: it takes a third as long as all of these. Every registry (joints, forces, methods, integrators) passes through one of these, and every file of the repository
 * through the first few.
 */
const TESTS = [
  "test/architecture.test.ts",
  "test/registries.test.ts",
  "test/files/schema.test.ts",
  "test/status.test.ts",
  "test/text.test.ts",
  "test/model/",
  "test/checking/",
  "test/methods/conformance.test.ts",
  "test/methods/pairs.test.ts",
  "test/methods/table.test.ts",
  "test/mechanisms/conformance.test.ts",
  "test/mechanisms/joints.test.ts",
  "test/solve/adams-one-order.test.ts",
  "test/solve/embedded-rk.test.ts",
  "test/solve/sdirk-tableaus.test.ts",
  "test/solve/tableaus.test.ts",
  "test/solve/types.test.ts",
];

enterRepository();
const begin = performance.now();
try {
  await build(["sources"]);
  const outcomes = await Promise.allSettled([checkSources({ remembers: true }), tests()]);
  const failures = outcomes.filter(({ status }) => status === "rejected");
  for (const { reason } of failures) console.error(reason.output ?? reason.stack);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(failures.length === 0 ? `all is well, ${seconds} s` : `failed, ${seconds} s`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error.output ?? error.stack);
  process.exitCode = 1;
}

async function tests() {
  const more = process.argv.slice(2);
  const printed = await run(
    "vitest",
    "run",
    "--project=package",
    "--reporter=dot",
    // Do not transform unchanged sources again. Only here: `npm test` uses no cache.
    "--experimental.fsModuleCache",
    ...TESTS,
    ...more,
  );
  // Skip the progress dots; the last lines count files and tests.
  console.log(printed.trimEnd().split("\n").slice(-5).join("\n"));
}
