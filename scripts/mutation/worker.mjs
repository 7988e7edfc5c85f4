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

/** Runs test files; gives the first test that fails, if one does. */
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
  for (const module of testModules) {
    if (module.state() !== "failed") continue;
    const [test] = [...module.children.allTests("failed")];
    return `${module.relativeModuleId}: ${test?.fullName ?? "does not run"}`;
  }
  return unhandledErrors.length > 0 ? "an error outside of tests" : undefined;
}

process.on("message", async (request) => {
  try {
    process.send({ failed: await run(request) });
  } catch (error) {
    process.send({ failed: `vitest: ${error.message}` });
  }
});
process.send({ ready: true });
