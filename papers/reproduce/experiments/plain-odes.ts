// Stiff differential equations with published results of Hairer and Wanner's SDIRK4.

import { firstOrder, type PlainOde, sdirk4, solve } from "../../../src/solve.js";
import {
  type OdeReference,
  robertson,
  robertsonReference,
  vanDerPol,
  vanDerPolReference,
} from "../../mechanisms/index.js";

/** First step of all runs, which affects the number of steps. */
const FIRST_STEP = 1e-6;

/** A stiff differential equation, with counts of steps to compare with. */
export interface StiffOde {
  /** The equation. */
  readonly source: PlainOde;
  /** Its reference solution. */
  readonly reference: OdeReference;
  /** Ratio of the absolute tolerance to the relative one. */
  readonly absolute: number;
}

/**
 * Van der Pol's oscillator and Robertson's reaction. The second unknown of the latter is of the
 * order of 1e-5, and is controlled only by absolute tolerances below that: with this one the counts
 * to compare with are met to the step.
 */
export function stiffOdes(): readonly StiffOde[] {
  return [
    { source: vanDerPol(), reference: vanDerPolReference, absolute: 1 },
    { source: robertson(), reference: robertsonReference, absolute: 1e-4 },
  ];
}

/** Accepted steps of SDIRK 4/15; NaN if it fails. */
export function sdirkSteps(
  source: PlainOde,
  time: number,
  tolerance: { readonly relative: number; readonly absolute: number },
): number {
  const { statistics, status } = solve(source, {
    span: [0, time],
    tolerance,
    firstStep: FIRST_STEP,
    output: "ends",
    method: { formulation: firstOrder(), integrator: sdirk4() },
  });
  return status === "finished" ? statistics.steps : Number.NaN;
}
