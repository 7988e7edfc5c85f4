import type { Address } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import type {
  EquationDerivatives,
  MatrixEntry,
  OdeJacobian,
  ShiftedSolver,
  SparseEquations,
  System,
} from "../../interfaces/index.js";
import { PowerMatrix } from "../newton/sparse-lu.js";
import type { StateSpaceDynamics } from "./dynamics.js";
import type { MatrixEntries, Partition } from "./partition.js";

/** First rows of b1 and b2, and first column of x2, in a matrix of {@link SparsePi}. */
interface PiPlaces {
  readonly size: number;
  readonly unknowns: number;
  readonly first: number;
  readonly second: number;
  readonly result: number;
}

/** Solves with I - alpha df/dy by one sparse matrix of powers of alpha (sparse-jacobian.ts). */
class SparsePi {
  readonly #matrix: PowerMatrix;
  readonly #places: PiPlaces;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;

  /** `most` limits the entries, and `capacity` the nonzeros of L and of U. */
  constructor(workspace: Workspace, places: PiPlaces, most: number, capacity: number) {
    this.#workspace = workspace;
    this.#places = places;
    this.#stiff = stiffMemory(workspace);
    this.#matrix = new PowerMatrix(workspace, "Pi", places.size, most, capacity);
  }

  clear(): void {
    this.#matrix.clear();
  }

  add(row: number, column: number, address: Address, factor: number, power: 0 | 1 | 2): void {
    this.#matrix.add(row, column, address, factor, power);
  }

  shifted(complex: boolean): ShiftedSolver {
    return complex ? this.#complex() : this.#real();
  }

  #real(): ShiftedSolver {
    const { size, unknowns, first, second, result } = this.#places;
    const right = this.#workspace.vector("right side of sparse Pi", size);
    const alpha = this.#numbers("alpha of sparse Pi", 1);
    const solver = this.#matrix.solver(false);
    const stiff = this.#stiff;
    return {
      factor(real) {
        alpha.values[0] = real;
        return solver.factor(real, 0) < 0;
      },
      solve(b, x) {
        const { kernels } = stiff;
        const real = alpha.values[0]!;
        kernels.sparsePiRight(unknowns, real, b, first, second, size, solver.scales, right);
        solver.solve(right);
        kernels.sparsePiTake(unknowns, real, b, right + 8 * result, x);
      },
    };
  }

  #complex(): ShiftedSolver {
    const { size, unknowns, first, second, result } = this.#places;
    const right = this.#workspace.vector("right side of complex sparse Pi", 2 * size);
    const alpha = this.#numbers("alpha of complex sparse Pi", 2);
    const solver = this.#matrix.solver(true);
    const stiff = this.#stiff;
    return {
      factor(real, imaginary) {
        alpha.values[0] = real;
        alpha.values[1] = imaginary;
        return solver.factor(real, imaginary) < 0;
      },
      solve(b, x) {
        const { kernels } = stiff;
        const real = alpha.values[0]!;
        const imaginary = alpha.values[1]!;
        kernels.complexSparsePiRight(
          unknowns,
          real,
          imaginary,
          b,
          first,
          second,
          size,
          solver.scales,
          right,
        );
        solver.solve(right);
        kernels.complexSparsePiTake(unknowns, real, imaginary, b, size, right + 8 * result, x);
      },
    };
  }

  #numbers(name: string, count: number): { values: Float64Array } {
    const memory = this.#workspace.reserve(name, count);
    const kept = { values: new Float64Array(count) };
    this.#workspace.whenSealed((arena) => {
      kept.values = arena.floats(memory);
    });
    return kept;
  }
}

/**
 * Maximum nonzeros of L, and of U, per equation and per pair of bodies that elimination couples. A chain of hinges
 * needs 25 for each of its 24 equations per body.
 */
const FILL = { equation: 16, block: 400 } as const;

/**
 * Multiplications per equation of a factorisation, without constraints and with constraints on all velocities, whose
 * rows fill. Fitted to the degrees of freedom at which runs of chains cost the same either way, about 40 on bushings
 * and 200 on hinges.
 */
const WORK = { free: 150, constrained: 700 } as const;

/**
 * Whether a stage costs less with {@link SparseJacobian} than with a dense Pi, whose factorisation takes freedom^3 /
 * 3. `massNumbers` is the number of nonzeros of M, which is full along a tree, and an equation costs the square of
 * its row.
 */
