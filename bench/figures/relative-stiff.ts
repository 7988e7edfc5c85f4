import { type CompiledModel, compile, type Model } from "nodrift/bodies";
import { stiffPendulumData } from "nodrift/mechanisms";
import { ode, type PlainOde, radau5, solve } from "nodrift/solve";
import { cpuSeconds } from "#experiments";
import { bushedChain, hingedChain } from "../../test/support/stiff-chains.js";
import { median } from "../support/race.js";
import { atMost, type Figure, reported } from "./figure.js";

const LENGTHS = [10, 30, 100, 300, 1000] as const;
const CHAINS: readonly (readonly [string, (links: number) => Model])[] = [
  ["stiff chain on bushings", bushedChain],
  ["stiff chain of hinges with springs", hingedChain],
];
/** CPU seconds for one second of motion, by the number of bodies; megabytes for the longest. */
const ALLOWED = new Map([
  [100, 0.5],
  [1000, 8],
]);
const MEMORY = 400;
const EXPONENT = 1.2;

/** Stiff steps: long chains in maximal coordinates, and systems of few unknowns. */
export async function* relativeStiffFigures(): AsyncGenerator<Figure> {
  for (const [name, make] of CHAINS) yield* ofChain(name, make);
  yield* ofPendulum();
}

async function* ofChain(name: string, make: (links: number) => Model): AsyncGenerator<Figure> {
  const times: number[] = [];
  for (const links of LENGTHS) {
    const source = await compile(make(links));
    const rounds = links < 1000 ? 3 : 1;
    // A separate process, so that memory, pivots and compilation of the first run are included.
    const found = Array.from({ length: rounds }, () => seconds(source));
    times.push(median(found));
    const what = `${name}, ${links} bodies, 1 s at 1e-4 without a method: CPU, s`;
    const allowed = ALLOWED.get(links);
    yield allowed
      ? atMost(what, times[times.length - 1], allowed)
      : reported(what, times[times.length - 1]);
  }
  const megabytes = process.memoryUsage().rss / 1e6;
  yield atMost(`${name}: memory of the process with ${LENGTHS[4]} bodies, MB`, megabytes, MEMORY);
  yield atMost(
    `${name}: cost ~ bodies^exponent, ${LENGTHS[0]} -> ${LENGTHS[4]}`,
    slope(times),
    EXPONENT,
  );
}

/** CPU time of a run; NaN if it does not finish. */
function seconds(source: CompiledModel): number {
  let status = "";
  const found = cpuSeconds(() => {
    status = solve(source, { span: [0, 1], tolerance: 1e-4, output: "ends" }).status;
  });
  return status === "finished" ? found : Number.NaN;
}

/** Slope of the least-squares line through all points on logarithmic axes. */
export function slope(times: readonly number[]): number {
  const x = LENGTHS.map((links) => Math.log(links));
  const y = times.map((time) => Math.log(time));
  const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [middle, height] = [mean(x), mean(y)];
  const rise = x.reduce((sum, value, i) => sum + (value - middle) * (y[i] - height), 0);
  return rise / x.reduce((sum, value) => sum + (value - middle) ** 2, 0);
}

/** Errors to reach, and microseconds a step. */
const STEPS = [
  [1e-4, 7e-5, 9],
  [1e-8, 2e-8, 7],
] as const;
const BATCHES = 15;
const BATCH = 20;

/** The stiff double pendulum in its angles as a plain ODE, 2 s. */
function* ofPendulum(): Generator<Figure> {
  const source = pendulumOde();
  const run = (tolerance: number, of = source) =>
    solve(of, { span: [0, 2], tolerance, output: "ends", integrator: radau5() });
  const exact = run(1e-13).end.y;
  for (const [tolerance, error, allowed] of STEPS) {
    const { end, statistics } = run(tolerance);
    const name = `stiff pendulum in angles, 2 s, radau5 at ${tolerance}`;
    const off = end.y.reduce((most, y, i) => Math.max(most, Math.abs(y - exact[i])), 0);
    yield atMost(`${name}: error at the end`, off, error);
    const batch = (each: () => unknown) => {
      const found = Array.from({ length: BATCHES }, () =>
        cpuSeconds(() => {
          for (let k = 0; k < BATCH; k++) each();
        }),
      );
      return (1e6 * median(found)) / (BATCH * statistics.steps);
    };
    yield atMost(
      `${name}: CPU microseconds a step`,
      batch(() => run(tolerance)),
      allowed,
    );
    const first = batch(() => run(tolerance, pendulumOde()));
    yield reported(
      `${name}: CPU microseconds a step of first runs, with all that is made for them`,
      first,
    );
  }
}

/** Equations of stiffPendulumMinimal(), solved for the accelerations. */
function pendulumOde(): PlainOde {
  const d = stiffPendulumData;
  const [l1, l2] = [d.half1, d.half2];
  const first = (4 / 3) * d.mass1 * l1 ** 2 + 4 * d.mass2 * l1 ** 2;
  const second = (4 / 3) * d.mass2 * l2 ** 2;
  const coupling = 2 * d.mass2 * l1 * l2;
  const [weight1, weight2] = [(d.mass1 + 2 * d.mass2) * d.gravity * l1, d.mass2 * d.gravity * l2];
  return ode({
    name: "stiff double pendulum in its angles",
    names: ["theta1", "theta2", "rate1", "rate2"],
    y: [d.theta1, d.theta2, d.rate1, d.rate2],
    rate: (_t, y, out) => {
      const [theta1, theta2, rate1, rate2] = [y[0], y[1], y[2], y[3]];
      const bend = coupling * Math.sin(theta1 - theta2);
      const c = coupling * Math.cos(theta1 - theta2);
      const between = -d.stiffness2 * (theta2 - theta1) - d.damping2 * (rate2 - rate1);
      const ground = -d.stiffness1 * (theta1 - d.slack1) - d.damping1 * rate1;
      const torque1 = -bend * rate2 ** 2 - weight1 * Math.cos(theta1) + ground - between;
      const torque2 = bend * rate1 ** 2 - weight2 * Math.cos(theta2) + between;
      const determinant = first * second - c * c;
      out[0] = rate1;
      out[1] = rate2;
      out[2] = (second * torque1 - c * torque2) / determinant;
      out[3] = (first * torque2 - c * torque1) / determinant;
    },
  });
}
