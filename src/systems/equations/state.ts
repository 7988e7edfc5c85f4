// States of systems given by functions, as found in solutions. Quantities other than q and v are computed on request.

import { NodriftError } from "../../base/errors.js";
import type { Arena, Segment } from "../../base/memory/arena.js";
import type { ConstraintSolver, State, StateData, System } from "../../interfaces/index.js";

/** The acting rows among all rows of a description. */
export interface RowSelection {
  readonly rowNames: readonly string[];
  readonly acting: ReadonlySet<string>;
}

/**
 * A state of a system given by functions. Quantities are computed when read.
 *
 * @example
 * const state = solution.at(2.5);
 * console.log(state.q, state.multipliers(), state.energy().total);
 */
export class EquationState implements State {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #data: StateData;
  readonly #owner: object;
  readonly #make: () => System;
  readonly #rows: RowSelection | undefined;

  /** `make` creates a system of the owner, for queries; `rows` are the acting ones. Default: all rows act. */
  constructor(owner: object, make: () => System, data: StateData, rows?: RowSelection) {
    this.q = data.q;
    this.v = data.v;
    this.#data = data;
    this.#owner = owner;
    this.#make = make;
    this.#rows = rows;
  }

  /** Its time. */
  get time(): number {
    return this.#data.time;
  }

  /** Accelerations a of M a = Q + J^T lambda, J a = gamma. */
  accelerations(): Float64Array {
    return this.#reader().accelerations();
  }

  /**
   * Multipliers lambda of these equations, in the order of the rows; those of least norm if they are not unique. Rows
   * that do not act have zero.
   */
  multipliers(): Float64Array {
    const found = this.#reader().multipliers();
    if (this.#rows === undefined) return found;
    const { rowNames, acting } = this.#rows;
    return expandRows(rowNames, acting, found, new Float64Array(rowNames.length));
  }

  /** Returns whether a row acts at this state: false while its `when` keeps it switched off. */
  acts(row: string): boolean {
    const names = this.#rows?.rowNames ?? this.#reader().system.constraints.rowNames;
    if (!names.includes(row)) {
      throw new NodriftError(
        "STEP",
        `acts: there is no row "${row}"; there are: ${names.join(", ")}`,
      );
    }
    return this.#rows?.acting.has(row) ?? true;
  }

  /** Kinetic, potential and total energy. Potential energy is zero if the system has none. */
  energy(): { readonly kinetic: number; readonly potential: number; readonly total: number } {
    const { system } = this.#reader();
    const [kinetic, potential] = [system.energy.kinetic(), system.energy.potential()];
    return { kinetic, potential, total: kinetic + potential };
  }

  /** Largest constraint violations |Phi| and |dPhi/dt| of the rows that act. */
  constraintError(): { readonly position: number; readonly velocity: number } {
    const { workspace, constraints } = this.#reader().system;
    const { kernels } = workspace;
    return {
      position: kernels.largestMagnitude(constraints.rows, constraints.phi()),
      velocity: kernels.largestMagnitude(constraints.rows, constraints.phiDot()),
    };
  }

  /** Loads this state into the reader. */
  #reader(): StateReader {
    const reader = readers.get(this.#owner) ?? new StateReader(this.#make());
    readers.set(this.#owner, reader);
    reader.load(this.#data);
    return reader;
  }
}

/** A second system with its own memory, so that the run is not disturbed. */
class StateReader {
  readonly system: System;
  readonly #solver: ConstraintSolver;
  readonly #arena: Arena;
  readonly #vector: Segment;
  readonly #rows: Segment;
  readonly #state: Float64Array;

  constructor(system: System) {
    this.system = system;
    const { workspace, coordinates, constraints, dynamics } = this.system;
    this.#solver = dynamics.solver("auto");
    this.#vector = workspace.reserve("answer: coordinates", coordinates.velocities);
    this.#rows = workspace.reserve("answer: rows", constraints.rows);
    this.#arena = workspace.seal();
    const slots = coordinates.positions + coordinates.velocities;
    this.#state = this.#arena.floats({ name: "state", address: system.state.q, slots });
  }

  load({ time, q, v }: State): void {
    this.#state.set(q);
    this.#state.set(v, q.length);
    this.system.load(time);
  }

  accelerations(): Float64Array {
    this.#solver.accelerate(this.system.constraints.gamma(), this.#vector.address);
    return this.#arena.floats(this.#vector).slice();
  }

  multipliers(): Float64Array {
    this.#solver.multipliers(this.system.constraints.gamma(), this.#rows.address);
    return this.#arena.floats(this.#rows).slice();
  }
}

/** One reader for all states of a system. */
const readers = new WeakMap<object, StateReader>();

/** Expands values of acting rows to all rows: zero for the others. */
export function expandRows(
  rowNames: readonly string[],
  acting: ReadonlySet<string>,
  some: ArrayLike<number>,
  out: Float64Array,
): Float64Array {
  let next = 0;
  for (let row = 0; row < rowNames.length; row++) {
    out[row] = acting.has(rowNames[row]!) ? some[next++]! : 0;
  }
  return out;
}