export function isSparseCheaper(freedom: number, velocities: number, massNumbers: number): boolean {
  const held = 1 - freedom / velocities;
  const equations = 4 * velocities;
  const row = massNumbers / velocities;
  const each = WORK.free + held * (WORK.constrained - WORK.free);
  return freedom ** 3 / 3 > Math.max(each, row * row) * equations;
}

/**
 * Solves with I - alpha df/dy of the independent positions p without forming df/dy. For many degrees of freedom, B,
 * and with it M J1 and M J2 (state-space.ts), are full triangles for a chain. The unknowns that B and N eliminate
 * there stay in one sparse matrix here. With x1 = dp and x2 = dp',
 *
 *   x1 = b1 + alpha x2,   x2 = b2 + alpha dp'',
 *
 * displacements dx, dv and da of all bodies follow from A = [J; E T], R = d(A v)/dx, S = d(r - A a)/dx and G = dr/dv:
 *
 *   A dx = (0, x1),   A dv = (0, x2) - R dx,   A da = (0, dp'') + S dx + G dv,   M da - J^T dlambda = K dx + C dv.
 *
 * The unknowns are d, w and e in dx = d + w, alpha dv = w, alpha^2 da = w + e, a multiple of dlambda, and x2:
 *
 *   A d - alpha R (d + w)                               = (0, b1)
 *   J w + alpha R_J (d + w)                             = 0
 *   A e - alpha R (d + w) - alpha^2 S (d + w) - alpha G w = (0, -alpha b2)
 *   M (w + e) - alpha^2 K (d + w) - alpha C w + J^T mu  = 0
 *   alpha x2 - E T w - alpha R_T (d + w)                = 0
 *
 * For small alpha, d holds b1, e holds b2, and w is small. With dx, dv, da as unknowns, x2 would be a difference of
 * nearly equal values. Pivots by Markowitz' count then eliminate from the ends of chains, at a cost linear in the
 * bodies. Rejected: an iteration with a block-diagonal matrix, which diverges with a stiff spring between bodies.
 */
export class SparseJacobian implements OdeJacobian {
  readonly source = "analytic";
  readonly #system: System;
  readonly #entries: MatrixEntries;
  readonly #partition: Partition;
  readonly #dynamics: StateSpaceDynamics;
  readonly #derivatives: EquationDerivatives;
  readonly #move: (t: number) => void;
  readonly #stiff: StiffMemory;
  readonly #pi: SparsePi;
  readonly #one: Address;
  readonly #lambda: Address;
  /**
   * Addresses of J, T and M, and copies of their values at the state of df/dy: later states overwrite them before
   * factors are made.
   */
  readonly #sources: Address;
  readonly #copies: Address;
  #sourceList = new Int32Array(0);
  #count = new Float64Array(1);

  /** `move` sets the trial state to the trial unknowns, and computes its accelerations. */
  constructor(
    system: System,
    entries: MatrixEntries,
    partition: Partition,
    dynamics: StateSpaceDynamics,
    derivatives: EquationDerivatives,
    move: (t: number) => void,
  ) {
    const { workspace } = system;
    const { velocities: n } = system.coordinates;
    this.#system = system;
    this.#entries = entries;
    this.#partition = partition;
    this.#dynamics = dynamics;
    this.#derivatives = derivatives;
    this.#move = move;
    this.#stiff = stiffMemory(workspace);
    this.#one = workspace.constants("one", [1]);
    this.#lambda = workspace.vector("multipliers for derivatives", system.constraints.rows);
    const { chosenRows: rows, freedom } = partition;
    const places = {
      size: 3 * n + rows + freedom,
      unknowns: freedom,
      first: rows,
      second: n + 2 * rows,
      result: 3 * n + rows,
    };
    const { mass, jacobian, rates } = entries.counts;
    const most =
      4 * jacobian +
      3 * rates +
      2 * mass +
      9 * (derivatives.rows.length + derivatives.rates.length) +
      3 * derivatives.forces.length +
      freedom;
    const capacity = FILL.equation * places.size + FILL.block * derivatives.couplings();
    this.#pi = new SparsePi(workspace, places, most, capacity);
    const copied = mass + jacobian + rates;
    const sources = workspace.reserve("addresses of copies for Pi", Math.ceil(copied / 2));
    const count = workspace.reserve("number of copies for Pi", 1);
    this.#sources = sources.address;
    this.#copies = workspace.vector("copies for Pi", copied);
    workspace.whenSealed((arena) => {
      this.#sourceList = arena.integers(sources);
      this.#count = arena.floats(count);
    });
  }

  /** Rebuilds the matrix after a change of the partition. */
  rebuild(): void {
    const equations = this.#entries.at();
    this.#pi.clear();
    this.#count[0] = 0;
    this.#addPositions(equations);
    this.#addMotion(equations);
    this.#addDerivatives();
  }

