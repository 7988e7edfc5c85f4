import { BasisKind } from "../../../assembly/layout.js";
import { optionsOf, rankTolerance, type Shape } from "../../base/checking/index.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { bindReduced, bindSmooth } from "./reduced-unknowns.js";

/** Options of {@link projective}. */
export interface ProjectiveOptions {
  /** Relative size below which a pivot is zero. Default: 1e-12. */
  readonly tolerance?: number;
}

const SHAPE: Shape<ProjectiveOptions> = { tolerance: rankTolerance };

/**
 * Blajer's projective formulation: Maggi's equations with a basis G that is orthonormal in the metric of
 * the mass matrix, G^T M G = I, so that e are quasi-velocities with the kinetic energy e.e / 2 and
 * a = G G^T Q + minnorm(gamma). If M changes, its value at the beginning of the step is the metric.
 *
 * @example
 * simulate(pendulum, { method: { formulation: projective(), integrator: rk4() }, ...start });
 */
export function projective(options: ProjectiveOptions = {}, ...more: undefined[]): Formulation {
  const read = optionsOf("projective", "METHOD", options, SHAPE, more);
  const { tolerance = RANK_TOLERANCE } = read;
  const smooth = { kind: BasisKind.QR, tolerance, keep: false, metric: true };
  return {
    ...PLAIN_FORMULATION,
    name: "projective",
    reference:
      "Blajer, J. Appl. Mech. 59 (1992) and CMAME 121 (1995); Laulusa and Bauchau 2008, 2.3 and 4.6",
    level: "velocity",
    survivesSingularPoses: true,
    changesUnknowns: true,
    bind: (system) => bindReduced(system, bindSmooth(system, smooth), bindSmooth(system, smooth)),
  };
}
