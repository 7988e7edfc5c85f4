import { compile } from "nodrift/bodies";
import { equations, ode } from "nodrift/formulas";
import {
  hmmwv,
  hmmwvHeights,
  stiffPendulum,
  stiffPendulumData,
  stiffPendulumMinimal,
} from "nodrift/mechanisms";
import { radau5, sdirk4, solve } from "nodrift/solve";
import { cpuSeconds } from "#experiments";
import { atLeast, atMost, type Figure, reported } from "./figure.js";

const ROUNDS = 9;
const WARM = 5;
/** Runs of the pendulum in one sample. */
const REPEATS = 10;

interface Run {
  readonly statistics: {
    readonly steps: number;
    readonly rejections: number;
    readonly evaluations: number;
    readonly implicit?: { readonly jacobians: number; readonly factorisations: number } | undefined;
  };
}

/** Speed of implicit runs, with the counts that explain it. */
export async function* implicitSpeedFigures(): AsyncGenerator<Figure> {
  yield* vehicle();
  yield* pendulum();
}

async function* vehicle(): AsyncGenerator<Figure> {
  const source = await compile(hmmwv());
  const ways = [
    ["radau5", { integrator: radau5() }, 150],
    ["sdirk4", { integrator: sdirk4() }, 150],
    ["default", {}, 120],
  ] as const;
  const runs = ways.map(
    ([, way]) =>
      () =>
        solve(source, { span: [0, 5], tolerance: 1e-3, output: "ends", ...way }),
  );
  const least = leastSeconds(runs);
  for (const [i, [name, way, target]] of ways.entries()) {
    const title = `HMMWV, 5 s at 1e-3, ${name}`;
    yield atLeast(`${title}: simulated time / CPU time`, 5 / least[i]!, target);
    yield* counts(title, runs[i]!());
    const solution = solve(source, { span: [0, 5], tolerance: 1e-3, ...way });
    const errors = hmmwvHeights.map(([t, z]) =>
      Math.abs(solution.at(t!).body("chassis").position[2] - z!),
    );
    yield atMost(`${title}: error of the height of the chassis, m`, Math.max(...errors), 1e-3);
  }
}

/** The stiff double pendulum in its angles: by a plain differential equation, and as equations of motion. */
async function* pendulum(): AsyncGenerator<Figure> {
  const { equations: byFunctions, q, v } = stiffPendulumMinimal();
  const byBodies = await compile(stiffPendulum());
  const byOde = odeOfPendulum();
  const byFormulas = lagrangian();
  for (const [tolerance, targets] of [
    [3e-4, [1.3, 1.2, 2]],
    [1e-7, [1.3, 1.2, 2]],
  ] as const) {
    const options = { span: [0, 2], integrator: radau5(), tolerance, output: "ends" } as const;
    const runs = [
      () => solve(byOde, { ...options, y: [...q, ...v] }),
      () => solve(byFunctions, { ...options, q, v }),
      () => solve(byFormulas, { ...options, q, v }),
      () => solve(byBodies, options),
    ];
    const [plain, ...least] = leastSeconds(
      runs.map((run) => () => {
        for (let i = 0; i < REPEATS; i++) run();
      }),
    );
    for (const [i, name] of ["functions", "a Lagrangian", "bodies"].entries()) {
      const title = `stiff pendulum by ${name}, radau5 at ${tolerance}`;
      yield atMost(`${title}: CPU / CPU by \`ode\``, least[i]! / plain!, targets[i]!);
      yield* counts(title, runs[i + 1]!());
    }
  }
}

function* counts(title: string, { statistics }: Run): Generator<Figure> {
  const { steps, rejections, evaluations, implicit } = statistics;
  yield reported(`${title}: steps`, steps);
  yield reported(`${title}: rejected steps`, rejections);
  yield reported(`${title}: evaluations`, evaluations);
  yield reported(`${title}: Jacobians`, implicit?.jacobians ?? 0);
  yield reported(`${title}: factorisations`, implicit?.factorisations ?? 0);
}

/** The least CPU time of each, in turns. */
function leastSeconds(runs: readonly (() => unknown)[]): number[] {
  for (const run of runs) for (let i = 0; i < WARM; i++) run();
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of runs.entries()) least[i] = Math.min(least[i]!, cpuSeconds(run));
  }
  return least;
}

/** Parameters of the pendulum, with the elements of its mass matrix: a, b and c cos(x - y). */
function parameters() {
  const d = stiffPendulumData;
  return {
    g: d.gravity,
    m1: d.mass1,
    m2: d.mass2,
    l1: d.half1,
    l2: d.half2,
    k1: d.stiffness1,
    d1: d.damping1,
    k2: d.stiffness2,
    d2: d.damping2,
    slack: d.slack1,
    a: (d.mass1 * d.half1 ** 2) / 3 + (d.mass1 + 4 * d.mass2) * d.half1 ** 2,
    b: (d.mass2 * d.half2 ** 2) / 3 + d.mass2 * d.half2 ** 2,
    c: 2 * d.mass2 * d.half1 * d.half2,
  };
}

function lagrangian() {
  return equations({
    name: "stiff pendulum by its Lagrangian",
    coordinates: ["x", "y"],
    kinetic: "a*x'^2/2 + b*y'^2/2 + c*cos(x-y)*x'*y'",
    potential: "g*((m1+2*m2)*l1*sin(x) + m2*l2*sin(y)) + k1*(x-slack)^2/2 + k2*(y-x)^2/2",
    dissipation: "d1*x'^2/2 + d2*(y'-x')^2/2",
    parameters: parameters(),
  });
}

function odeOfPendulum() {
  const between = "(k2*(y-x) + d2*(w-u))";
  const first = `(-c*sin(x-y)*w^2 - (m1+2*m2)*g*l1*cos(x) - k1*(x-slack) - d1*u + ${between})`;
  const second = `(c*sin(x-y)*u^2 - m2*g*l2*cos(y) - ${between})`;
  const coupling = "(c*cos(x-y))";
  const determinant = `(a*b - ${coupling}^2)`;
  return ode({
    name: "stiff pendulum as a differential equation",
    unknowns: ["x", "y", "u", "w"],
    rates: {
      x: "u",
      y: "w",
      u: `(b*${first} - ${coupling}*${second})/${determinant}`,
      w: `(a*${second} - ${coupling}*${first})/${determinant}`,
    },
    parameters: parameters(),
  });
}
