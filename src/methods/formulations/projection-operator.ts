import { oneOf, optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindAcceleration } from "./acceleration-level.js";
import { BASES, denseOf, Tangent } from "./tangent-space.js";

/** Options of {@link projectionOperator}. */
export interface ProjectionOperatorOptions {
  /** Decomposition for the pseudoinverse and the projector. Default: "qr". */
  readonly basis?: "qr" | "svd";
  /** Relative size below which a pivot or singular value is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<ProjectionOperatorOptions> = {
  basis: oneOf("qr", "svd"),
  tolerance: rankTolerance,
};

/**
 * Aghili's projection operator: P = I - J^+ J with the pseudoinverse of J itself, not weighted by masses, eliminates
 * constraint forces from the equations of motion. With the constraints in the complementary directions, (I - P) a =
 * J^+ gamma, all accelerations follow from one n x n matrix:
 *
 *   (M + P M - M P) a = P Q + M J^+ gamma
 *
 * It is positive definite for all rows: the rank affects only P. Rejected: M_c = P M + mu (I - P), which is
 * equivalent but has a weight to choose.
 *
 * @example
 * simulate(pendulum, { method: { formulation: projectionOperator(), integrator: rk4() }, ...start });
 */
export function projectionOperator(
  options: ProjectionOperatorOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("projectionOperator", "METHOD", options, SHAPE, more);
  const { basis = "qr", tolerance = RANK_TOLERANCE } = read;
  return {
    ...PLAIN_FORMULATION,
    name: basis === "qr" ? "projectionOperator" : `projectionOperator(${basis})`,
    reference:
      "Aghili, IEEE Trans. Robot. 21 (2005) 834-849; Aghili and Piedboeuf, Multibody Syst. Dyn. 10 (2003) 3-16",
    bind(system, stabilisation) {
      const { workspace } = system;
      const tangent = new Tangent(system, "image of the projector");
      const particular = workspace.vector("least acceleration", system.coordinates.velocities);
      return bindAcceleration(system, stabilisation, {
        accelerate(right, out) {
          const jacobian = denseOf(system).jacobian();
          tangent.choose(BASES[basis], tolerance, jacobian);
          tangent.frame(jacobian);
          tangent.frameParticular(1, right, particular);
          tangent.accelerateProjected(particular, out);
        },
      });
    },
  };
}
