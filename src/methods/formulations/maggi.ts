import { BasisKind } from "../../../assembly/layout.js";
import { oneOf, options, optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindProjected } from "./acceleration-projection.js";
import {
  bindCharacteristics,
  CHARACTERISTICS,
  type KinematicCharacteristics,
} from "./given-characteristics.js";
import { bindPartitioned, bindReduced, bindSmooth, type TangentSpace } from "./reduced-unknowns.js";
import { BASES, BASIS_NAMES, type Basis, type Tangent } from "./tangent-space.js";

/** Options of {@link maggi}. */
export interface MaggiOptions {
  /**
   * Kinematic characteristics. "lu": independent velocities, rechosen in each step; "extraction": independent
   * velocities, kept while they are good; otherwise components along an orthonormal basis of the null space. Default:
   * "qr".
   */
  readonly basis?: Basis | "extraction";
  /** User-defined quasi-velocities instead of a basis. They must determine the velocities along the whole motion. */
  readonly characteristics?: KinematicCharacteristics;
  /** Relative size below which a pivot or singular value is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<MaggiOptions> = {
  basis: oneOf(...BASIS_NAMES, "extraction"),
  characteristics: options(CHARACTERISTICS),
  tolerance: rankTolerance,
};

/**
 * Maggi's equations: velocities are v = Gamma e + particular with J Gamma = 0, so they satisfy the constraints for
 * every e, and only e and the positions are integrated. Positions drift far less than with accelerations. For long
 * motions through singular poses add projection(), as position drift decides which branch is taken there.
 *
 * @example
 * simulate(pendulum, { method: { formulation: maggi({ basis: "svd" }), integrator: rk4() }, ...start });
 *
 * // The speed along the circle as the only quasi-velocity.
 * const value = ([x, y], [vx, vy], out) => { out[0] = x * vy - y * vx; };
 * maggi({ characteristics: { count: 1, value } });
 */
export function maggi(given: MaggiOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("maggi", "METHOD", given, SHAPE, more);
  const { basis = "qr", characteristics, tolerance = RANK_TOLERANCE } = read;
  if (characteristics && read.basis) {
    throw new NodriftError(
      "METHOD",
      "maggi: `basis` finds the kinematic characteristics and `characteristics` gives them: give one of the two",
    );
  }
  return {
    ...PLAIN_FORMULATION,
    name: characteristics ? "maggi(characteristics)" : `maggi(${basis})`,
    reference: characteristics ? `Maggi 1896; ${REVIEW}, with those of eq. 4` : REFERENCES[basis],
    level: "velocity",
    // User-given characteristics may cease to determine the velocities.
    survivesSingularPoses: characteristics === undefined,
    changesUnknowns: true,
    bind: (system) =>
      bindReduced(
        system,
        characteristics
          ? bindCharacteristics(system, characteristics, tolerance)
          : spaceOf(system, basis, tolerance),
        bindProjected(system, basis, tolerance),
      ),
  };
}

function spaceOf(system: System, basis: Basis | "extraction", tolerance: number): TangentSpace {
  if (basis === "lu") {
    const choose = (tangent: Tangent, jacobian: Address) =>
      tangent.choose(BasisKind.LU, tolerance, jacobian);
    return bindPartitioned(system, { rotated: 0, positions: false, choose });
  }
  if (basis === "extraction") {
    const choose = (tangent: Tangent, jacobian: Address) =>
      tangent.keepPartition(tolerance, jacobian);
    return bindPartitioned(system, { rotated: 0, positions: false, choose });
  }
  return bindSmooth(system, { kind: BASES[basis], tolerance, keep: true, metric: false });
}

const REVIEW = "Laulusa and Bauchau 2008, eqs. 7 and 10";
const REFERENCES: Readonly<Record<Basis | "extraction", string>> = {
  lu: `Maggi 1896; Wehage and Haug, J. Mech. Des. 104 (1982); ${REVIEW}`,
  svd: `Maggi 1896; Singh and Likins, J. Appl. Mech. 52 (1985); ${REVIEW}`,
  qr: `Maggi 1896; Kim and Vanderploeg, J. Mech. Trans. Autom. 108 (1986); ${REVIEW}`,
  "gram-schmidt": `Maggi 1896; Liang and Lance, J. Mech. Trans. Autom. 109 (1987); ${REVIEW}`,
  "zero-eigenvalue": `Maggi 1896; Walton and Steeves, NASA TR R-326 (1969); ${REVIEW}`,
  extraction: `Maggi 1896; Garcia de Jalon et al., CMAME 56 (1986); ${REVIEW}`,
};