  evaluate(t: number): void {
    this.#move(t);
    this.#dynamics.multipliers(this.#lambda);
    this.#derivatives.evaluate(this.#dynamics.accelerations, this.#lambda);
    this.#entries.at().updateMass();
    this.#entries.at().updateJacobian();
    this.#stiff.kernels.gatherValues(this.#count[0]!, this.#sources, this.#copies);
  }

  shifted(complex: boolean) {
    return this.#pi.shifted(complex);
  }

  /** Adds A d, J w, A e and J^T mu, and E T w of x2. */
  #addPositions({ jacobian, rates }: SparseEquations): void {
    const { velocities: n } = this.#system.coordinates;
    const { chosenRows: m, freedom } = this.#partition;
    const pi = this.#pi;
    const rows = this.#partition.placesOfRows(0);
    for (const { row, column, address, scale } of jacobian) {
      const place = rows.get(row);
      if (place === undefined) continue;
      const copy = this.#copied(address);
      pi.add(place, column, copy, scale, 0);
      pi.add(n + place, n + column, copy, scale, 0);
      pi.add(n + m + place, 2 * n + column, copy, scale, 0);
      pi.add(2 * n + m + column, 3 * n + place, copy, scale, 0);
    }
    const positions = this.#partition.placesOfPositions(0);
    for (const { row, column, address, scale } of rates) {
      const place = positions.get(row);
      if (place === undefined) continue;
      const copy = this.#copied(address);
      pi.add(m + place, column, copy, scale, 0);
      pi.add(n + 2 * m + place, 2 * n + column, copy, scale, 0);
      pi.add(3 * n + m + place, n + column, copy, -scale, 0);
    }
    for (let k = 0; k < freedom; k++) {
      pi.add(3 * n + m + k, 3 * n + m + k, this.#one, 1, 1);
    }
  }

  /** M (w + e) - alpha^2 K (d + w) - alpha C w */
  #addMotion({ mass }: SparseEquations): void {
    const { velocities: n } = this.#system.coordinates;
    const first = 2 * n + this.#partition.chosenRows;
    const pi = this.#pi;
    for (const { row, column, address, scale } of mass) {
      const copy = this.#copied(address);
      pi.add(first + row, n + column, copy, scale, 0);
      pi.add(first + row, 2 * n + column, copy, scale, 0);
    }
    const { forces, dampingOffset } = this.#derivatives;
    for (const { row, column, address } of forces) {
      pi.add(first + row, column, address, -1, 2);
      pi.add(first + row, n + column, address, -1, 2);
      pi.add(first + row, n + column, address + dampingOffset, -1, 1);
    }
  }

  /** Adds the terms of R, S and G. */
  #addDerivatives(): void {
    const { velocities: n } = this.#system.coordinates;
    const { chosenRows: m } = this.#partition;
    const pi = this.#pi;
    const { rows, rates } = this.#derivatives;
    const chosen = this.#partition.placesOfRows(0);
    for (const entry of rows) {
      const place = chosen.get(entry.row);
      if (place === undefined) continue;
      this.#addRow(place, entry);
      pi.add(n + place, entry.column, entry.address, 1, 1);
      pi.add(n + place, n + entry.column, entry.address, 1, 1);
    }
    const positions = this.#partition.placesOfPositions(0);
    for (const entry of rates) {
      const place = positions.get(entry.row);
      if (place === undefined) continue;
      this.#addRow(m + place, entry);
      pi.add(3 * n + m + place, entry.column, entry.address, -1, 1);
      pi.add(3 * n + m + place, n + entry.column, entry.address, -1, 1);
    }
  }

  /** Adds an entry in the rows of A d and A e. */
  #addRow(place: number, { column, address }: MatrixEntry): void {
    const { velocities: n } = this.#system.coordinates;
    const { biasOffset, gyroscopicOffset } = this.#derivatives;
    const second = n + this.#partition.chosenRows + place;
    const pi = this.#pi;
    for (const at of [column, n + column]) {
      pi.add(place, at, address, -1, 1);
      pi.add(second, at, address, -1, 1);
      pi.add(second, at, address + biasOffset, -1, 2);
    }
    pi.add(second, n + column, address + gyroscopicOffset, -1, 1);
  }

  /** Returns the address of the copy of a value. */
  #copied(address: Address): Address {
    const index = this.#count[0]!;
    this.#sourceList[index] = address;
    this.#count[0] = index + 1;
    return this.#copies + 8 * index;
  }
}
