import type { ImplicitCosts } from "../../contracts.js";

/** Counts that lie in the arena: a run that is restored, or begun anew, counts from what it had. */
export type CostCounts = Record<"jacobians" | "factorisations" | "refusals", number>;

export const NO_COSTS: Readonly<CostCounts> = { jacobians: 0, factorisations: 0, refusals: 0 };

/** Costs as they are at any time. */
export function costsOf(how: string, counts: CostCounts): ImplicitCosts {
  return {
    how,
    get jacobians() {
      return counts.jacobians;
    },
    get factorisations() {
      return counts.factorisations;
    },
    get refusals() {
      return counts.refusals;
    },
  };
}
