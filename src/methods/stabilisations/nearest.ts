import { BasisKind } from "../../../assembly/layout.js";
import type { Address } from "../../base/memory/arena.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { System } from "../../interfaces/index.js";
import { denseOf, Tangent } from "../formulations/tangent-space.js";

/**
 * Directions B of a correction: M^-1 J^T ("mass"), the smallest motion in the metric of the mass matrix, independent
 * of units; or J^T ("identity"), which weights all coordinates equally.
 */
export type Metric = "mass" | "identity";

/** Solver for out = B (J B)^+ residual at the trial state, with J taken by `factor`. */
export interface NearestSolver {
  factor(): void;
  solve(residual: Address, out: Address): void;
}

/** Reserves memory. "identity" needs dense matrices. */
export function bindNearest(system: System, metric: Metric): NearestSolver {
  if (metric === "mass") {
    const solver = system.dynamics.solver("auto");
    return {
      factor: () => solver.factor(),
      solve: (residual, out) => solver.minnorm(1, residual, out, true),
    };
  }
  const tangent = new Tangent(system, "rows of corrections");
  return {
    factor() {
      const jacobian = denseOf(system).jacobian();
      tangent.choose(BasisKind.QR, RANK_TOLERANCE, jacobian);
      tangent.frame(jacobian);
    },
    solve: (residual, out) => tangent.frameParticular(1, residual, out),
  };
}
