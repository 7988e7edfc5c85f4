import type { ImplicitCosts } from "../../../interfaces/index.js";

/** Counters in the arena: restored runs continue from the saved counts. */
export type Counts = Record<Exclude<keyof ImplicitCosts, "jacobianSource">, number>;

/** Zero counts, in the order of StepCounts. */
export const NO_COSTS: Readonly<Counts> = {
  jacobians: 0,
  factorisations: 0,
  convergenceFailures: 0,
  checks: 0,
};

/** Returns the costs of a method, which reflect its counts at the time they are read. */
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
