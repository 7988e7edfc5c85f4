// What integrators to a tolerance cost, counted on the system of method-costs.ts over a run of `solve`.

import type { AdaptiveIntegrator } from "nodrift";
import { solve } from "nodrift/solve";
import { COUNTED_START, countedSystem } from "./method-costs.js";

/** Evaluations of Q in an attempted step; for implicit ones evaluations of df/dy and factorisations besides. */
export function adaptiveCost(integrator: AdaptiveIntegrator): string {
  const counts = new Map<string, number>();
  const { q, v } = COUNTED_START;
  const source = countedSystem(counts);
  const { statistics } = solve(source, { span: [0, 2], q, v, integrator, tolerance: 1e-5 });
  const { steps, rejections, implicit } = statistics;
  const each = (count: number) => Math.round((2 * count) / (steps + rejections)) / 2;
  const evaluations = `${each(counts.get("Q") ?? 0)} x Q`;
  if (implicit === undefined) return evaluations;
  const jacobians = `${each(implicit.jacobians)} x df/dy`;
  return `${evaluations}, ${jacobians}, ${each(implicit.factorisations)} x LU 2k`;
}
