import { type Outcome, wrongCalls } from "../../test/support/calls/index.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

/** Number of generated calls, and their seed. */
const CALLS = 20_000;
const SEED = 20_000;

/** Invalid calls of every export: each is rejected with an error that names the argument, or accepted. */
export async function* robustOptionsFigures(): AsyncGenerator<Figure> {
  const counts: Record<Outcome, number> = {
    refused: 0,
    used: 0,
    raw: 0,
    ignored: 0,
    nameless: 0,
    slow: 0,
  };
  const functions = new Set<string>();
  for await (const { call, outcome } of wrongCalls(CALLS, SEED)) {
    functions.add(call);
    counts[outcome]++;
  }
  const name = "20 000 wrong calls";
  yield reported(`${name}: functions and methods`, functions.size);
  yield atLeast(`${name}: refused by name, or used`, counts.refused + counts.used, CALLS);
  yield reported(`${name}: of these used`, counts.used);
  yield atMost(`${name}: raw errors`, counts.raw, 0);
  yield atMost(`${name}: hangs`, counts.slow, 0);
  yield atMost(`${name}: ignored keys and arguments`, counts.ignored, 0);
  yield atMost(`${name}: refusals that do not name the argument`, counts.nameless, 0);
}
