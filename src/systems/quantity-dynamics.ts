// The dynamics that all systems share: the system evaluates forces and masses, and each kind of solver exists once.

import type { Address } from "../base/memory/arena.js";
import type { ConstraintSolver, Dynamics, SolverKind, StateAddress } from "../interfaces/index.js";

/** Quantities that a system evaluates. */
interface Evaluated {
  factorisations: number;
  forces(): Address;
  massTimes(x: Address, out: Address): void;
}

/** Dynamics of a system; subclasses determine which solvers there are. */
export abstract class QuantityDynamics<
  Quantities extends Evaluated,
  Solver extends ConstraintSolver = ConstraintSolver,
> implements Dynamics
{
  readonly ignoresVelocities: boolean = false;
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

  /**
   * Returns the cached solver of a key. It takes no factory closure, since methods call it in every step, which must
   * not allocate.
   */
  protected known(key: string): Solver | undefined {
    return this.#solvers.get(key);
  }

  protected keep<Made extends Solver>(key: string, solver: Made): Made {
    this.#solvers.set(key, solver);
    return solver;
  }
}

/** Returns the addresses of a contiguous state whose positions begin at q: q, v, then the work. */
export function stateAt(q: Address, positions: number, velocities: number): StateAddress {
  const v = q + 8 * positions;
  return { q, v, work: v + 8 * velocities };
}
