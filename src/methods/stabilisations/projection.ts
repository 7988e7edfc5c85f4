import {
  flag,
  notNegative,
  oneOf,
  optionsOf,
  type Shape,
  whole,
} from "../../base/checking/index.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { ConstraintSolver, Stabilisation, System } from "../../interfaces/index.js";
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
  if (read.solver !== "penalty") return nearestProjection(read);
  return {
    ...nearestProjection(read, ({ dynamics }) =>
      dynamics.solver("penalty", 1 / PENALTY, denseMemory),
    ),
    name: "projection(penalty)",
    reference: "Bayo and Ledesma, Nonlinear Dynamics 9 (1996) 113-130",
    needsDense: true,
  };
}

/**
 * {@link projection} with checked options and any solver. As a default of mechanisms, without one: programs with it alone
 * do not contain the kernels of dense matrices.
 */
export function nearestProjection(
  {
    positions = true,
    velocities = true,
    iterations = 4,
    tolerance = 1e-14,
  }: ProjectionOptions = {},
  solverOf?: (system: System) => ConstraintSolver,
): Stabilisation {
  return {
    name: "projection",
    reference: "Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482; Lubich 1991",
    ...PLAIN_STABILISATION,
    actsOn: "afterStep",
    bind(system) {
      const settings = { iterations, tolerance, near: true };
      const projector = bindProjector(system, settings, solverOf?.(system));
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
