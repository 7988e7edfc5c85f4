import { quaternionContests } from "../contests/quaternions.js";
import { race, speedup } from "../support/race.js";
import { atLeast, type Figure } from "./figure.js";

const BODIES = 1000;

/** Kernels of rotations compared with the best JavaScript. */
export async function* relativeContestFigures(): AsyncGenerator<Figure> {
  for (const { name, entrants } of quaternionContests) {
    const runs = Object.entries(entrants).map(
      ([who, make]) => [who, make(BODIES, BODIES)] as const,
    );
    const timings = race(Object.fromEntries(runs), { rounds: 15, time: 30 });
    const figure = `${name}, ${BODIES} bodies, times faster than plain js`;
    yield atLeast(figure, speedup(timings, "plain js"), 1.5);
  }
}
