import type { ImplicitCosts } from "../../../seam/index.js";

/** What is counted, in the arena: runs that are restored count on from what was saved. */
export type Counts = Record<Exclude<keyof ImplicitCosts, "jacobianSource">, number>;

/** In the order of StepCounts. */
export const NO_COSTS: Readonly<Counts> = {
  jacobians: 0,
  factorisations: 0,
  convergenceFailures: 0,
  checks: 0,
};

/** The costs of a method, as its counts are when they are read. */
export function costsOf(how: string, counts: Counts): ImplicitCosts {
  return {
    jacobianSource: how,
    get jacobians() {
      return counts.jacobians;
    },
    get factorisations() {
      return counts.factorisations;
    },
    get convergenceFailures() {
      return counts.convergenceFailures;
    },
    get checks() {
      return counts.checks;
    },
  };
}
