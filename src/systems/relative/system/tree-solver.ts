import { Status } from "../../../../assembly/layout.js";
import { ForcePart, Rank, Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import { failed, statusCode } from "../../../ground/wasm/status.js";
import type { ConstraintSolver, SolverKind } from "../../../seam/index.js";
import type { RankKnowledge } from "../../bodies/system/rank-knowledge.js";
import { CORRECTIONS, DEPENDENT, PIVOT_TOLERANCE } from "../../bodies/system/sparse-solver.js";
import type { RelativeQuantities } from "./quantities.js";

const ADVICE = "use a method that accepts redundant constraints, such as udwadiaKalaba()";
/** The forces of all laws; gravity and gyroscopic forces are in the bias of the tree. */
export const LAWS = ForcePart.CONSERVATIVE | ForcePart.OTHER | ForcePart.WITHOUT_GRAVITY;

/**
 * Solves along the tree: M^-1 by articulated bodies, and the rows that remain block sparse. Cost is linear in the number
 * of bodies for trees, and for loops that share no long branch.
 */
export class TreeSolver implements ConstraintSolver {
  readonly kind: SolverKind;
  readonly stages: ConstraintSolver["stages"];
  readonly #system: RelativeQuantities;
  readonly #ranks: RankKnowledge;
  readonly #scratch: Address;
  readonly #step: Address;
  /** That of the factor. */
  #compliance = 0;

  constructor(system: RelativeQuantities, ranks: RankKnowledge, kind: "auto" | "cholesky") {
    this.kind = kind;
    this.#system = system;
    this.#ranks = ranks;
    this.#scratch = system.workspace.vector("accelerations of a solve", system.velocities);
    const { rows, hasLoads } = system;
    this.stages =
      rows > 0 || hasLoads ? undefined : (t, h, step) => system.explicitStages(t, h, step);
    this.#step = system.workspace.vector("step of a solve", system.velocities);
  }

  factor(): void {
    const system = this.#system;
    system.requireInertia();
    if (system.rows === 0) return;
    const slot = system.bodies.factor;
    system.bodies.require(Want.PHI | Want.JACOBIAN | (system.isForeseen ? Want.RATES : 0));
    const { compliance } = this.#ranks;
    const isKnown = slot.generation === system.generation && this.#compliance === compliance;
    if (slot.owner === this && (slot.isKept || isKnown)) return;
    const { kernels, table } = system;
    this.#compliance = compliance;
    const status = kernels.treeRowFactor(table, this.#rank, compliance, PIVOT_TOLERANCE);
    slot.owner = undefined;
    if (failed(status)) throw system.errorFor(status, ADVICE);
    if (this.kind === "cholesky" && statusCode(status) === Status.DEFICIENT) {
      throw system.errorFor(status, ADVICE);
    }
    slot.owner = this;
    slot.generation = system.generation;
  }

  keepFactor(): void {
    this.dropFactor();
    this.factor();
    this.#system.bodies.factor.isKept = true;
  }

  dropFactor(): void {
    this.#system.bodies.factor.isKept = false;
  }

  massSolve(b: Address, x: Address): void {
    const system = this.#system;
    system.requireInertia();
    system.check(system.kernels.treeSolve(system.table, 0, 0, b, x));
  }

  accelerate(right: Address, out: Address): void {
    this.#accelerate(right, out, 0);
  }

  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void {
    this.#accelerate(right, out, 0);
    const { kernels, table } = this.#system;
    const [fresh, corrections] = [this.#fresh, this.#corrections];
    this.#check(kernels.treeMinnorm(table, fresh, corrections, r, v, corrected, this.#step));
  }

  minnorm(count: number, r: Address, x: Address, refined = true): void {
    this.factor();
    const { kernels, table, rows, velocities } = this.#system;
    const corrections = refined ? this.#corrections : 0;
    for (let i = 0; i < count; i++) {
      const [from, to] = [r + 8 * rows * i, x + 8 * velocities * i];
      this.#check(kernels.treeMinnorm(table, this.#fresh, corrections, from, 0, to, this.#step));
    }
  }

  multipliers(right: Address, lambda: Address): void {
    this.#accelerate(right, this.#scratch, lambda);
  }

  /** Accelerations and multipliers by one solve. */
  motion(right: Address, out: Address, lambda: Address): void {
    this.#accelerate(right, out, lambda);
  }

  /** Rows less those whose pivot vanishes. Leaves no factor behind. */
  rank(): number {
    const system = this.#system;
    if (system.rows === 0) return 0;
    system.requireInertia();
    system.bodies.require(Want.PHI | Want.JACOBIAN);
    system.bodies.factor.owner = undefined;
    const status = system.kernels.treeRowFactor(system.table, Rank.PLAIN, 0, DEPENDENT);
    if (failed(status)) throw system.errorFor(status, ADVICE);
    return system.pivots.reduce((sum, pivot) => sum + (pivot > 0 ? 1 : 0), 0);
  }

  get #rank(): Rank {
    return this.kind === "auto" ? this.#ranks.known : Rank.PLAIN;
  }

  /** 1 where the factor of the rows is that of this pose. */
  get #fresh(): number {
    const { owner, generation } = this.#system.bodies.factor;
    return owner === this && generation === this.#system.generation ? 1 : 0;
  }

  get #corrections(): number {
    const { owner, isKept } = this.#system.bodies.factor;
    return this.#rank !== Rank.PLAIN || (isKept && owner === this) ? CORRECTIONS : 0;
  }

  #accelerate(right: Address, out: Address, lambda: Address): void {
    const system = this.#system;
    if (system.rows === 0) {
      system.accelerations(system.loads(LAWS), out);
      return;
    }
    this.factor();
    system.requireBias();
    const loads = system.loads(LAWS);
    const { kernels, table } = system;
    const [fresh, corrections] = [this.#fresh, this.#corrections];
    this.#check(kernels.treeAccelerate(table, fresh, corrections, loads, right, out, lambda));
  }

  #check(status: number): void {
    if (failed(status)) throw this.#system.errorFor(status, ADVICE);
  }
}
