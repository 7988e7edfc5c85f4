import {
  BasisKind,
  Status,
  TangentHeader,
  tangentBasis,
  tangentColumns,
  tangentDirections,
  tangentFrame,
  tangentSlots,
} from "../../../assembly/layout.js";
import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { RankSearch } from "../../base/rank-tolerance.js";
import { type DenseMemory, denseMemory } from "../../base/wasm/dense.js";
import type { DenseKernels } from "../../base/wasm/generated-dense.js";
import { failed, statusCode } from "../../base/wasm/status.js";
import type { DenseEquations, System } from "../../interfaces/index.js";

/** Method that computes a basis of the null space. */
export type Basis = "lu" | "svd" | "qr" | "gram-schmidt" | "zero-eigenvalue";

export const BASES: Readonly<Record<Basis, BasisKind>> = {
  lu: BasisKind.LU,
  svd: BasisKind.SVD,
  qr: BasisKind.QR,
  "gram-schmidt": BasisKind.GRAM_SCHMIDT,
  "zero-eigenvalue": BasisKind.EIGEN,
};

export const BASIS_NAMES = Object.keys(BASES) as readonly Basis[];

/** Returns the dense matrices of a system; throws if it has none. */
export function denseOf(system: System): DenseEquations {
  if (system.matrices.dense) return system.matrices.dense;
  throw new NodriftError("METHOD", "this formulation needs dense matrices");
}

/** Coordinates are kept while the slope of the others grows by at most this factor over its first value, or over 1. */
const MAX_SLOPE_GROWTH = 1.25;

const ADVICE = "use a basis that takes dependent constraints, like svd or qr, or a shorter step";

/**
 * The null space of the constraints, or of the first of them, in the memory of a system: a record and
 * the kernels that work on it.
 */
export class Tangent {
  /** Number of velocities. */
  readonly size: number;
  readonly #system: System;
  readonly #dense: DenseMemory;
  /** Number of rows whose null space is computed. */
  readonly #rows: number;
  readonly #record: Address;
  readonly #search = new RankSearch();
  #header = new Float64Array(TangentHeader.SLOTS);
  #columns = new Float64Array(0);

  constructor(system: System, name: string, rows = system.constraints.rows) {
    const { workspace } = system;
    const { velocities: n } = system.coordinates;
    this.size = n;
    this.#system = system;
    this.#dense = denseMemory(workspace);
    this.#rows = rows;
    const segment = workspace.reserve(name, tangentSlots(n, rows));
    this.#record = segment.address;
    workspace.whenSealed((arena) => {
      this.#header = arena.floats({ ...segment, slots: TangentHeader.SLOTS });
      const address = segment.address + 8 * tangentColumns(rows);
      this.#columns = arena.floats({ ...segment, address, slots: n });
    });
  }

