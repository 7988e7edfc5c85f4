import {
  angleAt,
  ballLink,
  crankRocker,
  fourBarMechanism,
  fourBarState,
  rodLink,
} from "../../test/reference/four-bar.js";
import {
  compiledOf,
  judgeSolve,
  judgeStart,
  numbersOf,
  readStart,
  worst,
} from "../../test/reference/judge.js";
import { LOOP_SECONDS, loopClassNames, loopsOf } from "../../test/reference/loops.js";
import { moved } from "../../test/reference/mechanism.js";
import { stateDistance } from "../../test/reference/nodrift-model.js";
import { farEnd, tiltedRuns, tiltMethods } from "../../test/support/four-bar-runs.js";
import {
  emptyTally,
  TOLERANCES,
  tallyLoops,
  tallySingular,
} from "../../test/support/mass-ratios.js";
import { atMost, type Figure, reported } from "./figure.js";

const STEPS = [1e-1, 1e-3, 1e-5];
const POWERS = [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6];

/** Closed loops of any kind, compared with solutions independent of the package. */
export async function* robustLoopFigures(): AsyncGenerator<Figure> {
  yield* randomLoopFigures();
  yield* tiltFigures();
  yield* couplerFigures();
  yield* massRatioFigures();
  yield* distanceFigures();
}

async function* randomLoopFigures(): AsyncGenerator<Figure> {
  const errors: number[][] = TOLERANCES.map(() => []);
  const starts = {
    acceleration: [] as number[],
    stepped: [] as number[],
    reaction: [] as number[],
  };
  let [unfinished, dependent] = [0, 0];
  for (const loopClass of loopClassNames) {
    for (const { mechanism, solution } of loopsOf(loopClass)) {
      const compiled = await compiledOf(mechanism);
      for (const [i, tolerance] of TOLERANCES.entries()) {
        const { status, error } = judgeSolve(compiled, solution, LOOP_SECONDS, tolerance);
        if (status === "finished") errors[i].push(error / tolerance);
        else unfinished++;
      }
      if ("status" in compiled) continue;
      const readings = STEPS.map((step) => readStart(compiled, step));
      for (const reading of readings) {
        const found = judgeStart(reading, solution);
        starts.acceleration.push(found.acceleration);
        starts.stepped.push(found.stepped);
        starts.reaction.push(found.reaction);
      }
      const [first, ...others] = readings.map(numbersOf);
      if (others.some((other) => other.some((x, i) => x !== first[i]))) dependent++;
    }
  }
  const name = `${errors[0].length} random loops`;
  yield atMost(`${name} of 300, 3 tolerances: runs that do not finish`, unfinished, 0);
  for (const [i, tolerance] of TOLERANCES.entries()) {
    yield atMost(`${name}, error / tolerance at ${tolerance}: most`, worst(errors[i]), 100);
    const beyond = errors[i].filter((error) => !(error <= 100)).length;
    yield reported(`${name}, tolerance ${tolerance}: loops beyond 100 tolerances`, beyond);
  }
  const bound = 1e-11;
  yield atMost(`${name}, accelerations at the start, relative`, worst(starts.acceleration), bound);
  yield atMost(`${name}, the same after a step of 1e-1 .. 1e-5`, worst(starts.stepped), bound);
  yield atMost(`${name}, reactions where unique, relative`, worst(starts.reaction), bound);
  yield atMost(`${name}, whose numbers at the start depend on the step`, dependent, 0);
}

async function* tiltFigures(): AsyncGenerator<Figure> {
  for (const method of tiltMethods) {
    const runs = await tiltedRuns(method);
    const finished = runs.filter(({ difference }) => Number.isFinite(difference));
    const ratios = finished.map(({ tilt, difference }) => difference / (1e-6 + 10 * tilt));
    const name = `four-bar, one axis tilted by 1e-12 .. 1e-5, ${method}`;
    yield atMost(
      `${name}: runs of ${runs.length} that do not finish`,
      runs.length - finished.length,
      0,
    );
    yield atMost(`${name}: crank's difference / (1e-6 + 10 tilt)`, worst(ratios), 1);
  }
}

async function* couplerFigures(): AsyncGenerator<Figure> {
  for (const [kind, link] of [
    ["rod", rodLink],
    ["ball", ballLink],
  ] as const) {
    const errors: number[][] = TOLERANCES.map(() => []);
    let [refused, unfinished] = [0, 0];
    for (const power of POWERS) {
      const bar = crankRocker(link(1, Number(`1e${power}`)));
      const end = fourBarState(bar, ...angleAt(bar, 2));
      const compiled = await compiledOf(fourBarMechanism(bar));
      if ("status" in compiled || compiled.report.degreesOfFreedom !== 1) refused++;
      for (const [i, tolerance] of TOLERANCES.entries()) {
        const { status, error } = judgeSolve(compiled, { end }, 2, tolerance);
        if (status === "finished") errors[i].push(error / tolerance);
        else unfinished++;
      }
    }
    const name = `four-bar, coupler a ${kind} of 1e-8 .. 1e6 kg`;
    yield atMost(`${name}: not compiled, or not with one freedom`, refused, 0);
    yield atMost(`${name}, 3 tolerances: runs that do not finish`, unfinished, 0);
    for (const [i, tolerance] of TOLERANCES.entries()) {
      yield atMost(`${name}, error / tolerance at ${tolerance}: most`, worst(errors[i]), 100);
    }
  }
}

async function* massRatioFigures(): AsyncGenerator<Figure> {
  const tally = emptyTally();
  await tallyLoops(6, tally);
  const singular = emptyTally();
  await tallySingular([-5, -3, -1, 1, 3, 5], 3, singular);
  for (const [name, { right, refused, unnamed, silent }] of [
    ["random loops, masses 1e-6 .. 1e6 kg", tally],
    ["parallelogram through singular poses, ratios to 1e5", singular],
  ] as const) {
    yield atMost(`${name}: finished, wrong by more than 1000 tolerances`, silent, 0);
    yield atMost(`${name}: refused, no body named`, unnamed, 0);
    yield reported(`${name}: refused, body named`, refused);
    yield reported(`${name}: right`, right);
  }
}

async function* distanceFigures(): AsyncGenerator<Figure> {
  const distance = 1e6;
  const shift = [0.6 * distance, -0.64 * distance, 0.48 * distance] as const;
  let unfinished = 0;
  const differences: number[] = [];
  for (const loopClass of loopClassNames) {
    for (const { mechanism } of loopsOf(loopClass, 4)) {
      const here = await farEnd(mechanism, [0, 0, 0]);
      const there = await farEnd(moved(mechanism, shift), shift);
      if (here && there) differences.push(stateDistance(there, here) / distance);
      else unfinished++;
    }
  }
  const name = "32 random loops 1e6 m from the origin, solve 1e-6";
  yield atMost(`${name}: runs that do not finish`, unfinished, 0);
  yield atMost(`${name}: difference to the origin / distance`, worst(differences), 1e-9);
}
