import { oneOf, optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindAcceleration } from "./acceleration-level.js";
import { BASES, BASIS_NAMES, type Basis, denseOf, Tangent } from "./tangent-space.js";

/** Options of {@link nullSpace} and {@link accelerationProjection}. */
export interface NullSpaceOptions {
  /**
   * Method for the null space. "extraction": as "lu", columns belong to independent velocities, but these are kept
   * while they are good. Default: "qr".
   */
  readonly basis?: Basis | "extraction";
  /** Relative size below which a pivot or singular value is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

export const NULL_SPACE_SHAPE: Shape<NullSpaceOptions> = {
  basis: oneOf(...BASIS_NAMES, "extraction"),
  tolerance: rankTolerance,
};

/**
 * The null space formulation: the equations of motion in the null space of the constraints, together with the
 * constraints differentiated twice. The multipliers drop out.
 *
 * @example
 * simulate(pendulum, { method: { formulation: nullSpace({ basis: "svd" }), integrator: rk4() }, ...start });
 */
export function nullSpace(options: NullSpaceOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("nullSpace", "METHOD", options, NULL_SPACE_SHAPE, more);
  const { basis = "qr", tolerance = RANK_TOLERANCE } = read;
  return {
    ...PLAIN_FORMULATION,
    name: `nullSpace(${basis})`,
    reference:
      basis === "extraction"
        ? "Garcia de Jalon et al., J. Mech. Trans. Autom. 109 (1987) 460-465; Laulusa and Bauchau 2008, eq. 14 and 4.4"
        : "Hemami and Weimer, J. Appl. Mech. 48 (1981); Laulusa and Bauchau 2008, eq. 14",
    bind(system, stabilisation) {
      const tangent = new Tangent(system, "null space");
      return bindAcceleration(system, stabilisation, {
        accelerate(right, out) {
          const jacobian = denseOf(system).jacobian();
          if (basis === "extraction") tangent.keepPartition(tolerance, jacobian);
          else tangent.choose(BASES[basis], tolerance, jacobian);
          tangent.accelerateBoth(right, out);
        },
      });
    },
  };
}
