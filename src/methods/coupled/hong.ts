import { Turn } from "../../../assembly/layout-bodies.js";
import { optionsOf } from "../../base/checking/index.js";
import type { CoupledMethod } from "../../interfaces/index.js";
import { NO_HISTORY, PLAIN_COUPLED } from "../defaults.js";
import { bindEmbedding, EMBEDDING_SHAPE, type EmbeddingOptions } from "./embedding.js";

/**
 * First-order constraint embedding: the multipliers are those that bring the constraints to zero at
 * the end of the step, to first order. One solve per step; no parameters, no drift.
 *
 *   J a = -Phi / h^2 - Phi' / h,   v(t + h) = v + h a,   q(t + h) = q + h v(t + h)
 *
 * @example
 * simulate(pendulum, { method: { coupled: hong() }, step: 1e-3, q: [1, 0] });
 */
export function hong(options: EmbeddingOptions = {}, ...more: undefined[]): CoupledMethod {
  const { solver = "auto" } = optionsOf("hong", "METHOD", options, EMBEDDING_SHAPE, more);
  return {
    ...PLAIN_COUPLED,
    name: solver === "auto" ? "hong" : `hong(${solver})`,
    reference:
      "Hong, Welch, Trapp and Choi, LNCS 3991 (2006) 490-497; Welch et al. 2007, eqs. 43a and 44a",
    order: 1,
    stages: 1,
    survivesSingularPoses: solver !== "cholesky" && solver !== "kkt",
    survivesRedundantRows: solver !== "cholesky" && solver !== "kkt",
    bind(system) {
      const { workspace, state, trial } = system;
      const { velocities } = system.coordinates;
      const embedding = bindEmbedding(system, solver);
      const a = workspace.vector("hong: accelerations", velocities);
      const [start, end] = [state.v, trial.v];
      return {
        ...NO_HISTORY,
        attempt(t, h) {
          embedding.predict(t, h, a);
          embedding.keep(t);
          workspace.kernels.axpy(velocities, h, a, start, end);
          embedding.move(h, end, Turn.IMPLICIT);
        },
        accept: () => system.store(),
        accelerations: embedding.accelerations,
        multipliers: embedding.multipliers,
      };
    },
  };
}
