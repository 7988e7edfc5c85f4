import {
  type OdeReference,
  robertson,
  robertsonReference,
  vanDerPol,
  vanDerPolReference,
} from "nodrift/mechanisms";
import { firstOrder, type PlainOde, sdirk4, solve } from "nodrift/solve";
import { type Figure, reported, within } from "./figure.js";

/**
 * The counts to compare with begin here: steps of Robertson's reaction grow by seven orders of magnitude, and how
 * they begin is a part of the count. Later beginnings take less.
 */
const FIRST_STEP = 1e-8;

/** Accepted steps on two stiff differential equations, against the counts of an independent implementation. */
export async function* stiffOdeFigures(): AsyncGenerator<Figure> {
  yield* stepsOf(vanDerPol(), vanDerPolReference);
  yield* stepsOf(robertson(), robertsonReference);
}

function* stepsOf(source: PlainOde, { time, sdirkSteps }: OdeReference): Generator<Figure> {
  const taken = (tolerance: number, firstStep?: number) => {
    const { statistics, status } = solve(source, {
      span: [0, time],
      tolerance,
      ...(firstStep && { firstStep }),
      output: "ends",
      method: { formulation: firstOrder(), integrator: sdirk4() },
    });
    return status === "finished" ? statistics.steps : Number.NaN;
  };
  for (const { tolerance, steps } of sdirkSteps) {
    const name = `${source.name} to t = ${time} at ${tolerance}, sdirk4: accepted steps`;
    yield within(`${name}, first step ${FIRST_STEP}`, taken(tolerance, FIRST_STEP), steps, 0.05);
    yield reported(`${name}, first step 1e-6`, taken(tolerance, 1e-6));
    yield reported(`${name}, first step by default`, taken(tolerance));
  }
}
