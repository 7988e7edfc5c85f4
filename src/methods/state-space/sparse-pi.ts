import type { Address } from "../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import type { ShiftedSolver } from "../../seam/index.js";
import { PowerMatrix } from "../newton/power-matrix.js";

/** Where a matrix of {@link SparsePi} has b1, b2 and x2: first rows, and the first column. */
export interface PiPlaces {
  readonly size: number;
  readonly unknowns: number;
  readonly first: number;
  readonly second: number;
  readonly result: number;
}

/** Solves with I - alpha df/dy by one sparse matrix of powers of alpha (sparse-jacobian.ts). */
export class SparsePi {
  readonly #matrix: PowerMatrix;
  readonly #places: PiPlaces;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;

  /** For at most `most` entries, and `capacity` numbers in L and in U. */
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
