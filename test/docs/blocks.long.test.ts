// Code in README.md and docs/ runs as readers paste it, and its types are right. Its output is compared by the tests of its pages; here none
// is left out.

import { expect, test } from "vitest";
import { codeBlocks } from "../support/doc-blocks.js";
import { runBlocks } from "../support/doc-runs.js";

test("every block of code runs, and compiles without errors", async () => {
  const { outcomes, mistakes } = await runBlocks();
  expect(outcomes).toHaveLength(codeBlocks().length);
  expect(outcomes.filter(({ state }) => state === "not run")).toEqual([]);
  expect(mistakes).toEqual([]);
}, 400_000);
