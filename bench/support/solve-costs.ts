// What integrators to a tolerance cost, counted on the system of method-costs.ts over a run of `solve`.

import type { AdaptiveIntegrator, Formulation } from "nodrift";
import { radau5, type Solution, solve } from "nodrift/solve";
import { COUNTED_START, countedSystem } from "./method-costs.js";

const options = { span: [0, 2] as const, tolerance: 1e-5, ...COUNTED_START };

/** Evaluations of Q in an attempted step; for implicit ones evaluations of df/dy and factorisations besides. */
export function adaptiveCost(integrator: AdaptiveIntegrator): string {
  const counts = new Map<string, number>();
  return words(counts, solve(countedSystem(counts), { ...options, integrator }).statistics, "2k");
}

/** The same of radau5 with a formulation that has multipliers among its unknowns. */
export function directCost(formulation: Formulation, size: string): string {
  const counts = new Map<string, number>();
  const method = { formulation, integrator: radau5() };
  return words(counts, solve(countedSystem(counts), { ...options, method }).statistics, size);
}

function words(
  counts: ReadonlyMap<string, number>,
  { steps, rejections, implicit }: Solution["statistics"],
  size: string,
): string {
  const each = (count: number) => Math.round((2 * count) / (steps + rejections)) / 2;
  const evaluations = `${each(counts.get("Q") ?? 0)} x Q`;
  if (implicit === undefined) return evaluations;
  const jacobians = `${each(implicit.jacobians)} x df/dy`;
  return `${evaluations}, ${jacobians}, ${each(implicit.factorisations)} x LU ${size}`;
}
