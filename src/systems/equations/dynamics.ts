import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type { ConstraintSolver, DenseEquations, Dynamics, SolverKind } from "../../seam/index.js";
import { checkSolver, DenseSolver } from "../dense-solver.js";
import type { EquationQuantities } from "./quantities.js";

/** Forces, mass and dense solvers of a system given by functions. */
export class EquationDynamics implements Dynamics {
  readonly #system: EquationQuantities;
  readonly #solvers = new Map<string, DenseSolver>();

  constructor(system: EquationQuantities) {
    this.#system = system;
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

  solver(asked: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    const kind = asked === "auto" ? "cod" : asked;
    checkSolver(kind, tolerance);
    const key = `${kind} ${tolerance}`;
    const solver = this.#solvers.get(key) ?? new DenseSolver(this.#system, kind, tolerance);
    this.#solvers.set(key, solver);
    return solver;
  }
}

/** The matrices of a system given by functions; reserves memory for a full M. */
export function denseEquations(system: EquationQuantities): DenseEquations {
  const { workspace, velocities: n, rows, derivatives } = system;
  const full = system.equations.mass.diagonal
    ? workspace.vector("full mass", n * n)
    : system.segments.mass.address;
  return {
    mass: () => {
      const mass = system.mass();
      if (mass !== full) workspace.kernels.diagonalMatrix(n, mass, full);
      return full;
    },
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) =>
      system.derive(n, out, (q, v, target) =>
        derivatives.massRateTimesVelocity(q, v, target, system.time),
      ),
    jacobianRate: (out) =>
      system.derive(rows * n, out, (q, v, target) =>
        derivatives.jacobianRate(q, v, target, system.time),
      ),
  };
}
