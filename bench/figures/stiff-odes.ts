import { sdirkSteps, stiffOdes } from "#experiments";
import { type Figure, reported, within } from "./figure.js";

/**
 * Accepted steps on two stiff differential equations, against the counts of an independent
 * implementation.
 */
export async function* stiffOdeFigures(): AsyncGenerator<Figure> {
  for (const { source, reference, absolute } of stiffOdes()) {
    const { time } = reference;
    const taken = (relative: number, part: number) =>
      sdirkSteps(source, time, { relative, absolute: part * relative });
    for (const { tolerance, steps } of reference.sdirkSteps) {
      const name = `${source.name} to t = ${time} at ${tolerance}, sdirk4: accepted steps`;
      const how = absolute === 1 ? "" : `, absolute tolerance ${absolute} of the relative one`;
      yield within(`${name}${how}`, taken(tolerance, absolute), steps, 0.05);
      if (absolute === 1) continue;
      yield reported(`${name}, absolute tolerance as the relative one`, taken(tolerance, 1));
    }
  }
}
