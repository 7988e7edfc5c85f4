import type { Method } from "nodrift";
import type { Model } from "nodrift/bodies";
import { chain3d, nFourBar } from "nodrift/mechanisms";
import { printed, projectedHeun, start } from "../support/mechanisms.js";
import { plainChain } from "../support/mechanisms-chain.js";
import { median, race, speedup, type Timing } from "../support/race.js";
import { atLeast, atMost, type Figure } from "./figure.js";

const STEP = 1e-3;

/** Cost of a step: how it grows with the mechanism, and against JavaScript. */
export async function* mechanismSpeedFigures(): AsyncGenerator<Figure> {
  yield* chainGrowth();
  yield* chainContest();
  yield* projectedGrowth();
  yield* linkageGrowth();
}

async function stepper(model: Model, method?: Method): Promise<() => unknown> {
  const simulation = await start(model, STEP, method);
  return () => simulation.advance();
}

/** Median over rounds of the time of one over that of another in the same round. */
function ratio([one, other]: readonly Timing[]): number {
  return median(other.rounds.map((time, round) => time / one.rounds[round]));
}

async function* chainGrowth(): AsyncGenerator<Figure> {
  for (const n of [30, 300]) {
    const short = await stepper(chain3d(n, { start: "rest" }), printed);
    const long = await stepper(chain3d(10 * n, { start: "rest" }), printed);
    const timings = race({ short, long }, { rounds: 15, time: 40 });
    const exponent = Math.log10(ratio(timings));
    yield atMost(`chain, scheme 43, growth exponent ${n} -> ${10 * n} rods`, exponent, 1.1);
  }
}

async function* chainContest(): AsyncGenerator<Figure> {
  for (const n of [10, 100]) {
    const model = chain3d(n);
    const simulation = await start(model, STEP, printed);
    const plain = plainChain(model, simulation);
    const timings = race(
      { wasm: () => simulation.advance(), "plain js": () => plain.step(STEP) },
      { rounds: 21, time: 30 },
    );
    const times = speedup(timings, "plain js");
    yield atLeast(`chain of ${n} rods, scheme 43, times faster than plain js`, times, 1.4);
  }
}

async function* projectedGrowth(): AsyncGenerator<Figure> {
  const short = await stepper(chain3d(3), projectedHeun);
  for (const n of [10, 100]) {
    const long = await stepper(chain3d(n), projectedHeun);
    const timings = race({ short, long }, { rounds: 15, time: 30 });
    const cost = ratio(timings) / (n / 3);
    yield atMost(`chain of ${n} rods, Heun + projection, time per rod against 3 rods`, cost, 1.2);
  }
}

async function* linkageGrowth(): AsyncGenerator<Figure> {
  const [short, long] = [await stepper(nFourBar(10)), await stepper(nFourBar(80))];
  const timings = race({ short, long }, { rounds: 15, time: 40 });
  const exponent = Math.log(ratio(timings)) / Math.log(8);
  yield atMost("N-four-bar, growth exponent 10 -> 80", exponent, 1.3);
}
