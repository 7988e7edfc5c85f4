import { NodriftError } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { ConstraintSolver, Dynamics, SolverKind } from "../../../seam/index.js";
import type { RankKnowledge } from "../../bodies/system/rank-knowledge.js";
import type { RelativeQuantities } from "./quantities.js";
import { TreeSolver } from "./tree-solver.js";

/** Forces, masses and the solver of a tree. */
export class RelativeDynamics implements Dynamics {
  readonly #system: RelativeQuantities;
  readonly #ranks: RankKnowledge;
  readonly #solvers = new Map<SolverKind, TreeSolver>();

  constructor(system: RelativeQuantities, ranks: RankKnowledge) {
    this.#system = system;
    this.#ranks = ranks;
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

  solver(kind: SolverKind): ConstraintSolver {
    if (kind !== "auto" && kind !== "cholesky") {
      throw new NodriftError(
        "METHOD",
        `${this.#system.bodies.name}: the solver "${kind}" works on dense matrices, which relative coordinates do not ` +
          'have: compile with coordinates: "maximal"',
      );
    }
    return this.treeSolver(kind);
  }

  /** The same, as what it is. */
  treeSolver(kind: "auto" | "cholesky"): TreeSolver {
    const known = this.#solvers.get(kind);
    if (known) return known;
    const made = new TreeSolver(this.#system, this.#ranks, kind);
    this.#solvers.set(kind, made);
    return made;
  }
}
