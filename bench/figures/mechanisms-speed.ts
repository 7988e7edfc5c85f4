import { type Method, welch } from "nodrift";
import { compile, type Model } from "nodrift/bodies";
import { chain3d, nFourBar } from "nodrift/mechanisms";
import { projectedHeun, start } from "../../test/support/mechanisms.js";
import { plainChain, simulateInJavaScript } from "../baseline/models.js";
import { median, race, speedup, type Timing } from "../support/race.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

// Short, so that a race ends before chains whip: schemes without projection do not survive that.
const STEP = 1e-5;
/** Scheme 43 with one pass. */
const ONE_PASS: Method = { coupled: welch({ passes: 1 }) };

/** Cost of a step: growth with the mechanism, and comparison with JavaScript. */
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

/** Median over rounds of the ratio of two times in the same round. */
function ratio([one, other]: readonly Timing[]): number {
  return median(other.rounds.map((time, round) => time / one.rounds[round]));
}

async function* chainGrowth(): AsyncGenerator<Figure> {
  for (const n of [30, 300]) {
    const short = await stepper(chain3d(n, { start: "rest" }), ONE_PASS);
    const long = await stepper(chain3d(10 * n, { start: "rest" }), ONE_PASS);
    const timings = race({ short, long }, { rounds: 15, time: 40 });
    const exponent = Math.log10(ratio(timings));
    yield atMost(`chain, scheme 43, growth exponent ${n} -> ${10 * n} rods`, exponent, 1.1);
  }
}

/**
 * Against JavaScript: the same table-driven algorithm for any mechanism, and a code specialised to chains with
 * principal axes.
 */
async function* chainContest(): AsyncGenerator<Figure> {
  for (const n of [10, 100]) {
    const model = chain3d(n);
    const compiled = await compile(model);
    const simulation = compiled.simulate({ step: STEP, method: ONE_PASS });
    const same = simulateInJavaScript(compiled, { step: STEP, method: ONE_PASS });
    const plain = plainChain(model, simulation);
    const timings = race(
      {
        wasm: () => simulation.advance(),
        "plain js": () => same.advance(),
        "chains only": () => plain.step(STEP),
      },
      { rounds: 21, time: 30 },
    );
    const name = `chain of ${n} rods, scheme 43, times faster than`;
    yield atLeast(`${name} the same in plain js`, speedup(timings, "plain js"), 1.4);
    yield reported(`${name} plain js for chains only`, speedup(timings, "chains only"));
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
