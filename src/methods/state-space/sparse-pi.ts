import type { Address } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import { failed } from "../../ground/wasm/status.js";
import type { ShiftedSolver } from "../../seam/index.js";
import { SparseMatrix } from "../newton/sparse-lu.js";

/** Where a matrix of {@link SparsePi} has b1, b2 and x2: first rows, and the first column. */
export interface PiPlaces {
  readonly size: number;
  readonly unknowns: number;
  readonly first: number;
  readonly second: number;
  readonly result: number;
}

/**
 * Solves with I - alpha df/dy by one sparse matrix whose entries are factor alpha^power value
 * (sparse-jacobian.ts). Real and complex solvers have the same pivots: those of the real matrix.
 */
export class SparsePi {
  readonly matrix: SparseMatrix;
  readonly #places: PiPlaces;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #powers: Address;
  readonly #factors: Address;
  #powerList = new Int32Array(0);
  #factorList = new Float64Array(0);

  /** For at most `most` entries, and `capacity` numbers in L and in U. */
  constructor(workspace: Workspace, places: PiPlaces, most: number, capacity: number) {
    this.#workspace = workspace;
    this.#places = places;
    this.#stiff = stiffMemory(workspace);
    this.matrix = new SparseMatrix(workspace, "Pi", places.size, most, capacity);
    const powers = workspace.reserve("powers of alpha in Pi", Math.ceil(most / 2));
    const factors = workspace.reserve("factors in Pi", most);
    this.#powers = powers.address;
    this.#factors = factors.address;
    workspace.whenSealed((arena) => {
      this.#powerList = arena.integers(powers);
      this.#factorList = arena.floats(factors);
    });
  }

  clear(): void {
    this.matrix.clear();
  }

  add(row: number, column: number, address: Address, factor: number, power: 0 | 1 | 2): void {
    const index = this.matrix.count;
    this.matrix.add(row, column, address, factor);
    this.#powerList[index] = power;
    this.#factorList[index] = factor;
  }

  shifted(complex: boolean): ShiftedSolver {
    return complex ? this.#complex() : this.#real();
  }

  #real(): ShiftedSolver {
    const { size, unknowns, first, second, result } = this.#places;
    const right = this.#workspace.vector("right side of sparse Pi", size);
    const scales = this.#workspace.vector("scales of rows of sparse Pi", size);
    const alpha = this.#numbers("alpha of sparse Pi", 1);
    const { matrix } = this;
    const stiff = this.#stiff;
    return {
      factor: (real) => {
        alpha.values[0] = real;
        return this.#factorReal(real, scales);
      },
      solve(b, x) {
        const { kernels } = stiff;
        const real = alpha.values[0]!;
        kernels.sparsePiRight(unknowns, real, b, first, second, size, scales, right);
        matrix.solve(right, right);
        kernels.sparsePiTake(unknowns, real, b, right + 8 * result, x);
      },
    };
  }

  #complex(): ShiftedSolver {
    const { size, unknowns, first, second, result } = this.#places;
    const twin = this.matrix.complexTwin();
    const right = this.#workspace.vector("right side of complex sparse Pi", 2 * size);
    const scales = this.#workspace.vector("scales of rows of complex sparse Pi", size);
    const alpha = this.#numbers("alpha of complex sparse Pi", 2);
    const stiff = this.#stiff;
    return {
      factor: (real, imaginary) => {
        const { kernels } = stiff;
        alpha.values[0] = real;
        alpha.values[1] = imaginary;
        if (!this.matrix.isChosen) {
          const size = Math.sqrt(real * real + imaginary * imaginary);
          if (!this.#factorReal(size, scales)) return false;
        }
        const table = twin.take();
        kernels.complexSparseShift(table, real, imaginary, this.#powers, this.#factors, scales);
        return !failed(kernels.complexSparseLuFactor(table));
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
          scales,
          right,
        );
        kernels.complexSparseLuSolve(twin.take(), right, right);
        kernels.complexSparsePiTake(unknowns, real, imaginary, b, size, right + 8 * result, x);
      },
    };
  }

  #factorReal(alpha: number, scales: Address): boolean {
    const { kernels } = this.#stiff;
    kernels.sparseShift(this.matrix.table, alpha, this.#powers, this.#factors, scales);
    return this.matrix.factor() < 0;
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
