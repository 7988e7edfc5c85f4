import { allocatedBytes, allocatingRuns } from "../support/allocated-bytes.js";
import { atMost, type Figure, reported } from "./figure.js";

const STEPS = 100_000;

/** Bytes allocated by a step. Compilation continues for a while, and adds less than a tenth of a byte per step. */
export async function* silentAllocationFigures(): AsyncGenerator<Figure> {
  for (const run of allocatingRuns) {
    const bytes = allocatedBytes(run, STEPS);
    yield atMost(`${run}: bytes allocated a step, over 10^5 steps`, Math.floor(bytes + 0.9), 0);
    yield reported(`${run}: the same, as measured`, bytes);
  }
}
