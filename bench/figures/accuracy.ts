import { seeded } from "../../test/support/random.js";
import { kernelCases } from "../cases/index.js";
import { atMost, type Figure } from "./figure.js";

const SEEDS = 1000;

/** The largest error of each factorisation, in units of n eps: sizes 1..40, condition 1..1e12. */
export function* accuracyFigures(): Generator<Figure> {
  for (const { name, run } of kernelCases.filter(({ factorisation }) => factorisation)) {
    let worst = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const n = 1 + (seed % 40);
      const condition = 10 ** (seed % 13);
      const { error } = run(seeded(seed), n, condition);
      worst = Number.isFinite(error) ? Math.max(worst, error / (n * Number.EPSILON)) : error;
    }
    yield atMost(`${name}: backward error / (n eps), worst of ${SEEDS}`, worst, 50);
  }
}
