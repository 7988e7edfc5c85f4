import { couplings, runTurning } from "../support/turning-mechanisms.js";
import { atMost, type Figure, reported } from "./figure.js";

const TURNS = [0.1, 0.5, 1, 2, 3, 3.5, 5, 6.3, 8, 12, 20, 50];
const SEEDS = 5;

/** Gears, racks, screws and drives at many radians a step. */
export async function* silentTurnFigures(): AsyncGenerator<Figure> {
  for (const coordinates of ["relative", "maximal"] as const) {
    const [counts, all] = [{ right: 0, refused: 0, wrong: 0 }, couplings];
    for (const coupling of all) {
      for (const turn of TURNS) {
        for (let seed = 1; seed <= SEEDS; seed++) {
          counts[(await runTurning(coupling, coordinates, turn, seed)).outcome]++;
        }
      }
    }
    const runs = all.length * TURNS.length * SEEDS;
    yield atMost(
      `${coordinates}: silent errors of ${runs} couplings at 0.1 to 50 rad a step`,
      counts.wrong,
      0,
    );
    yield reported(`${coordinates}: of these refused`, counts.refused);
  }
}
