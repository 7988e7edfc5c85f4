import { equations, welch } from "nodrift";
import { compile } from "nodrift/bodies";
import { threeLinkPendulum } from "nodrift/mechanisms";
import { dp5, solve } from "nodrift/solve";
import { largestCentreDistance, threeLinksByScheme43 } from "#experiments";
import { type EngineOptions, engine } from "../../test/support/piston-engines.js";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

/** Correct readings: shared reactions, schemes as printed, tolerances by name. */
export async function* robustReadingFigures(): AsyncGenerator<Figure> {
  yield* thrust();
  yield* shares();
  yield* printed();
  yield* tolerances();
}

const FOUR = [0.05, 0.15, 0.25, 0.35];

async function start(options: EngineOptions) {
  return (await compile(engine(options))).simulate({ step: 1e-4 });
}

async function* thrust(): AsyncGenerator<Figure> {
  for (const bearings of [[0], [0, 0.4], [0, 0.1, 0.2, 0.3, 0.4]]) {
    const simulation = await start({ cylinders: FOUR, bearings, speed: 300 });
    const forces = simulation.joints.map((name) => Math.abs(simulation.joint(name).force()[1]));
    const name = `four cylinders of 10 kN on ${bearings.length} main bearings, largest thrust in N`;
    yield atMost(name, Math.max(...forces), 1e-7);
  }
}

async function* shares(): AsyncGenerator<Figure> {
  const options = { cylinders: [0.03], bearings: [0, 0.1, 0.25] };
  const forces = async (compliance: readonly (number | undefined)[]) => {
    const simulation = await start({ ...options, compliance });
    return [0, 1, 2].map((i) => simulation.joint(`main${i}`).force()[0]);
  };
  const [one, all] = [await forces([1e-6]), await forces([1e-6, 1e-6, 1e-6])];
  const worst = Math.max(...one.map((force, i) => Math.abs(force / all[i] - 1)));
  const name = "three bearings, one compliance of 1e-6 given: shares against all given, relative";
  yield atMost(name, worst, 1e-9);
}

async function* printed(): AsyncGenerator<Figure> {
  const links = await compile(threeLinkPendulum({ pin: "world" }));
  const [step, count] = [4e-4, 2500];
  const states = threeLinksByScheme43(step, step * count);
  const off = (coupled: ReturnType<typeof welch>) =>
    largestCentreDistance(links.simulate({ step, method: { coupled } }).advance(count).q, states);
  const name = "scheme 43, three links at 1 s, step 4e-4, distance of centres in m";
  yield atMost(`${name}, as printed`, off(welch({ passes: 1, midpoint: "printed" })), 1e-11);
  yield reported(`${name}, turned halfway`, off(welch({ passes: 1 })));
}

/** A fast oscillator of size 1e-6 and a slow one of size 1: only a separate tolerance controls the former. */
async function* tolerances(): AsyncGenerator<Figure> {
  const small = 1e-6;
  const pair = equations({
    coordinates: ["large", "small"],
    mass: [1, 1],
    forces: (q, _v, out) => {
      out[0] = -q[0];
      out[1] = -100 * q[1];
    },
  });
  const error = (own: Record<string, number>) => {
    const absolute = { positions: 1e-4, velocities: 1e-4, ...own };
    const tolerance = { relative: 0, absolute };
    const { end } = solve(pair, { span: [0, 10], q: [1, small], tolerance, integrator: dp5() });
    return Math.abs(end.q[1] - small * Math.cos(100)) / small;
  };
  const name = "small coordinate, relative error at 10 s";
  yield atLeast(`${name}, tolerance of all alone`, error({}), 0.1);
  yield atMost(`${name}, with a tolerance of its own`, error({ small: 1e-12 }), 1e-3);
}
