import type { Address } from "../../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../../ground/rank-tolerance.js";
import type { ConstraintSolver, Dynamics, SolverKind } from "../../../seam/index.js";
import { checkSolver, DenseSolver, type DenseSource } from "../../dense-solver.js";
import type { BodyQuantities } from "./quantities.js";
import type { RankKnowledge } from "./rank-knowledge.js";
import { SparseSolver } from "./sparse-solver.js";

/** Forces, masses and the solvers of a mechanism. */
export class BodyDynamics implements Dynamics {
  readonly #system: BodyQuantities;
  readonly #ranks: RankKnowledge;
  /** Makes the dense matrices, or gives those that were made. */
  readonly #dense: () => DenseSource;
  readonly #solvers = new Map<string, ConstraintSolver>();

  constructor(system: BodyQuantities, ranks: RankKnowledge, dense: () => DenseSource) {
    this.#system = system;
    this.#ranks = ranks;
    this.#dense = dense;
  }

  get factorisations(): number {
    return this.#system.factorisations;
  }

  set factorisations(count: number) {
    this.#system.factorisations = count;
  }

  forces(): Address {
    return this.#system.forces();
  }

  massTimes(x: Address, out: Address): void {
    this.#system.massTimes(x, out);
  }

  solver(kind: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    if (kind !== "auto") checkSolver(kind, tolerance);
    const sparse = kind === "auto" || kind === "cholesky";
    const key = sparse ? kind : `${kind} ${tolerance}`;
    const known = this.#solvers.get(key);
    if (known) return known;
    const made = sparse
      ? new SparseSolver(this.#system, this.#ranks, kind)
      : new DenseSolver(this.#dense(), kind, tolerance);
    this.#solvers.set(key, made);
    return made;
  }
}
