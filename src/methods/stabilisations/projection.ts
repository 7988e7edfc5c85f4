import {
  flag,
  notNegative,
  oneOf,
  optionsOf,
  type Shape,
  whole,
} from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { bindProjector, OpenJoints } from "../../interfaces/projection/projector.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";

/** Options of {@link projection}. */
export interface ProjectionOptions {
  /** Project positions. Default: true. */
  readonly positions?: boolean;
  /** Project velocities. Default: true. */
  readonly velocities?: boolean;
  /** Maximum number of Newton iterations. Default: 4. */
  readonly iterations?: number;
  /** Constraint violation that is not corrected. Default: 1e-14. */
  readonly tolerance?: number;
  /**
   * "penalty": the mass-orthogonal projections that go with {@link augmentedLagrangian}. Each iteration leaves a
   * fraction of the violation, about 1e-7 if rows are well conditioned. Rows may have any rank. Needs dense matrices.
   * Default: "auto".
   */
  readonly solver?: "auto" | "penalty";
}

const SHAPE: Shape<ProjectionOptions> = {
  positions: flag,
  velocities: flag,
  iterations: whole(1),
  tolerance: notNegative,
  solver: oneOf("auto", "penalty"),
};

/** Default penalty, equal to that of augmentedLagrangian. */
const PENALTY = 1e7;

/**
 * Moves the state after each step to the nearest one that satisfies the constraints, in the metric of the mass
 * matrix: positions by Newton's iteration, then velocities. No parameters to tune; works with
 * every formulation and integrator.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };
 */
export function projection(settings: ProjectionOptions = {}, ...more: undefined[]): Stabilisation {
  const read = optionsOf("projection", "METHOD", settings, SHAPE, more);
  const { positions = true, velocities = true, iterations = 4, tolerance = 1e-14 } = read;
  const isPenalty = read.solver === "penalty";
  return {
    name: isPenalty ? "projection(penalty)" : "projection",
    reference: isPenalty
      ? "Bayo and Ledesma, Nonlinear Dynamics 9 (1996) 113-130"
      : "Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482; Lubich 1991",
    ...PLAIN_STABILISATION,
    actsOn: "afterStep",
    needsDense: isPenalty,
    bind(system) {
      const settings = { iterations, tolerance, near: true };
      const projector = isPenalty
        ? bindProjector(system, settings, system.dynamics.solver("penalty", 1 / PENALTY))
        : bindProjector(system, settings);
      const joints = new OpenJoints(system);
      return {
        ...NO_CORRECTION,
        correct(t) {
          if (positions) joints.refuse(t, projector.positions(t));
          if (velocities) projector.velocities(t);
        },
      };
    },
  };
}
