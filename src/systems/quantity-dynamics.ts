// What the dynamics of all systems share: forces and masses are those that the system evaluates, and each way of solving has one solver.

import type { Address } from "../ground/memory/arena.js";
import type { ConstraintSolver, Dynamics, SolverKind } from "../seam/index.js";

/** What a system evaluates. */
interface Evaluated {
  factorisations: number;
  forces(): Address;
  massTimes(x: Address, out: Address): void;
}

/** Dynamics of a system; which solvers there are is said by those who extend it. */
export abstract class QuantityDynamics<
  Quantities extends Evaluated,
  Solver extends ConstraintSolver = ConstraintSolver,
> implements Dynamics
{
  protected readonly quantities: Quantities;
  readonly #solvers = new Map<string, Solver>();

  constructor(quantities: Quantities) {
    this.quantities = quantities;
  }

  get factorisations(): number {
    return this.quantities.factorisations;
  }

  set factorisations(count: number) {
    this.quantities.factorisations = count;
  }

  forces(): Address {
    return this.quantities.forces();
  }

  massTimes(x: Address, out: Address): void {
    this.quantities.massTimes(x, out);
  }

  abstract solver(kind: SolverKind, tolerance?: number): ConstraintSolver;

  /** The solver that was kept under this key. No closure that makes one is asked for: some ask in every step, which must leave no garbage. */
  protected known(key: string): Solver | undefined {
    return this.#solvers.get(key);
  }

  protected keep<Made extends Solver>(key: string, solver: Made): Made {
    this.#solvers.set(key, solver);
    return solver;
  }
}
