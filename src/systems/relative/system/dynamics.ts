import { NodriftError } from "../../../ground/errors.js";
import type { ConstraintSolver, SolverKind } from "../../../seam/index.js";
import type { RankKnowledge } from "../../bodies/system/rank-knowledge.js";
import { QuantityDynamics } from "../../quantity-dynamics.js";
import type { RelativeQuantities } from "./quantities.js";
import { TreeSolver } from "./tree-solver.js";

/** Forces, masses and the solver of a tree. */
export class RelativeDynamics extends QuantityDynamics<RelativeQuantities, TreeSolver> {
  readonly #ranks: RankKnowledge;

  constructor(system: RelativeQuantities, ranks: RankKnowledge) {
    super(system);
    this.#ranks = ranks;
  }

  solver(kind: SolverKind): ConstraintSolver {
    if (kind !== "auto" && kind !== "cholesky") {
      throw new NodriftError(
        "METHOD",
        `${this.quantities.bodies.name}: the solver "${kind}" works on dense matrices, which relative coordinates do not ` +
          'have: compile with coordinates: "maximal"',
      );
    }
    return this.treeSolver(kind);
  }

  /** The same, as what it is. */
  treeSolver(kind: "auto" | "cholesky"): TreeSolver {
    return this.known(kind) ?? this.keep(kind, new TreeSolver(this.quantities, this.#ranks, kind));
  }
}
