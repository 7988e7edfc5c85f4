// Code in README.md and docs/: the fraction run by tests.

import { runBlocks } from "../../test/support/doc-runs.js";
import { atLeast, atMost, type Figure } from "./figure.js";

export async function* siteBlockFigures(): AsyncGenerator<Figure> {
  const { outcomes, mistakes } = await runBlocks();
  const left = outcomes.filter(({ state }) => state === "not run");
  for (const { place, why } of left) console.error(`${place}: ${why}`);
  for (const mistake of mistakes) console.error(mistake);
  const share = (100 * (outcomes.length - left.length)) / outcomes.length;
  yield atLeast("blocks of code in README.md and docs/ that are run by tests, %", share, 100);
  yield atMost("complaints of the compiler about them, as JavaScript", mistakes.length, 0);
}
