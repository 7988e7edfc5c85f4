import { RANK_TOLERANCE } from "../../../ground/rank-tolerance.js";
import type { ConstraintSolver, SolverKind } from "../../../seam/index.js";
import { checkSolver, DenseSolver, type DenseSource } from "../../dense-solver.js";
import { QuantityDynamics } from "../../quantity-dynamics.js";
import type { BodyQuantities } from "./quantities.js";
import type { RankKnowledge } from "./rank-knowledge.js";
import { SparseSolver } from "./sparse-solver.js";

/** Forces, masses and the solvers of a mechanism. */
export class BodyDynamics extends QuantityDynamics<BodyQuantities> {
  readonly #ranks: RankKnowledge;
  /** Makes the dense matrices, or gives those that were made. */
  readonly #dense: () => DenseSource;

  constructor(system: BodyQuantities, ranks: RankKnowledge, dense: () => DenseSource) {
    super(system);
    this.#ranks = ranks;
    this.#dense = dense;
  }

  solver(kind: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    if (kind !== "auto") checkSolver(kind, tolerance);
    if (kind === "auto" || kind === "cholesky") {
      return (
        this.known(kind) ?? this.keep(kind, new SparseSolver(this.quantities, this.#ranks, kind))
      );
    }
    const key = `${kind} ${tolerance}`;
    return this.known(key) ?? this.keep(key, new DenseSolver(this.#dense(), kind, tolerance));
  }
}
