import { BasisKind } from "../../../assembly/layout.js";
import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { System } from "../../seam/index.js";
import { denseOf, Tangent } from "../formulations/tangent-space.js";

/**
 * In which directions B a correction acts: M^-1 J^T ("mass"), along which a mechanism is moved least, whatever its units; or J^T
 * ("identity"), which weighs all coordinates alike.
 */
export type Metric = "mass" | "identity";

/** out = B (J B)^+ residual at the trial state, of which `factor` takes J. */
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
