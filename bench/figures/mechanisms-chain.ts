import { type Method, welch } from "nodrift";
import {
  chain3d,
  chain3dReference3,
  chain3dReference10,
  heavyTop,
  heavyTopReaction,
  heavyTopReference,
} from "nodrift/mechanisms";
import { projectedHeun, projectedRk4, start, stateError } from "../support/mechanisms.js";
import { atMost, type Figure } from "./figure.js";

/** Chains and the top against what is known, and how far chains drift. */
export async function* mechanismChainFigures(): AsyncGenerator<Figure> {
  yield* driftFigures();
  yield* referenceFigures();
  yield* topFigures();
}

/** Largest opening of a joint in each second. */
async function openings(method: Method): Promise<number[]> {
  const simulation = await start(chain3d(100, { start: "rest" }), 1e-3, method);
  return [1, 2, 3, 4, 5].map((second) => {
    let worst = 0;
    simulation.runTo(second, () => {
      worst = Math.max(worst, simulation.constraintError().position);
    });
    return worst;
  });
}

async function* driftFigures(): AsyncGenerator<Figure> {
  const name = "chain of 100 rods let go, 5 s";
  const projected = await openings(projectedHeun);
  yield atMost(`${name}, Heun + projection, open by m`, Math.max(...projected), 1e-12);
  const embedded = await openings({ coupled: welch() });
  yield atMost(`${name}, welch(), open by m`, Math.max(...embedded), 1e-3);
  const growth = embedded[4] / Math.max(...embedded.slice(0, 4));
  yield atMost(`${name}, welch(), last second against those before`, growth, 2);
}

async function* referenceFigures(): AsyncGenerator<Figure> {
  for (const [n, reference] of [
    [3, chain3dReference3],
    [10, chain3dReference10],
  ] as const) {
    const simulation = await start(chain3d(n), 1e-4, projectedRk4);
    for (const expected of reference) {
      const error = stateError(simulation.runTo(expected.time), expected);
      yield atMost(`chain of ${n} rods, state at t = ${expected.time}, error`, error, 1e-9);
    }
  }
}

async function* topFigures(): AsyncGenerator<Figure> {
  const simulation = await start(heavyTop(), 2.5e-5);
  let [motion, reaction] = [0, 0];
  for (const [time, ...force] of heavyTopReaction) {
    simulation.runTo(time);
    const found = simulation.multipliers();
    const size = Math.hypot(...force);
    reaction = Math.max(reaction, ...force.map((value, i) => Math.abs(found[i] - value) / size));
    const expected = heavyTopReference.find(([t]) => t === time);
    if (!expected) continue;
    const state = [...simulation.q.subarray(0, 3), ...simulation.v.subarray(3)];
    const scales = [1, 1, 1, 150, 150, 150];
    motion = Math.max(
      motion,
      ...state.map((value, i) => Math.abs(value - expected[i + 1]) / scales[i]),
    );
  }
  yield atMost("heavy top, centre and rates to t = 2, relative", motion, 1e-8);
  yield atMost("heavy top, reaction of the pivot to t = 2, relative", reaction, 1e-8);
}
