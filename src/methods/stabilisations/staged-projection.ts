import { flag, notNegative, optionsOf, type Shape } from "../../base/checking/index.js";
import type { Stabilisation } from "../../interfaces/index.js";
import { bindStageProjector, leftOpen } from "../../interfaces/projection/projector.js";
import { NO_CORRECTION, PLAIN_STABILISATION } from "../defaults.js";

/** Options of {@link stagedProjection}. */
export interface StagedProjectionOptions {
  /**
   * Projects positions in the stages; false projects only velocities (projective stepping), which is cheaper and ten
   * times less accurate at singular poses. Positions are projected after the step in any case. Default: true.
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
 * Moves every stage of a step, and its end, onto the constraints before its accelerations are computed. Between
 * stages the state leaves the constraints by O(h^2). Close to a singular pose some directions are weakly constrained,
 * and solving there amplifies that error. Each stage is factored once, before it is moved, and the corrections use
 * that factor.
 *
 * With the compliance that mechanisms have in rows that close loops, linkages pass through their singular poses.
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
    ...PLAIN_STABILISATION,
    actsOn: "stages",
    bind(system) {
      if (system.constraints.rows === 0) return NO_CORRECTION;
      const project = bindStageProjector(system);
      const solver = system.dynamics.solver("auto");
      const left = leftOpen(system, inStage);
      return {
        ...NO_CORRECTION,
        stage: {
          correct(t) {
            system.at(t);
            project(inStage);
          },
          // A residual that no motion removes is left too, which a comparison of values alone cannot detect.
          ...(!system.loops?.nearlyFits && { leavesOpen: left }),
          closesOnly: positions,
        },
        correct(t) {
          system.load(t);
          if (positions && solver.closed?.isClosed(left)) {
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
