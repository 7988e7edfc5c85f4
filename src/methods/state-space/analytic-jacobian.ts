import type { Address } from "../../ground/memory/arena.js";
import { stiffMemory } from "../../ground/memory/stiff-memory.js";
import { EntryList } from "../../ground/sparse/entry-list.js";
import type { EquationDerivatives, OdeJacobian, System } from "../../seam/index.js";
import type { DependentCoordinates } from "./dependent-coordinates.js";
import type { Dynamics } from "./dynamics.js";
import type { MatrixEntries } from "./matrix-entries.js";
import type { Partition } from "./partition.js";
import { type PiForm, piShifted, reservePiForm } from "./pi-form.js";

/**
 * J1 = dp''/dp and J2 = dp''/dp' of the independent positions p, times their mass matrix, by formulas. All
 * displacements B dp that leave the constraints, and what they do to v and a, come from A (dependent-coordinates.ts):
 *
 *   A B  = (0, I)
 *   A N1 = -d(A v)/dx B                           dv/dp  = N1,   dv/dp' = B
 *   A N2 = d(r - A a)/dx B + dr/dv N1             da/dp  = N2 + B J1,   r = (gamma, -E T' v)
 *   A N3 = dr/dv B                                da/dp' = N3 + B J2
 *
 * Maggi's equations B^T (M a - Q) = 0 are differentiated. M a - Q = J^T lambda, and B^T J^T = 0 for all
 * positions, so that dB^T (M a - Q) = -B^T d(J^T lambda)/dx B dp: with K = d(Q + J^T lambda - M a)/dx and
 * C = dQ/dv,
 *
 *   B^T M B J1 = B^T (K B + C N1 - M N2)          B^T M B J2 = B^T (C B - M N3)
 *
 * N2 and N3 are not solved for: B^T M A^-1 = W^T with A^T W = M B. These are eqs. 27 to 40 of Negrut, Haug and
 * German 2003, with their misprints put right, in fewer solves.
 */
export class AnalyticJacobian implements OdeJacobian {
  readonly source = "analytic";
  /** What {@link evaluate} finds. */
  readonly form: PiForm;
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #placement: DependentCoordinates;
  readonly #dynamics: Dynamics;
  readonly #derivatives: EquationDerivatives;
  readonly #rows: EntryList;
  readonly #mass: EntryList;
  readonly #tables: readonly Address[];
  readonly #product: Address;
  readonly #list: Address;
  readonly #lambda: Address;
  readonly #move: (t: number) => void;

  /** `move` makes the trial of the unknowns the trial state, and finds its accelerations. */
  constructor(
    system: System,
    entries: MatrixEntries,
    partition: Partition,
    placement: DependentCoordinates,
    dynamics: Dynamics,
    derivatives: EquationDerivatives,
    move: (t: number) => void,
  ) {
    const { workspace } = system;
    const { velocities: n } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#placement = placement;
    this.#dynamics = dynamics;
    this.#derivatives = derivatives;
    this.#move = move;
    const { length } = derivatives.rows;
    this.#rows = new EntryList(workspace, "derivatives", length + derivatives.rates.length);
    this.#mass = new EntryList(workspace, "mass", entries.counts.mass);
    const { freedom } = partition;
    const table = n * this.#stride;
    const names = ["B", "M B", "W", "N1", "K B + C N1", "rows", "scratch"];
    this.#tables = names.map((name) => workspace.vector(name, table));
    this.#product = workspace.vector("product of rows", freedom * this.#stride);
    this.#list = workspace.vector("list of rows", Math.ceil(n / 2));
    this.#lambda = workspace.vector("multipliers for derivatives", rows);
    this.form = reservePiForm(workspace, freedom);
  }

  get #stride(): number {
    return this.#partition.freedom + (this.#partition.freedom % 2);
  }

  /** The partition is another one. */
  rebuild(): void {
    const partition = this.#partition;
    this.#rows.clear();
    for (const [list, map] of [
      [this.#derivatives.rows, partition.placesOfRows(0)],
      [this.#derivatives.rates, partition.placesOfPositions(partition.chosenRows)],
    ] as const) {
      for (const entry of list) {
        const row = map.get(entry.row);
        if (row !== undefined) this.#rows.add({ ...entry, row });
      }
    }
    this.#mass.clear();
    for (const entry of this.#entries.at().mass) this.#mass.add(entry);
  }

  evaluate(t: number): void {
    const { workspace } = this.#system;
    const { velocities: n } = this.#system.coordinates;
    this.#move(t);
    this.#dynamics.multipliers(this.#lambda);
    this.#derivatives.evaluate(this.#dynamics.accelerations, this.#lambda);
    const { kernels } = stiffMemory(workspace);
    const { chosenRows, freedom } = this.#partition;
    const derivatives = this.#derivatives;
    const { biasOffset, gyroscopicOffset } = derivatives;
    const stride = this.#stride;
    const { table } = this.#placement.matrix;
    const [b, mb, w, n1, forces, rows, scratch] = this.#tables as Seven;
    kernels.unitRows(n, stride, chosenRows, freedom, rows);
    kernels.sparseLuSolveRows(table, stride, rows, b, scratch);
    kernels.clearRows(n, stride, mb);
    this.#mass.timesRows(1, 0, stride, b, mb);
    this.#write(1, b, mb, 0, b, b, this.form.mass);
    kernels.sparseLuSolveRowsTransposed(table, stride, mb, w, scratch);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(-1, 0, stride, b, rows);
    kernels.sparseLuSolveRows(table, stride, rows, n1, scratch);

    kernels.clearRows(n, stride, forces);
    derivatives.addStiffness(stride, b, forces);
    derivatives.addDamping(stride, n1, forces);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(1, biasOffset, stride, b, rows);
    this.#rows.timesRows(1, gyroscopicOffset, stride, n1, rows);
    this.#write(1, b, forces, -1, w, rows, this.form.j1);

    kernels.clearRows(n, stride, forces);
    derivatives.addDamping(stride, b, forces);
    kernels.clearRows(n, stride, rows);
    this.#rows.timesRows(1, gyroscopicOffset, stride, b, rows);
    this.#write(1, b, forces, -1, w, rows, this.form.j2);
  }

  shifted(complex: boolean) {
    return piShifted(this.#system.workspace, this.#partition.freedom, this.form, complex);
  }

  /** out = f X^T Y + g U^T V, by columns. */
  #write(f: number, x: Address, y: Address, g: number, u: Address, v: Address, out: Address): void {
    const { workspace } = this.#system;
    const { velocities: n } = this.#system.coordinates;
    const { kernels } = stiffMemory(workspace);
    const { freedom } = this.#partition;
    const stride = this.#stride;
    kernels.clearRows(freedom, stride, this.#product);
    kernels.rowsProduct(n, freedom, stride, f, x, y, this.#product, this.#list);
    if (g !== 0) kernels.rowsProduct(n, freedom, stride, g, u, v, this.#product, this.#list);
    kernels.squareByColumns(freedom, stride, this.#product, out);
  }
}

type Seven = [Address, Address, Address, Address, Address, Address, Address];
