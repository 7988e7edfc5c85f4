import {
  type MassKind,
  SolverMethod,
  SolverSides,
  STATUS_BITS,
  Status,
  solverSlots,
} from "../../assembly/layout.js";
import { NodriftError } from "../base/errors.js";
import type { Address } from "../base/memory/arena.js";
import type { Workspace } from "../base/memory/workspace.js";
import { RankSearch } from "../base/rank-tolerance.js";
import type { DenseMemory } from "../base/wasm/dense.js";
import { failed } from "../base/wasm/status.js";
import type { ConstraintSolver, GeneralRank, SolverKind } from "../interfaces/index.js";

/** Interface of a dense solver to its system. */
export interface DenseSource {
  readonly workspace: Workspace;
  readonly velocities: number;
  readonly rows: number;
  readonly massKind: MassKind;
  /** Identifies the state: a new value for each call of `at`. */
  readonly generation: number;
  /** Counts factorisations. */
  factorisations: number;
  mass(): Address;
  jacobian(): Address;
  forces(): Address;
  gamma(): Address;
  /** The generic rank of the rows; undefined while it is unknown. */
  generalRank(): GeneralRank | undefined;
  /** Returns the error for a status. */
  errorFor(status: number, advice: string): Error;
}

/** Algorithms for dense matrices. */
export type DenseKind = Exclude<SolverKind, "auto">;

const METHODS: Record<DenseKind, SolverMethod> = {
  cod: SolverMethod.COD,
  svd: SolverMethod.SVD,
  "gram-schmidt": SolverMethod.GRAM_SCHMIDT,
  cholesky: SolverMethod.CHOLESKY,
  kkt: SolverMethod.KKT,
  penalty: SolverMethod.PENALTY,
};

/** Algorithms that need independent rows, and those that determine the rank. */
const NEEDS_INDEPENDENT: ReadonlySet<DenseKind> = new Set(["cholesky", "kkt"]);
const FINDS_RANK: ReadonlySet<DenseKind> = new Set(["cod", "svd", "gram-schmidt"]);

const ADVICE =
  'use a method that accepts redundant constraints, such as udwadiaKalaba({ solver: "cod" })';

/** Rejects settings that no solver supports. */
export function checkSolver(kind: SolverKind, tolerance: number): void {
  if (!Object.hasOwn(METHODS, kind)) {
    const kinds = Object.keys(METHODS).join(", ");
    throw new NodriftError("METHOD", `no solver is named "${kind}"; there are: ${kinds}`);
  }
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw new NodriftError("METHOD", `rank tolerance is ${tolerance}; give a number from 0 to 1`);
  }
}

/** Solves with dense matrices, by one of seven algorithms. */
export class DenseSolver implements ConstraintSolver {
  readonly refinesStages = false;
  readonly kind: SolverKind;
  readonly #source: DenseSource;
  readonly #dense: DenseMemory;
  readonly #method: SolverMethod;
  readonly #tolerance: number;
  readonly #record: Address;
  readonly #sides: Address;
  #sideList = new Int32Array(SolverSides.LENGTH);
  readonly #search = new RankSearch();
  readonly #needsIndependent: boolean;
  readonly #findsRank: boolean;
  #factored = -1;

