// Code in README.md and docs/ runs as readers paste it. What it prints is compared by the tests of its pages; here none is left out.

import { expect, test } from "vitest";
import { codeBlocks } from "../../bench/support/doc-blocks.js";
import { runBlocks } from "../../bench/support/doc-runs.js";

/** A part of the sources, a page whose simulation is the reader's, and two files of a reader's own bundle. */
const NOT_RUN = ["docs/decisions/0014-options.md", "docs/how-to.md", "docs/worker.md"];

test("every block of code runs, but for those that are parts of something else", async () => {
  const { outcomes } = await runBlocks();
  expect(outcomes).toHaveLength(codeBlocks().length);
  const left = outcomes.filter(({ state }) => state === "not run");
  expect(left.map(({ place }) => place.replace(/:\d+$/, ""))).toEqual(NOT_RUN);
}, 400_000);
