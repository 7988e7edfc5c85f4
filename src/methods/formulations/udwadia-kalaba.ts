import { oneOf, optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { Formulation } from "../../interfaces/index.js";
import { bindAcceleration, pseudoinverse } from "./acceleration-level.js";

/** Options of {@link udwadiaKalaba}. */
export interface UdwadiaKalabaOptions {
  /**
   * Decomposition for the pseudoinverse. Default: "auto", which is the complete orthogonal decomposition
   * ("cod") for systems given by functions and block sparse for mechanisms. "gram-schmidt" orthonormalises the rows
   * and their complement one after the other. It is cheaper than "svd", but its rank depends on the order of the
   * rows.
   */
  readonly solver?: "auto" | "cod" | "svd" | "gram-schmidt" | "cholesky";
  /** Relative size below which a pivot or singular value is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<UdwadiaKalabaOptions> = {
  solver: oneOf("auto", "cod", "svd", "gram-schmidt", "cholesky"),
  tolerance: rankTolerance,
};

/**
 * Udwadia and Kalaba: M a = Q + M^1/2 (J M^-1/2)^+ (gamma - J M^-1 Q). The pseudoinverse exists for any rank, so
 * constraints may be redundant.
 *
 * @example
 * simulate(pendulum, { method: { formulation: udwadiaKalaba(), integrator: rk4() }, ...start });
 */
export function udwadiaKalaba(
  options: UdwadiaKalabaOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("udwadiaKalaba", "METHOD", options, SHAPE, more);
  const { solver = "auto", tolerance } = read;
  return {
    ...pseudoinverse(),
    name: solver === "auto" ? "udwadiaKalaba" : `udwadiaKalaba(${solver})`,
    ...(solver === "gram-schmidt" && {
      reference:
        "Arabyan and Wu, Multibody Syst. Dyn. 2 (1998) 49-69; Laulusa and Bauchau 2008, eq. 15 and 4.5",
    }),
    survivesRedundantRows: solver !== "cholesky",
    needs: solver === "auto" || solver === "cholesky" ? "operators" : "dense",
    bind: (system, stabilisation) =>
      bindAcceleration(
        system,
        stabilisation,
        system.dynamics.solver(solver, tolerance, denseMemory),
      ),
  };
}