  constructor(source: DenseSource, kind: DenseKind, tolerance: number, dense: DenseMemory) {
    this.kind = kind;
    this.#source = source;
    this.#dense = dense;
    this.#method = METHODS[kind];
    this.#tolerance = tolerance;
    this.#search.tolerance = tolerance;
    this.#needsIndependent = NEEDS_INDEPENDENT.has(kind);
    this.#findsRank = FINDS_RANK.has(kind);
    const slots = solverSlots(source.velocities, source.rows, this.#method);
    this.#record = source.workspace.vector(`${kind} solver`, slots);
    const sides = source.workspace.reserve(`sides of ${kind} solver`, SolverSides.LENGTH / 2);
    this.#sides = sides.address;
    source.workspace.whenSealed((arena) => {
      this.#sideList = arena.integers(sides);
    });
  }

  /** Every state is factored separately. */
  keepFactor(): void {}

  dropFactor(): void {}

  factor(): void {
    const source = this.#source;
    if (this.#factored === source.generation) return;
    const { velocities: n, rows: m, massKind } = source;
    const { kernels } = this.#dense;
    const search = this.#search;
    search.begin(this.#limit(), m, this.#tolerance);
    let isRightRank = false;
    while (!isRightRank) {
      const status = kernels.solverFactor(
        n,
        m,
        this.#method,
        massKind,
        search.tolerance,
        source.mass(),
        source.jacobian(),
        this.#record,
      );
      if (failed(status)) throw source.errorFor(status, ADVICE);
      source.factorisations++;
      isRightRank = !this.#findsRank || !search.again(this.#rank());
    }
    this.#factored = source.generation;
  }

  /**
   * Returns the maximum number of independent rows. Throws for algorithms that need all rows to be independent.
   * Rounding decides whether the pivot of a repeated row vanishes, so the pivots alone would reject some states and be
   * wrong at others.
   */
  #limit(): number {
    const source = this.#source;
    const { velocities: n, rows: m } = source;
    if (m === 0 || !(this.#findsRank || this.#needsIndependent)) return m;
    const known = source.generalRank();
    if (known === undefined || known.rank >= m) return m;
    if (this.#needsIndependent) {
      throw source.errorFor(Status.SINGULAR | ((n + known.repeated) << STATUS_BITS), ADVICE);
    }
    return known.rank;
  }

  massSolve(b: Address, x: Address): void {
    this.factor();
    const { velocities: n, rows, massKind } = this.#source;
    this.#check(this.#dense.kernels.solverMassSolve(n, rows, massKind, this.#record, b, x));
  }

  accelerate(right: Address, out: Address): void {
    this.rates(right, 0, 0, out, 0);
  }

  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void {
    const source = this.#source;
    const { velocities: n, rows: m, massKind, generation } = source;
    const { kernels } = this.#dense;
    const record = this.#record;
    const method = this.#method;
    if (this.#factored !== generation && this.#limit() < m) this.factor();
    // Must come first: forces that depend on multipliers factor to find them.
    const f = source.forces();
    if (this.#factored === source.generation) {
      this.#check(
        kernels.solverRates(n, m, method, massKind, record, f, right, r, v, out, corrected),
      );
      return;
    }
    const mass = source.mass();
    const jacobian = source.jacobian();
    const sides = this.#sideList;
    sides[SolverSides.FORCES] = f;
    sides[SolverSides.RIGHT] = right;
    sides[SolverSides.CORRECTION] = r;
    sides[SolverSides.VELOCITIES] = v;
    sides[SolverSides.OUT] = out;
    sides[SolverSides.CORRECTED] = corrected;
    const status = kernels.solverFactorRates(
      n,
      m,
      method,
      massKind,
      this.#tolerance,
      mass,
      jacobian,
      record,
      this.#sides,
    );
    this.#check(status);
    this.#search.tolerance = this.#tolerance;
    this.#factored = source.generation;
    source.factorisations++;
  }

  minnorm(count: number, r: Address, x: Address): void {
    this.factor();
    const { velocities: n, rows: m, massKind } = this.#source;
    const { kernels } = this.#dense;
    this.#check(kernels.solverMinnorm(n, m, this.#method, massKind, count, this.#record, r, x));
  }

  multipliers(right: Address, lambda: Address): void {
    this.factor();
    const { velocities: n, rows: m, massKind } = this.#source;
    const forces = this.#source.forces();
    const { kernels } = this.#dense;
    this.#check(
      kernels.solverMultipliers(n, m, this.#method, massKind, this.#record, forces, right, lambda),
    );
  }

  rank(): number {
    this.factor();
    return this.#rank();
  }

  #rank(): number {
    const { velocities: n, rows: m } = this.#source;
    const { kernels } = this.#dense;
    return kernels.solverRank(n, m, this.#method, this.#search.tolerance, this.#record);
  }

  #check(status: number): void {
    if (failed(status)) throw this.#source.errorFor(status, ADVICE);
  }
}
