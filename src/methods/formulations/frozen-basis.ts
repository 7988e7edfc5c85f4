import { number, oneOf, optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import type { Address } from "../../base/memory/arena.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindProjected } from "./acceleration-projection.js";
import { bindPartitioned, bindReduced } from "./reduced-unknowns.js";
import { BASES, type Tangent } from "./tangent-space.js";

/** Options of {@link frozenBasis}. */
export interface FrozenBasisOptions {
  /**
   * Condition of [J^T, E], rows of J orthonormalised, at which the directions E are recomputed: 1 at first, larger as
   * the constraints rotate away. Default: 1.4.
   */
  readonly maximumCondition?: number;
  /** Decomposition for the directions: "svd" as in the paper, or "qr", which costs less. Default: "qr". */
  readonly basis?: "qr" | "svd";
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<FrozenBasisOptions> = {
  maximumCondition: number("a number > 1, about 1.25 to 1.5", (value) => value > 1),
  basis: oneOf("qr", "svd"),
  tolerance: rankTolerance,
};

/**
 * Tangent coordinates: the null space is computed once and its directions E are kept until the constraints have
 * rotated too far. Unknowns are E^T q and E^T v; the rest of q and v follows from the
 * constraints by Newton's iteration, to rounding.
 *
 * @example
 * simulate(pendulum, { method: { formulation: frozenBasis(), integrator: rk4() }, ...start });
 */
export function frozenBasis(options: FrozenBasisOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("frozenBasis", "METHOD", options, SHAPE, more);
  const { maximumCondition = 1.4, basis = "qr", tolerance = RANK_TOLERANCE } = read;

  function choose(tangent: Tangent, jacobian: Address): void {
    if (tangent.isComplete && tangent.frame(jacobian) && conditionOf(tangent) <= maximumCondition)
      return;
    tangent.choose(BASES[basis], tolerance, jacobian);
    tangent.frame(jacobian);
    tangent.adoptFrame();
  }

  return {
    ...PLAIN_FORMULATION,
    name: basis === "qr" ? "frozenBasis" : `frozenBasis(${basis})`,
    reference:
      "Mani, Haug and Atkinson, J. Mech. Trans. Autom. 107 (1985); Laulusa and Bauchau 2008, 4.1",
    level: "position",
    survivesSingularPoses: true,
    changesUnknowns: true,
    bind: (system) =>
      bindReduced(
        system,
        bindPartitioned(system, { rotated: 1, positions: true, choose }),
        bindProjected(system, basis, tolerance),
      ),
  };
}

/**
 * Returns the condition of two orthonormal sets whose spaces enclose an angle with the sine s and the cosine p: the
 * square root of (1 + s) / (1 - s).
 */
function conditionOf({ pivot }: Tangent): number {
  return (1 + Math.sqrt(Math.max(0, 1 - pivot * pivot))) / pivot;
}
