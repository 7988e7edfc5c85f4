import { type Method, rk4, simulate, udwadiaKalaba } from "nodrift";
import { eigenvalues } from "nodrift/analysis";
import { compile } from "nodrift/bodies";
import {
  type Mechanism,
  stiffPendulum,
  stiffPendulumCartesian,
  stiffPendulumEigenvalues,
  stiffPendulumMinimal,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "nodrift/mechanisms";
import { radau5, type SolveOptions, sdirk4, solve } from "nodrift/solve";
import { inStateSpace, largestError } from "../support/stiff-runs.js";
import { atMost, type Figure, near, reported, within } from "./figure.js";

const [END, THETA1, , RATE1] = stiffPendulumReference[stiffPendulumReference.length - 1];
const FIRST_STEP = 1e-6;
/** Of accepted steps. */
const MARGIN = 2;
/** Of differences, in radians and radians a second. */
const STEP = 1e-4;

/** The stiff double pendulum: table III of Negrut et al., in its angles and on constraints. */
export async function* stiffPendulumFigures(): AsyncGenerator<Figure> {
  const minimal = stiffPendulumMinimal();
  const cartesian = stiffPendulumCartesian();
  const pinned = inStateSpace(sdirk4(), ["theta1", "theta2"]);
  const free = inStateSpace(sdirk4());
  let drift = 0;
  for (const { tolerance, printed } of stiffPendulumRuns) {
    const name = `stiff pendulum, 2 s at ${tolerance}: accepted steps`;
    const { steps } = run(minimal, { tolerance, method: free }).statistics;
    yield near(`${name}, two angles`, steps, printed.angles, MARGIN);
    const { statistics } = run(cartesian, { tolerance, method: pinned });
    drift = Math.max(drift, statistics.maximumDrift.position);
    yield near(`${name}, constraints, both angles independent`, statistics.steps, steps, MARGIN);
    const chosen = run(cartesian, { tolerance, method: free }).statistics;
    drift = Math.max(drift, chosen.maximumDrift.position);
    yield reported(`${name}, constraints, partition chosen`, chosen.steps);
  }
  yield atMost("stiff pendulum, constraints: largest residual of all these runs", drift, 1e-12);
  yield* end(minimal, free);
  yield* errors(minimal, free);
  yield dominant(minimal);
  yield* ofBodies(free);
}

/** In space, with Euler parameters: independent coordinates are less like angles, and steps a few more. */
async function* ofBodies(method: Method): AsyncGenerator<Figure> {
  const source = await compile(stiffPendulum());
  for (const { tolerance } of stiffPendulumRuns) {
    const span = [0, END] as const;
    const options = { span, tolerance, firstStep: FIRST_STEP, output: "ends", method } as const;
    const { statistics, status } = solve(source, options);
    const steps = status === "finished" ? statistics.steps : Number.NaN;
    yield reported(`stiff pendulum of bodies, 2 s at ${tolerance}: accepted steps`, steps);
  }
}

/** 2 s; a run that does not finish has no steps to count. */
function run(mechanism: Mechanism, options: Partial<SolveOptions>) {
  const { equations, q, v } = mechanism;
  const solution = solve(equations, {
    span: [0, END],
    q,
    v,
    firstStep: FIRST_STEP,
    output: "ends",
    ...options,
  });
  if (solution.status === "finished") return solution;
  throw new Error(`${mechanism.name}: ${solution.reason}`, { cause: solution.cause });
}

function* end(minimal: Mechanism, method: Method): Generator<Figure> {
  const { q, v } = run(minimal, { tolerance: 1e-8, method }).end;
  const name = "stiff pendulum, 2 s at 1e-8";
  yield atMost(`${name}: |theta1 - ${THETA1}|`, Math.abs(q[0] - THETA1), 1e-7);
  yield atMost(`${name}: |theta1' - (${RATE1})|`, Math.abs(v[0] - RATE1), 1e-6);
}

function* errors(minimal: Mechanism, method: Method): Generator<Figure> {
  const reference = run(minimal, {
    tolerance: 1e-12,
    method: inStateSpace(radau5()),
    output: "steps",
  });
  const times = stiffPendulumReference.map(([time]) => time);
  const known = Math.max(
    ...times.map((t, i) => Math.abs(reference.at(t).q[0] - stiffPendulumReference[i][1])),
  );
  yield reported("stiff pendulum, radau5 at 1e-12 against known angles: largest error", known);
  for (const tolerance of [1e-2, 1e-3, 1e-4, 1e-5]) {
    const solution = run(minimal, { tolerance, method, output: "steps" });
    const name = `stiff pendulum at ${tolerance}, all steps: largest error of`;
    const angle = largestError(solution, reference, ({ q }) => q[0]);
    yield atMost(`${name} theta1`, angle, tolerance);
    const rate = largestError(solution, reference, ({ v }) => v[0]);
    yield atMost(`${name} theta1'`, rate, 10 * tolerance);
  }
}

/** Of the motion linearised at the start, by differences of the accelerations; all others are far smaller. */
function dominant({ equations, q, v }: Mechanism): Figure {
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const rate = (y: readonly number[]) => {
    const [positions, velocities] = [y.slice(0, 2), y.slice(2)];
    const start = { q: positions, v: velocities, step: STEP, method };
    return [...velocities, ...simulate(equations, start).accelerations()];
  };
  const columns = [...q, ...v].map((_, j) => {
    const [ahead, behind] = [STEP, -STEP].map((h) =>
      rate([...q, ...v].map((value, i) => (i === j ? value + h : value))),
    );
    return ahead.map((value, i) => (value - behind[i]) / (2 * STEP));
  });
  const [expected] = stiffPendulumEigenvalues[0];
  const found = eigenvalues(columns.length, columns.flat()).map(({ real }) => real);
  const name = "stiff pendulum at the start: dominant eigenvalue";
  return within(name, Math.min(...found), expected, 1e-4);
}
