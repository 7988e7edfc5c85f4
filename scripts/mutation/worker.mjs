// A process of its own that runs tests in a copy of the repository, and can be stopped when a mutant hangs. Vitest
// stays, so that only what a mutant changed is transformed again.

import { createVitest } from "vitest/node";

const quiet = { onInit() {}, onTestRunEnd() {} };
const vitest = await createVitest("test", {
  watch: false,
  maxWorkers: 1,
  bail: 1,
  pool: "threads",
  reporters: [quiet],
});
await vitest.standalone();

/** Runs test files; returns the first test that fails, if any, and the files that pass. */
async function run({ tests, changed }) {
  for (const path of changed) vitest.invalidateFile(path);
  // Vitest counts failures of all runs for `bail`.
  vitest.state.idMap.clear();
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  const specifications = tests.map(({ path, project }) =>
    vitest.projects.find(({ name }) => name === project).createSpecification(path),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const passed = testModules
    .filter((module) => module.state() === "passed")
    .map(({ relativeModuleId }) => relativeModuleId);
  for (const module of testModules) {
    if (module.state() !== "failed") continue;
    const [test] = [...module.children.allTests("failed")];
    const failed = `${module.relativeModuleId}: ${test?.fullName ?? "does not run"}`;
    return { failed, passed };
  }
  return { failed: unhandledErrors.length > 0 ? "an error outside of tests" : undefined, passed };
}

process.on("message", async (request) => {
  try {
    process.send(await run(request));
  } catch (error) {
    process.send({ failed: `vitest: ${error.message}`, passed: [] });
  }
});
process.send({ ready: true });
