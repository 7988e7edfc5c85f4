import {
  type OdeReference,
  robertson,
  robertsonReference,
  vanDerPol,
  vanDerPolReference,
} from "nodrift/mechanisms";
import { firstOrder, type PlainOde, sdirk4, solve } from "nodrift/solve";
import { type Figure, reported, within } from "./figure.js";

/** How steps begin is a part of the count. */
const FIRST_STEP = 1e-6;
/**
 * Of the relative tolerance: its second unknown is of the order of 1e-5, and is controlled only by absolute
 * tolerances below that. With this one the counts to compare with are met to the step.
 */
const ROBERTSON_ABSOLUTE = 1e-4;

/** Accepted steps on two stiff differential equations, against the counts of an independent implementation. */
export async function* stiffOdeFigures(): AsyncGenerator<Figure> {
  yield* stepsOf(vanDerPol(), vanDerPolReference, 1);
  yield* stepsOf(robertson(), robertsonReference, ROBERTSON_ABSOLUTE);
}

function* stepsOf(
  source: PlainOde,
  { time, sdirkSteps }: OdeReference,
  part: number,
): Generator<Figure> {
  const taken = (relative: number, absolute: number) => {
    const { statistics, status } = solve(source, {
      span: [0, time],
      tolerance: { relative, absolute },
      firstStep: FIRST_STEP,
      output: "ends",
      method: { formulation: firstOrder(), integrator: sdirk4() },
    });
    return status === "finished" ? statistics.steps : Number.NaN;
  };
  for (const { tolerance, steps } of sdirkSteps) {
    const name = `${source.name} to t = ${time} at ${tolerance}, sdirk4: accepted steps`;
    const how = part === 1 ? "" : `, absolute tolerance ${part} of the relative one`;
    yield within(`${name}${how}`, taken(tolerance, part * tolerance), steps, 0.05);
    if (part === 1) continue;
    yield reported(`${name}, absolute tolerance as the relative one`, taken(tolerance, tolerance));
  }
}
