// Combinations of rows that vanish: x with J^T x = 0.
//
// S = J M^-1 J^T is factored without pivoting; the pivot d_j is the square of the distance of row j from the
// rows before it, so d_j <= 1e-9 S_jj means that row j is redundant. With the independent rows I,
//
//   x_j = 1,   S_II x_I = -S_Ij,   zero in the other dependent rows,
//
// is that combination. The residual J M^-1 J^T x is formed from J and solved for again, so that rounding
// errors of the factor are removed.
//
// One solve finds the combinations of many rows if these share no body: their sum splits into components that touch
// different bodies, and a component with one dependent row is the combination of that row. Components with several
// dependent rows are solved for in two halves.

import { BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import type { Address, Arena } from "../../../base/memory/arena.js";
import { checkLimits } from "../../../base/run-limits.js";
import { failed } from "../../../base/wasm/status.js";
import { Components } from "../plan/loops.js";
import type { BodySystem } from "../system/system.js";

/** A vanishing combination of rows: the rows in it and their factors. */
export interface NullVector {
  /** The dependent row of the combination. */
  readonly row: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
  /** Remainder of the combination over the size of its rows: more than rounding if they are only nearly redundant. */
  readonly misfit: number;
}

/** Factors, in units of 1 / sqrt(S_ii), below which they are rounding errors. */
const ZERO_FACTOR_TOLERANCE = 1e-8;
const REFINEMENTS = 2;

/** Finds the null vectors of J^T at the trial state of a system. */
export class NullSpace {
  readonly #system: BodySystem;
  readonly #x: Address;
  readonly #residual: Address;
  readonly #force: Address;
  readonly #weighed: Address;
  /** Block of each row. */
  readonly #blockOf: Int32Array;
  #values = new Float64Array(0);
  #jacobian = new Float64Array(0);
  #masses = new Float64Array(0);

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    const { plan, segments } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    const x = workspace.reserve("combination of rows", rows);
    this.#x = x.address;
    this.#residual = workspace.vector("residual of a combination", rows);
    this.#force = workspace.vector("force of a combination", velocities);
    this.#weighed = workspace.vector("force of a combination over masses", velocities);
    this.#blockOf = new Int32Array(rows);
    plan.blocks.forEach(({ firstRow, rows: count }, block) => {
      this.#blockOf.fill(block, firstRow, firstRow + count);
    });
    system.dynamics.solver("auto");
    workspace.whenSealed((arena: Arena) => {
      this.#values = arena.floats(x);
      this.#jacobian = arena.floats(segments.jacobian);
      this.#masses = arena.floats(segments.masses);
    });
  }

  /** Factors at the trial state. Returns the rows that depend on those before them, in the order of the plan. */
  dependentRows(): number[] {
    this.#system.dynamics.solver("auto").rank();
    return [...this.#system.arrays.pivots.keys()].filter(
      (row) => this.#system.arrays.pivots[row] === 0,
    );
  }

  /** The smallest pivot of an independent row, and the row: the distance to a lower rank. */
  leastPivot(): { pivot: number; row: number } {
    let least = { pivot: 1, row: 0 };
    this.#system.arrays.pivots.forEach((pivot, row) => {
      if (pivot > 0 && pivot < least.pivot) least = { pivot, row };
    });
    return least;
  }

  /** One null vector for each of the rows just found dependent. */
  vectors(dependent: readonly number[]): NullVector[] {
    const found: NullVector[] = [];
    const scales = this.#scales();
    for (const rows of this.#groups(dependent)) this.#find(rows, scales, found);
    return found.sort((one, other) => one.row - other.row);
  }

  /** x -= S^-1 J M^-1 (J^T x - f), f = 0 if not given: in the independent rows, by the last factor. */
  correct(x: Address, f?: Address): void {
    const system = this.#system;
    const { workspace } = system;
    const { table, segments } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    checkLimits();
    system.constraints.jacobianTransposeTimes(x, this.#force);
    if (f !== undefined) kernels.axpy(velocities, -1, f, this.#force, this.#force);
    system.kernels.bodyMassSolve(table, this.#force, this.#force);
    system.constraints.jacobianTimes(this.#force, this.#residual);
    const status = system.kernels.sparseSolve(
      segments.sparseTable.address,
      segments.sparseFactor.address,
      this.#residual,
      segments.sparseScratch.address,
      this.#residual,
    );
    if (failed(status)) throw system.errorFor(status, "");
    kernels.axpy(rows, -1, this.#residual, x, x);
  }

  /** The first dependent row of each block, the second ones, and so on. */
  #groups(dependent: readonly number[]): number[][] {
    const groups: number[][] = [];
    let [block, place] = [-1, 0];
    for (const row of dependent) {
      place = this.#blockOf[row] === block ? place + 1 : 0;
      block = this.#blockOf[row]!;
      groups[place] ??= [];
      groups[place]!.push(row);
    }
    return groups;
  }

  #find(rows: readonly number[], scales: Float64Array, found: NullVector[]): void {
    for (const part of this.#parts(this.#solve(rows, scales), scales)) {
      const own = rows.filter((row) => part.has(row));
      if (own.length === 1) {
        const support = [...part];
        const values = support.map((row) => this.#values[row]!);
        const misfit = this.#misfit(support, values, scales);
        found.push({ row: own[0]!, rows: support, values, misfit });
      } else if (own.length > 1) {
        const kept = this.#values.slice();
        for (const half of [0, 1]) {
          const some = own.filter((_, i) => i % 2 === half);
          this.#find(some, scales, found);
        }
        this.#values.set(kept);
      }
    }
  }

  /** |J^T x| in the metric of M^-1, over the largest of its terms. The values are unchanged. */
  #misfit(rows: readonly number[], values: readonly number[], scales: Float64Array): number {
    const system = this.#system;
    const { table } = system;
    const { velocities } = system.coordinates;
    const kept = this.#values.slice();
    this.#values.fill(0);
    let largest = 0;
    rows.forEach((row, i) => {
      this.#values[row] = values[i]!;
      largest = Math.max(largest, Math.abs(values[i]!) * scales[row]!);
    });
    system.constraints.jacobianTransposeTimes(this.#x, this.#force);
    this.#values.set(kept);
    system.kernels.bodyMassSolve(table, this.#force, this.#weighed);
    const square = system.workspace.kernels.dot(velocities, this.#force, this.#weighed);
    return Math.sqrt(Math.max(0, square)) / largest;
  }

  /** The sum of the null vectors of some rows, each row with the factor 1 / sqrt(S_jj). */
  #solve(rows: readonly number[], scales: Float64Array): Float64Array {
    this.#values.fill(0);
    for (const row of rows) this.#values[row] = 1 / scales[row]!;
    for (let round = 0; round <= REFINEMENTS; round++) this.correct(this.#x);
    return this.#values;
  }

  /** Rows of a combination, grouped by components that share no body. */
  #parts(x: Float64Array, scales: Float64Array): Set<number>[] {
    const { plan } = this.#system;
    const rows = [...x.keys()].filter(
      (row) => Math.abs(x[row]!) * scales[row]! > ZERO_FACTOR_TOLERANCE,
    );
    const joined = new Components(plan.model.bodies.length);
    const bodiesOf = (row: number) => plan.blocks[this.#blockOf[row]!]!.bodies;
    for (const row of rows) {
      const [first, ...others] = bodiesOf(row);
      for (const other of others) joined.join(first, other);
    }
    const parts = new Map<number, Set<number>>();
    for (const row of rows) {
      const root = joined.rootOf(bodiesOf(row)[0]!);
      parts.set(root, (parts.get(root) ?? new Set()).add(row));
    }
    return [...parts.values()];
  }

  /** sqrt(S_jj) by rows: S_jj = sum of J_j M^-1 J_j^T over the bodies of the row. */
  #scales(): Float64Array {
    const { plan } = this.#system;
    const { rows } = this.#system.constraints;
    const squares = new Float64Array(rows);
    plan.blocks.forEach(({ bodies, firstRow, rows: count }, index) => {
      bodies.forEach((body, place) => {
        const first = plan.sparse.jacobianSlotOf[index]![place]!;
        for (let row = 0; row < count; row++) {
          const slot = first + BODY_VELOCITIES * row;
          squares[firstRow + row] = squares[firstRow + row]! + this.#square(body, slot);
        }
      });
    });
    // A zero row: any factor will do.
    return squares.map((square) => (square > 0 ? Math.sqrt(square) : 1));
  }

  /** Product of a row's six elements with the inverse mass of its body and with themselves. */
  #square(body: number, slot: number): number {
    const six = this.#jacobian.subarray(slot, slot + BODY_VELOCITIES);
    const mass = this.#masses.subarray(BodyMass.LENGTH * body, BodyMass.LENGTH * (body + 1));
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      sum += mass[BodyMass.INVERSE_MASS]! * six[i]! ** 2;
      for (let j = 0; j < 3; j++) {
        sum += mass[BodyMass.INVERSE_INERTIA + 3 * j + i]! * six[3 + i]! * six[3 + j]!;
      }
    }
    return sum;
  }
}
