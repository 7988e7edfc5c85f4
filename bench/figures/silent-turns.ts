import { runTurning, turningLaws } from "../../test/support/turning-mechanisms.js";
import { atMost, type Figure, reported } from "./figure.js";

const TURNS = [0.1, 0.5, 1, 2, 3, 3.5, 5, 6.3, 8, 12, 20, 50];
/** Relative growth of a rate per step. */
const GROWTHS = [0, 0.05, 0.5, -0.07];
const BEARINGS = ["tree", "closing"] as const;

/** Couplings, laws and readings of angles at many radians per step, with constant and changing rates. */
export async function* silentTurnFigures(): AsyncGenerator<Figure> {
  for (const coordinates of ["relative", "maximal"] as const) {
    const counts = { right: 0, refused: 0, wrong: 0 };
    let [runs, beyond, worst, lost] = [0, 0, 0, 0];
    for (const law of turningLaws) {
      for (const [i, turn] of TURNS.entries()) {
        for (const bearing of BEARINGS) {
          for (const [k, growth] of GROWTHS.entries()) {
            const given = { coordinates, bearing, growth, isLive: k % 2 === 1 };
            const { outcome, error, isLost } = await runTurning(law, given, turn, 1 + i + 50 * k);
            counts[outcome]++;
            if (isLost) lost++;
            runs++;
            if (outcome === "wrong") worst = Math.max(worst, error);
            if (outcome === "wrong" && turn > 1) beyond++;
          }
        }
      }
    }
    yield atMost(
      `${coordinates}: silent errors above 1e-9 of ${runs} laws of angles at 0.1 to 50 rad a step`,
      counts.wrong,
      0,
    );
    yield atMost(`${coordinates}: of these at more than 1 rad a step`, beyond, 0);
    yield atMost(`${coordinates}: turns lost, or couplings off by more than 1e-9`, lost, 0);
    yield reported(`${coordinates}: the largest, as a part of the angle`, worst);
    yield reported(`${coordinates}: refused`, counts.refused);
  }
}