  get kernels(): DenseKernels {
    return this.#dense.kernels;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Address of the basis: n - rank columns. */
  get basis(): Address {
    return this.#record + 8 * tangentBasis(this.size, this.#rows);
  }

  /** Address of the frame last factored: rows, orthonormalised, then the basis. */
  get orthonormal(): Address {
    return this.#record + 8 * tangentFrame(this.size, this.#rows);
  }

  get rank(): number {
    return this.#header[TangentHeader.RANK] as number;
  }

  /** Indices of the coordinates of a partition: the dependent ones, then the independent ones. */
  get columns(): Float64Array {
    return this.#columns;
  }

  /** Smallest pivot of the directions in the frame last factored. */
  get pivot(): number {
    return this.#header[TangentHeader.PIVOT] as number;
  }

  /** Whether a choice has been made that includes all rows, and so may be kept. */
  get isComplete(): boolean {
    return this.#header[TangentHeader.CHOSEN] === 1 && this.rank === this.#rows;
  }

  /** Largest slope of a dependent over an independent coordinate. */
  get slope(): number {
    return this.#header[TangentHeader.SLOPE] as number;
  }

  /** The slope when the choice was made. */
  get slopeAtFirst(): number {
    return this.#header[TangentHeader.REFERENCE] as number;
  }

  /** Chooses rows and computes a basis of the null space. */
  choose(kind: BasisKind, tolerance: number, jacobian: Address, keep = false, pinned = 0): void {
    const { kernels, size: n } = this;
    const mass = kind === BasisKind.LU ? denseOf(this.#system).mass() : 0;
    const keeping = keep ? 1 : 0;
    const search = this.#search;
    search.begin(this.#limit(), this.#rows, tolerance);
    do {
      this.#check(
        kernels.tangentChoose(
          n,
          this.#rows,
          kind,
          keeping,
          search.tolerance,
          jacobian,
          mass,
          pinned,
          this.#record,
        ),
      );
    } while (search.again(this.rank));
  }

  /** Returns the number of rows that may be independent; all rows if it is not known for a subset. */
  #limit(): number {
    if (this.#rows < this.#system.constraints.rows) return this.#rows;
    return denseOf(this.#system).generalRank()?.rank ?? this.#rows;
  }

  /** Factors the smooth frame of rows and directions. Returns false if a direction lies in the row space. */
  frame(jacobian: Address): boolean {
    const { kernels, size: n } = this;
    const status = kernels.frameFactor(n, this.#rows, jacobian, this.#record);
    if (statusCode(status) === Status.NO_CONVERGENCE) return false;
    this.#check(status);
    return true;
  }

  /** The present frame becomes the directions. */
  adoptFrame(): void {
    const { size: n } = this;
    const frame = this.#record + 8 * tangentFrame(n, this.#rows);
    const directions = this.#record + 8 * tangentDirections(n, this.#rows);
    this.#system.workspace.kernels.copyVector(n * n, frame, directions);
  }

  /** x = the minimum-norm solution of J x = scale right. */
  frameParticular(scale: number, right: Address, x: Address): void {
    const { kernels, size: n } = this;
    kernels.frameParticular(n, this.#rows, this.#record, scale, right, x);
  }

  /** out = (derivative of the basis)^T x. */
  frameRate(jacobianRate: Address, x: Address, out: Address): void {
    const { kernels, size: n } = this;
    kernels.frameRate(n, this.#rows, jacobianRate, this.#record, x, out);
  }

  /** Factors the dependent block. Returns false if it is singular. */
  partition(rotated: number, jacobian: Address): boolean {
    const { kernels, size: n } = this;
    const status = kernels.partitionFactor(n, this.#rows, rotated, jacobian, this.#record);
    if (statusCode(status) === Status.SINGULAR) return false;
    this.#check(status);
    return true;
  }

  /** Factors the present partition. Returns false if its coordinates have become bad or dependent. */
  isPartitionGood(jacobian: Address): boolean {
    return (
      this.isComplete &&
      this.partition(0, jacobian) &&
      this.slope <= MAX_SLOPE_GROWTH * Math.max(1, this.slopeAtFirst)
    );
  }

  /** Keeps the present partition while it is good, and rechooses it otherwise. */
  keepPartition(tolerance: number, jacobian: Address): void {
    if (!this.isPartitionGood(jacobian)) this.choose(BasisKind.LU, tolerance, jacobian);
  }

  /** x = the solution in dependent directions of J x = scale right. */
  partitionParticular(rotated: number, scale: number, right: Address, x: Address): void {
    const { kernels, size: n } = this;
    this.#check(kernels.partitionParticular(n, this.#rows, rotated, this.#record, scale, right, x));
  }

  /** e = the independent part of x. */
  partitionTake(rotated: number, x: Address, e: Address): void {
    const { kernels, size: n } = this;
    kernels.partitionTake(n, this.#rows, rotated, this.#record, x, e);
  }

  /** x += basis e. */
  add(e: Address, x: Address): void {
    const { kernels, size: n } = this;
    kernels.tangentAdd(n, this.#rows, this.#record, e, x);
  }

  /** e = basis^T x. */
  take(x: Address, e: Address): void {
    const { kernels, size: n } = this;
    kernels.tangentTake(n, this.#rows, this.#record, x, e);
  }

  /** Basis = L^-T basis, with the Cholesky factor of a mass matrix. */
  unwhiten(factor: Address): void {
    const { kernels, size: n } = this;
    const basis = this.#record + 8 * tangentBasis(n, this.#rows);
    this.#check(kernels.choleskyBackward(n, n - this.rank, factor, basis, n, basis, n));
  }

  /** Solves Maggi's equations for zeta, and adds the given particular accelerations. */
  accelerate(particular: Address, zeta: Address, out: Address): void {
    const { kernels, size: n } = this;
    const mass = denseOf(this.#system).mass();
    const forces = this.#system.dynamics.forces();
    this.#check(
      kernels.reducedAccelerate(n, this.#rows, this.#record, mass, forces, particular, zeta, out),
    );
  }

  /** Solves the null space equations (14). */
  accelerateBoth(right: Address, out: Address): void {
    const { kernels, size: n } = this;
    const dense = denseOf(this.#system);
    const [jacobian, mass] = [dense.jacobian(), dense.mass()];
    const forces = this.#system.dynamics.forces();
    this.#check(
      kernels.nullSpaceAccelerate(n, this.#rows, jacobian, mass, forces, right, this.#record, out),
    );
  }

  /**
   * Solves Aghili's equation, for an orthonormal basis and the minimum-norm accelerations that satisfy the
   * constraints.
   */
  accelerateProjected(particular: Address, out: Address): void {
    const { kernels, size: n } = this;
    const mass = denseOf(this.#system).mass();
    const forces = this.#system.dynamics.forces();
    this.#check(
      kernels.projectedAccelerate(n, this.#rows, this.#record, mass, forces, particular, out),
    );
  }

  #check(status: number): void {
    if (failed(status)) throw this.#system.errorFor(status, ADVICE);
  }
}
