// What integrators to a tolerance cost, counted on the system of method-costs.ts over a run of `solve`.

import type { AdaptiveIntegrator, CoupledMethod, Formulation } from "nodrift";
import { radau5, type SolveOptions, solve } from "nodrift/solve";
import { COUNTED_START, countedSystem } from "./method-costs.js";

type Counted = Pick<SolveOptions, "method" | "integrator" | "tolerance" | "step">;

/** Evaluations of Q in an attempted step; for implicit ones evaluations of df/dy and factorisations besides. */
export function adaptiveCost(integrator: AdaptiveIntegrator): string {
  return costOf({ integrator, tolerance: 1e-5 }, "LU 2k");
}

/** The same for a formulation whose unknowns are positions, velocities and multipliers, by `radau5`. */
export function directCost(formulation: Formulation): string {
  return costOf({ method: { formulation, integrator: radau5() }, tolerance: 1e-5 }, "LU n + m");
}

/** The same for a coupled method of that kind, in steps of one length. */
export function directStepCost(coupled: CoupledMethod): string {
  return costOf({ method: { coupled }, step: 5e-3 }, "LU n + m");
}

function costOf(options: Counted, factor: string): string {
  const counts = new Map<string, number>();
  const { q, v } = COUNTED_START;
  const { statistics } = solve(countedSystem(counts), { span: [0, 2], q, v, ...options });
  const { steps, rejections, implicit } = statistics;
  const each = (count: number) => Math.round((2 * count) / (steps + rejections)) / 2;
  const evaluations = `${each(counts.get("Q") ?? 0)} x Q`;
  if (implicit === undefined) return evaluations;
  const jacobians = `${each(implicit.jacobians)} x df/dy`;
  return `${evaluations}, ${jacobians}, ${each(implicit.factorisations)} x ${factor}`;
}
