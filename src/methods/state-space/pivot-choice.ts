import { FullPivotLuHeader, fullPivotLuSlots } from "../../../assembly/layout.js";
import type { Address, Segment } from "../../ground/memory/arena.js";
import { failed } from "../../ground/wasm/status.js";
import type { SparseEquations, System } from "../../seam/index.js";

/** Which rows and columns of the Jacobian by positions have pivots. */
export interface Pivots {
  readonly rank: number;
  /** Rows of constraints that have one, and those that have none. */
  readonly chosen: number[];
  readonly left: readonly number[];
  /** Positions that have none: independent ones. */
  readonly free: number[];
}

/** Finds pivots of the constraints and of the lengths of Euler parameters by all positions, at the trial state. */
export interface PivotChoice {
  choose(equations: SparseEquations, weights: readonly number[]): Pivots;
}

/** For systems without constraints and Euler parameters: all positions are independent. */
export function noPivots(positions: number): PivotChoice {
  return {
    choose: () => ({
      rank: 0,
      chosen: [],
      left: [],
      free: Array.from({ length: positions }, (_, i) => i),
    }),
  };
}

/**
 * By complete pivoting of a dense matrix: the best choice, for small systems. Rows are scaled to their largest number, or
 * by the size the system gives, columns by the weights; columns of pinned positions are zero.
 */
export class DensePivots implements PivotChoice {
  readonly #system: System;
  readonly #pinned: readonly number[];
  readonly #tolerance: number;
  readonly #matrix: Segment;
  readonly #factor: Segment;
  #view = new Float64Array(0);
  #order = new Float64Array(0);
  /** All memory. */
  #numbers = new Float64Array(0);

  constructor(system: System, pinned: readonly number[], tolerance: number) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    const all = system.constraints.rows + positions - velocities;
    this.#system = system;
    this.#pinned = pinned;
    this.#tolerance = tolerance;
    this.#matrix = workspace.reserve("Jacobian by positions", all * positions);
    this.#factor = workspace.reserve("partition", fullPivotLuSlots(all, positions));
    workspace.whenSealed((arena) => {
      this.#view = arena.floats(this.#matrix);
      this.#order = arena.floats(this.#factor);
      this.#numbers = new Float64Array(arena.memory.buffer as ArrayBuffer);
    });
  }

  choose(equations: SparseEquations, weights: readonly number[]): Pivots {
    const system = this.#system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    const all = rows + positions - velocities;
    this.#write(equations, weights);
    const { address } = this.#matrix;
    const record = this.#factor.address;
    const { kernels } = system.workspace;
    const status = kernels.fullPivotLuFactor(all, positions, address, all, this.#tolerance, record);
    if (failed(status)) throw system.errorFor(status, "");
    const order = this.#order;
    const rank = order[FullPivotLuHeader.RANK] as number;
    const first = FullPivotLuHeader.SLOTS;
    const ofConstraints = (from: number, to: number) =>
      [...order.subarray(first + from, first + to)].filter((row) => row < rows);
    return {
      rank,
      chosen: ofConstraints(0, rank),
      left: ofConstraints(rank, all),
      free: [...order.subarray(first + all + rank, first + all + positions)],
    };
  }

  /** The matrix by columns: constraints, then lengths of Euler parameters. */
  #write(equations: SparseEquations, weights: readonly number[]): void {
    const { jacobian, rates, eulerParameterStarts } = equations;
    const { trial } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    const all = rows + positions - velocities;
    const valueAt = (address: Address) => this.#numbers[address / 8]!;
    const matrix = this.#view.fill(0);
    // A velocity is a sum of rates of positions, by T^+ = T^T / scale^2.
    const ofVelocity = new Map<number, { position: number; factor: number }[]>();
    for (const { row, column, address, scale } of rates) {
      const factor = valueAt(address) / scale;
      const list = ofVelocity.get(column) ?? [];
      list.push({ position: row, factor });
      ofVelocity.set(column, list);
    }
    for (const { row, column, address, scale } of jacobian) {
      const value = scale * valueAt(address);
      for (const { position, factor } of ofVelocity.get(column) ?? []) {
        matrix[row + position * all]! += value * factor * weights[position]!;
      }
    }
    eulerParameterStarts.forEach((first, k) => {
      for (let i = first; i < first + 4; i++) {
        matrix[rows + k + i * all] = valueAt(trial.q + 8 * i) * weights[i]!;
      }
    });
    const sizes = equations.rowSizes?.();
    for (let i = 0; i < all; i++) {
      let largest = sizes?.[i] ?? 0;
      for (let j = 0; j < positions; j++) {
        largest = Math.max(largest, Math.abs(matrix[i + j * all]!));
      }
      for (let j = 0; j < positions && largest > 0; j++) matrix[i + j * all]! /= largest;
    }
    for (const position of this.#pinned) matrix.fill(0, position * all, (position + 1) * all);
  }
}
