// Parts that systems share: dynamics whose solvers exist once, and the defaults of systems without a part.

import type { Address } from "../base/memory/arena.js";
import type {
  ConstraintSolver,
  Continuation,
  Dynamics,
  Matrices,
  SolverKind,
  StateAddress,
} from "../interfaces/index.js";

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

/** The members of matrices without derivatives. */
export const NO_DERIVATIVES = {
  costly: "",
  derivatives: () => "equations are functions",
  stages: () => undefined,
} satisfies Partial<Matrices>;

/** The continuation of a system whose state is q and v. */
export const NO_CONTINUATION: Continuation = {
  hasBreaks: false,
  actsBetweenSteps: false,
  unwrappedAngles: { count: 0, names: [], read() {}, write() {} },
  doubts: [],
  beginStep() {},
  stepLimit: () => Number.POSITIVE_INFINITY,
  arrive: () => false,
  useFixedSteps() {},
  nextBreak: () => Number.POSITIVE_INFINITY,
  finaliseState() {},
  continueFrom() {},
};
