// Code in README.md and docs/: how much of it is run by tests.

import { codeBlocks } from "../support/doc-blocks.js";
import { runBlocks } from "../support/doc-runs.js";
import { atLeast, atMost, type Figure } from "./figure.js";

export async function* siteBlockFigures(): AsyncGenerator<Figure> {
  const outcomes = await runBlocks();
  const left = outcomes.filter(({ state }) => state === "not run");
  for (const { place, why } of left) console.error(`${place}: ${why}`);
  const mistakes = left.filter(({ place }) => place === "types").length;
  const { length } = codeBlocks();
  const share = (100 * (length - (left.length - mistakes))) / length;
  yield atLeast("blocks of code in README.md and docs/ that are run by tests, %", share, 100);
  yield atMost("mistakes of types in them", mistakes, 0);
}
