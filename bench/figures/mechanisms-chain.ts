import { type Simulation, welch } from "nodrift";
import {
  chain3d,
  chain3dReference3,
  chain3dReference10,
  heavyTop,
  heavyTopReaction,
  heavyTopReference,
} from "nodrift/mechanisms";
import { projectedRk4 } from "#experiments";
import { projectedHeun, start, stateError } from "../../test/support/mechanisms.js";
import { atMost, type Figure, reported } from "./figure.js";

/** Chains and the top compared with references, and drift of chains. */
export async function* mechanismChainFigures(): AsyncGenerator<Figure> {
  yield* driftFigures();
  yield* referenceFigures();
  yield* topFigures();
}

/** Largest opening of a joint until a time. */
function openings(simulation: Simulation, until: number): number {
  let worst = 0;
  simulation.runTo(until, () => {
    worst = Math.max(worst, simulation.constraintError().position);
  });
  return worst;
}

/**
 * Constraint errors of the embedding follow the motion, which becomes ever more violent in a falling chain, so they
 * do not show whether errors accumulate. A run that starts on the constraints at t = 4 does: without accumulation its
 * errors in the last second equal those of the full run.
 */
async function* driftFigures(): AsyncGenerator<Figure> {
  const name = "chain of 100 rods let go, 5 s";
  const model = chain3d(100, { start: "rest" });
  const projected = await start(model, 1e-3, projectedHeun);
  const before = openings(projected, 4);
  const [q, v] = [projected.q.slice(), projected.v.slice()];
  const worst = Math.max(before, openings(projected, 5));
  yield atMost(`${name}, Heun + projection, open by m`, worst, 1e-12);
  const embedded = await start(model, 1e-3, { coupled: welch() });
  const fresh = await start(model, 1e-3, { coupled: welch() });
  fresh.setState(q, v);
  const [early, last] = [openings(embedded, 4), openings(embedded, 5)];
  yield reported(`${name}, welch(), open by m`, Math.max(early, last));
  const growth = last / openings(fresh, 1);
  yield atMost(`${name}, welch(), last second against a fresh start at 4 s`, growth, 1.1);
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
    const found = simulation.joint("pivot").force({ on: "top" });
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
