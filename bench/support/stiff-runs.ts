// What figures of stiff motion share: the method, its tolerances, and errors on the way.

import type { AdaptiveIntegrator, Method, State } from "nodrift";
import { type Reading, type Solution, stateSpace } from "nodrift/solve";

/** An integrator on independent coordinates. */
export function inStateSpace(integrator: AdaptiveIntegrator, independent?: string[]): Method {
  return { formulation: stateSpace(independent ? { independent } : {}), integrator };
}

/** 10^from, ..., 10^to: exact, as the decimals are. */
export function powersOfTen(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, k) => Number(`1e${from - k}`));
}

/** Largest difference of two solutions at the times that one of them kept. */
export function largestError<T extends State>(
  solution: Solution<T>,
  reference: Solution<T>,
  reading: Reading<T>,
): number {
  let worst = 0;
  for (const state of solution.states()) {
    const difference = Math.abs(reading(state) - reading(reference.at(state.time)));
    worst = difference > worst || Number.isNaN(difference) ? difference : worst;
  }
  return worst;
}
