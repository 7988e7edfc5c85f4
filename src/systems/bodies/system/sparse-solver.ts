import { STATUS_BITS, Status } from "../../../../assembly/layout.js";
import { Rank, Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import { failed, statusCode } from "../../../base/wasm/status.js";
import type { ConstraintSolver, SolverKind } from "../../../interfaces/index.js";
import type { RankKnowledge } from "./loop-ranks.js";
import type { BodyQuantities } from "./quantities.js";

/** Pivots below this fraction of S_jj are rounding errors. */
export const PIVOT_TOLERANCE = 1e-15;
/** Pivots below this fraction of S_jj make a row dependent, when the rank is computed. */
export const DEPENDENT_PIVOT = 1e-9;
/** Number of corrections by residuals after a solve with a factor that is not exact. */
export const RESIDUAL_CORRECTIONS = 2;

const ADVICE = "use a method that accepts redundant constraints, such as udwadiaKalaba()";

/** Converts the status of a factor of rows known to be dependent: names the row whose pivot was lost, if one was. */
export function dependentStatus(status: number): number {
  const code = statusCode(status);
  if (code === Status.OK) return Status.DEFICIENT | (-1 << STATUS_BITS);
  return code === Status.NOT_POSITIVE ? status - code + Status.DEFICIENT : status;
}

/**
 * Block sparse solver: cost is linear in the number of bodies for chains, trees and ladders of loops. "auto" handles
 * redundant and singular constraints (assembly/bodies/loop-block.ts); "cholesky" rejects dependent rows.
 */
export class SparseSolver implements ConstraintSolver {
  readonly refinesStages = false;
  readonly kind: SolverKind;
  readonly #system: BodyQuantities;
  readonly #ranks: RankKnowledge;
  readonly #scratch: Address;

  constructor(system: BodyQuantities, ranks: RankKnowledge, kind: "auto" | "cholesky") {
    this.kind = kind;
    this.#system = system;
    this.#ranks = ranks;
    this.#scratch = system.workspace.vector("accelerations of a solve", system.velocities);
  }

  factor(): void {
    const system = this.#system;
    const slot = system.factor;
    system.require(Want.PHI | Want.JACOBIAN);
    if (slot.owner === this && (slot.isKept || slot.generation === system.generation)) return;
    const { kernels, table } = system;
    const { compliance } = this.#ranks;
    const needsIndependent = this.kind === "cholesky";
    // Rows known to repeat others are rejected regardless of the rounding of their pivots: the tolerance serves to
    // name one.
    const isRefused = needsIndependent && this.#ranks.isRedundant;
    const tolerance = isRefused ? DEPENDENT_PIVOT : PIVOT_TOLERANCE;
    const status = kernels.bodyFactor(table, this.#rank, compliance, tolerance);
    system.factorisations++;
    slot.owner = undefined;
    if (isRefused || (needsIndependent && statusCode(status) === Status.DEFICIENT)) {
      throw system.errorFor(dependentStatus(status), ADVICE);
    }
    if (failed(status)) throw system.errorFor(status, ADVICE);
    slot.owner = this;
    slot.generation = system.generation;
  }

  keepFactor(): void {
    this.dropFactor();
    this.factor();
    this.#system.factor.isKept = true;
  }

  dropFactor(): void {
    this.#system.factor.isKept = false;
  }

  massSolve(b: Address, x: Address): void {
    this.#system.kernels.bodyMassSolve(this.#system.table, b, x);
  }

  accelerate(right: Address, out: Address): void {
    this.#accelerate(right, out, 0);
  }

  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void {
    this.#accelerate(right, out, 0);
    const { kernels, table } = this.#system;
    this.#check(kernels.bodyMinnorm(table, this.#corrections, r, v, corrected));
  }

  minnorm(count: number, r: Address, x: Address, refined = true): void {
    this.factor();
    const { kernels, table, rows, velocities } = this.#system;
    const corrections = refined ? this.#corrections : 0;
    for (let i = 0; i < count; i++) {
      const from = r + 8 * rows * i;
      const to = x + 8 * velocities * i;
      this.#check(kernels.bodyMinnorm(table, corrections, from, 0, to));
    }
  }

  multipliers(right: Address, lambda: Address): void {
    this.#accelerate(right, this.#scratch, lambda);
  }

  /** Number of rows minus the number of vanishing pivots. Leaves no factor. */
  rank(): number {
    const system = this.#system;
    system.require(Want.PHI | Want.JACOBIAN);
    system.factor.owner = undefined;
    const status = system.kernels.bodyFactor(system.table, Rank.PLAIN, 0, DEPENDENT_PIVOT);
    if (failed(status)) throw system.errorFor(status, ADVICE);
    return system.arrays.pivots.reduce((sum, pivot) => sum + (pivot > 0 ? 1 : 0), 0);
  }

  get #rank(): Rank {
    return this.kind === "auto" ? this.#ranks.known : Rank.PLAIN;
  }

  /** Without loops the factor is exact and needs no corrections. */
  get #corrections(): number {
    return this.#rank !== Rank.PLAIN || this.#isKept ? RESIDUAL_CORRECTIONS : 0;
  }

  get #isKept(): boolean {
    const { owner, isKept } = this.#system.factor;
    return isKept && owner === this;
  }

  #accelerate(right: Address, out: Address, lambda: Address): void {
    this.factor();
    const system = this.#system;
    const { kernels, table } = system;
    const forces = system.forces();
    this.#check(kernels.bodyAccelerate(table, this.#corrections, forces, right, out, lambda));
  }

  #check(status: number): void {
    if (failed(status)) throw this.#system.errorFor(status, ADVICE);
  }
}
