import type { Address } from "../../base/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../base/memory/stiff-memory.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { failed, statusIndex } from "../../base/wasm/status.js";
import { SparseMatrix } from "./sparse-lu.js";

/** Solves with a {@link PowerMatrix} for one alpha. */
export interface PowerSolver {
  /** Scales by which rows of right-hand sides must be multiplied before {@link solve}. */
  readonly scales: Address;
  /** Factors for alpha = real + i imaginary. Returns -1, or the row at which it is singular. */
  factor(real: number, imaginary: number): number;
  /** x = A^-1 x. Complex vectors consist of all real parts, then all imaginary ones. */
  solve(x: Address): void;
}

/**
 * A sparse matrix whose entries are factor alpha^power value. Real and complex solvers use the same pivots: those of
 * the real matrix. Rows are scaled to their largest entry.
 */
export class PowerMatrix {
  readonly #matrix: SparseMatrix;
  readonly #name: string;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #powers: Address;
  readonly #factors: Address;
  #powerList = new Int32Array(0);
  #factorList = new Float64Array(0);

  /** `most` limits the entries, and `capacity` the nonzeros of L and of U. */
  constructor(workspace: Workspace, name: string, size: number, most: number, capacity?: number) {
    this.#workspace = workspace;
    this.#name = name;
    this.#stiff = stiffMemory(workspace);
    this.#matrix = new SparseMatrix(workspace, name, size, most, capacity);
    const powers = workspace.reserve(`powers of alpha in ${name}`, Math.ceil(most / 2));
    const factors = workspace.reserve(`factors in ${name}`, most);
    this.#powers = powers.address;
    this.#factors = factors.address;
    workspace.whenSealed((arena) => {
      this.#powerList = arena.integers(powers);
      this.#factorList = arena.floats(factors);
    });
  }

  clear(): void {
    this.#matrix.clear();
  }

  add(row: number, column: number, address: Address, factor: number, power: 0 | 1 | 2): void {
    const index = this.#matrix.count;
    this.#matrix.add(row, column, address, factor);
    this.#powerList[index] = power;
    this.#factorList[index] = factor;
  }

  /** Returns a solver with its own factor. Reserves memory. */
  solver(complex: boolean): PowerSolver {
    return complex ? this.#complex() : this.#real();
  }

  #real(): PowerSolver {
    const scales = this.#scales("");
    const matrix = this.#matrix;
    return {
      scales,
      factor: (real) => this.#factorReal(real, scales),
      solve: (x) => matrix.solve(x, x),
    };
  }

  #complex(): PowerSolver {
    const scales = this.#scales("complex ");
    const matrix = this.#matrix;
    const twin = matrix.complexTwin();
    const stiff = this.#stiff;
    return {
      scales,
      factor: (real, imaginary) => {
        const { kernels } = stiff;
        if (!matrix.isChosen) {
          const row = this.#factorReal(Math.sqrt(real * real + imaginary * imaginary), scales);
          if (row >= 0) return row;
        }
        const table = twin.take();
        kernels.complexSparseShift(table, real, imaginary, this.#powers, this.#factors, scales);
        const status = kernels.complexSparseLuFactor(table);
        return failed(status) ? statusIndex(status) : -1;
      },
      solve: (x) => stiff.kernels.complexSparseLuSolve(twin.take(), x, x),
    };
  }

  #factorReal(alpha: number, scales: Address): number {
    const { kernels } = this.#stiff;
    kernels.sparseShift(this.#matrix.table, alpha, this.#powers, this.#factors, scales);
    return this.#matrix.factor();
  }

  #scales(kind: string): Address {
    return this.#workspace.vector(`scales of rows of ${kind}${this.#name}`, this.#matrix.size);
  }
}
