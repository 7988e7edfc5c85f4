import { countDifferences } from "../../test/support/save-restore.js";
import { savedRuns } from "../../test/support/saved-runs.js";
import { atMost, type Figure } from "./figure.js";

const STEPS = 50;

/** Runs of all kinds, each resumed from random steps in itself and in another run. */
export async function* solveSaveFigures(): AsyncGenerator<Figure> {
  let different = 0;
  for (const [seed, run] of (await savedRuns()).entries()) {
    different += countDifferences(run, STEPS, seed);
  }
  yield atMost(`save/restore at ${STEPS} random steps: runs that differ`, different, 0);
}
