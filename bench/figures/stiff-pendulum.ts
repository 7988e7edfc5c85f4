import { compile } from "nodrift/bodies";
import {
  stiffPendulum,
  stiffPendulumEigenvalues,
  stiffPendulumReference,
  stiffPendulumRuns,
} from "nodrift/mechanisms";
import { sdirk4, solve } from "nodrift/solve";
import {
  exactStiffPendulum,
  inStateSpace,
  stiffPendulumEigenvalue,
  stiffPendulumEnd,
  stiffPendulumErrors,
  stiffPendulumSteps,
} from "#experiments";
import { atMost, type Figure, near, reported, within } from "./figure.js";

const [END, THETA1, , RATE1] = stiffPendulumReference[stiffPendulumReference.length - 1];
/** Allowed factor of accepted steps. */
const MARGIN = 2;

/** The stiff double pendulum: table III of Negrut et al., in its angles and on constraints. */
export async function* stiffPendulumFigures(): AsyncGenerator<Figure> {
  let drift = 0;
  for (const { tolerance, printed } of stiffPendulumRuns) {
    const name = `stiff pendulum, 2 s at ${tolerance}: accepted steps`;
    const { angles, partitioned, chosen, residual } = stiffPendulumSteps(tolerance);
    drift = Math.max(drift, residual);
    yield near(`${name}, two angles`, angles, printed.angles, MARGIN);
    yield near(`${name}, constraints, both angles independent`, partitioned, angles, MARGIN);
    yield reported(`${name}, constraints, partition chosen`, chosen);
  }
  yield atMost("stiff pendulum, constraints: largest residual of all these runs", drift, 1e-12);
  yield* end();
  yield* errors();
  const [expected] = stiffPendulumEigenvalues[0];
  const name = "stiff pendulum at the start: dominant eigenvalue";
  yield within(name, stiffPendulumEigenvalue(), expected, 1e-4);
  yield* ofBodies();
}

/** In space, with Euler parameters: independent coordinates are less like angles, so there are slightly more steps. */
async function* ofBodies(): AsyncGenerator<Figure> {
  const source = await compile(stiffPendulum());
  const method = inStateSpace(sdirk4());
  for (const { tolerance } of stiffPendulumRuns) {
    const span = [0, END] as const;
    const options = { span, tolerance, firstStep: 1e-6, output: "ends", method } as const;
    const { statistics, status } = solve(source, options);
    const steps = status === "finished" ? statistics.steps : Number.NaN;
    yield reported(`stiff pendulum of bodies, 2 s at ${tolerance}: accepted steps`, steps);
  }
}

function* end(): Generator<Figure> {
  const { angle, rate } = stiffPendulumEnd();
  const name = "stiff pendulum, 2 s at 1e-8";
  yield atMost(`${name}: |theta1 - ${THETA1}|`, Math.abs(angle - THETA1), 1e-7);
  yield atMost(`${name}: |theta1' - (${RATE1})|`, Math.abs(rate - RATE1), 1e-6);
}

function* errors(): Generator<Figure> {
  const exact = exactStiffPendulum();
  const distances = stiffPendulumReference.map(([t, theta1]) =>
    Math.abs(exact.at(t).q[0] - theta1),
  );
  const words = "stiff pendulum, radau5 at 1e-12 against known angles: largest error";
  yield reported(words, Math.max(...distances));
  for (const tolerance of [1e-2, 1e-3, 1e-4, 1e-5]) {
    const { angle, rate } = stiffPendulumErrors(tolerance, exact);
    const name = `stiff pendulum at ${tolerance}, all steps: largest error of`;
    yield atMost(`${name} theta1`, angle.largest, tolerance);
    yield atMost(`${name} theta1'`, rate.largest, 10 * tolerance);
  }
}
