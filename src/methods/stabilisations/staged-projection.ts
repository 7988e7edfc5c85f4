import { flag, notNegative, optionsOf, type Shape } from "../../ground/checking/index.js";
import type { Stabilisation } from "../../seam/index.js";
import { bindStageProjector, leftOpen } from "../../seam/projection/stage-projector.js";

/** Options of {@link stagedProjection}. */
export interface StagedProjectionOptions {
  /**
   * False projects only velocities in the stages (projective stepping): cheaper, ten times less accurate at
   * singular poses. Positions are projected after the step in any case. Default: true.
   */
  readonly positions?: boolean;
  /** Constraint violation that is not corrected. Default: 1e-13. */
  readonly tolerance?: number;
}

const SHAPE: Shape<StagedProjectionOptions> = { positions: flag, tolerance: notNegative };

/** Position corrections in a stage, and at the end of a step. */
const IN_STAGE = 2;
const AT_END = 4;

/**
 * Every stage of a step is moved onto the constraints before its accelerations are found, and so is the
 * end of the step. Between stages the state leaves the constraints by O(h^2); close to a singular pose,
 * where some directions are hardly constrained, solving there amplifies that error. Each stage is factored
 * once, where it comes; the corrections use that factor.
 *
 * With the compliance mechanisms have in rows that close loops, linkages go through their singular poses.
 *
 * @example
 * const method = { formulation: udwadiaKalaba(), stabilisation: stagedProjection(), integrator: rk4() };
 */
export function stagedProjection(
  options: StagedProjectionOptions = {},
  ...more: undefined[]
): Stabilisation {
  const read = optionsOf("stagedProjection", "METHOD", options, SHAPE, more);
  const { positions = true, tolerance = 1e-13 } = read;
  const inStage = { corrections: positions ? IN_STAGE : 0, tolerance, refactor: false };
  const atEnd = { corrections: AT_END, tolerance, refactor: true };
  return {
    name: positions ? "stagedProjection" : "stagedProjection(velocities)",
    reference: "after Eich, SIAM J. Numer. Anal. 30 (1993) 1467-1482, in each stage",
    actsOn: "stages",
    oneStepOnly: false,
    needsEnergy: false,
    bind(system) {
      if (system.constraints.rows === 0) return {};
      const project = bindStageProjector(system);
      const solver = system.dynamics.solver("auto");
      const left = leftOpen(system, inStage);
      return {
        stage(t) {
          system.at(t);
          project(inStage);
        },
        // A residual that no motion removes is left as well: that takes more than comparing numbers.
        ...(!system.loops?.correctable && { leavesOpen: left, closesOnly: positions }),
        correct(t) {
          system.load(t);
          if (positions && solver.isClosed?.(left)) {
            solver.factor();
            return;
          }
          project(atEnd);
          system.store();
        },
      };
    },
  };
}
