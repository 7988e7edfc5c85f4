import { Status } from "../../../../assembly/layout.js";
import { Rank, Want } from "../../../../assembly/layout-bodies.js";
import { StageSetting } from "../../../../assembly/layout-tree.js";
import type { Address } from "../../../base/memory/arena.js";
import { failed, statusCode } from "../../../base/wasm/status.js";
import type {
  ClosedStages,
  ConstraintSolver,
  ExplicitStages,
  FusedSolver,
  ResidualBounds,
  SolverKind,
} from "../../../interfaces/index.js";
import type { RankKnowledge } from "../../bodies/system/loop-ranks.js";
import {
  DEPENDENT_PIVOT,
  dependentStatus,
  PIVOT_TOLERANCE,
  RESIDUAL_CORRECTIONS,
} from "../../bodies/system/sparse-solver.js";
import { fusedTree, LAWS, type RelativeQuantities } from "./quantities.js";

/**
 * Batches of fewer steps do not pay. After such a batch the next steps are taken one by one: twice as many each time,
 * up to a maximum.
 */
const MIN_BATCH = 4;
const MAX_SINGLE_STEPS = 63;
const ADVICE = "use a method that accepts redundant constraints, such as udwadiaKalaba()";
/**
 * Solves along the tree: M^-1 by articulated bodies, and the rows that remain block sparse. Cost is linear in the number
 * of bodies for trees, and for loops that share no long branch.
 */
export class TreeSolver implements ConstraintSolver {
  readonly kind: SolverKind;
  readonly fused?: FusedSolver;
  readonly closed?: ClosedStages;
  /**
   * Away from singular poses a solve is exact and not refined. Near them compliance leaves a part of each correction:
   * a four-bar that is in line in each revolution ends up to 1.3e-6 m off after 10 s without, 7e-7 m with it.
   */
  readonly refinesStages = true;
  readonly #system: RelativeQuantities;
  readonly #ranks: RankKnowledge;
  readonly #scratch: Address;
  readonly #step: Address;
  readonly #gamma: Address;
  readonly #settingsAddress: Address;
  #settings = new Float64Array(0);
  /** Compliance of the factor. */
  #compliance = 0;
  /** Allowed error of the end of the last stages, if it is met. */
  #closed: ResidualBounds | undefined;
  /** Steps that failed in a batch and are taken one by one: the last number, and those remaining. */
  readonly #alone = { last: 0, left: 0 };

  constructor(system: RelativeQuantities, ranks: RankKnowledge, kind: "auto" | "cholesky") {
    this.kind = kind;
    this.#system = system;
    this.#ranks = ranks;
    this.#scratch = system.workspace.vector("accelerations of a solve", system.velocities);
    const { rows } = system;
    if (rows > 0) {
      this.closed = {
        stages: (t, h, step, left) => this.#closedStages(t, h, step, left),
        steps: (t, h, count, step, left) => this.#closedSteps(t, h, count, step, left),
        close: (t, left) => this.#close(t, left),
        isClosed: (left) => this.#closed === left && this.#isFactored(this.#compliance),
      };
    } else if (system.canFuse) this.fused = fusedTree(system);
    this.#step = system.workspace.vector("step of a solve", system.velocities);
    this.#gamma = system.workspace.vector("gamma of stages", rows);
    const settings = system.workspace.reserve("settings of stages", StageSetting.LENGTH);
    this.#settingsAddress = settings.address;
    system.workspace.whenSealed((arena) => {
      this.#settings = arena.floats(settings);
    });
  }

  factor(): void {
    const system = this.#system;
    system.requireInertia();
    if (system.rows === 0) return;
    const slot = system.bodyQuantities.factor;
    system.bodyQuantities.require(Want.PHI | Want.JACOBIAN | (system.isForeseen ? Want.RATES : 0));
    const { compliance } = this.#ranks;
    if ((slot.isKept && slot.owner === this) || this.#isFactored(compliance)) return;
    const { kernels, table } = system;
    this.#compliance = compliance;
    const needsIndependent = this.kind === "cholesky";
    const isRefused = needsIndependent && this.#ranks.isRedundant;
    const tolerance = isRefused ? DEPENDENT_PIVOT : PIVOT_TOLERANCE;
    const status = kernels.treeRowFactor(table, this.#rank, compliance, tolerance);
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
    this.#system.bodyQuantities.factor.isKept = true;
  }

  dropFactor(): void {
    this.#system.bodyQuantities.factor.isKept = false;
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

  #closedStages(
    t: number,
    h: number,
    { first, count, tableau, nodes, slopes }: ExplicitStages,
    left: ResidualBounds,
  ): number {
    const system = this.#system;
    if (!system.areKernelsEnough) return first;
    system.beginStages(t, nodes);
    const { kernels, table, state } = system;
    // The end of the previous step is the first stage.
    if (first === 0) system.load(t);
    const known = this.#begin(left);
    const done = kernels.treeRowStages(
      table,
      // Later stages are not at the trial state.
      first === 0 ? known : 0,
      first,
      count,
      h,
      state.q,
      tableau,
      slopes,
      this.#gamma,
      this.#settingsAddress,
    );
    this.#end(t + h, Math.min(done, count) - first, done > count);
    this.#closed = done > count ? left : undefined;
    return Math.min(done, count);
  }

  #closedSteps(
    t: number,
    h: number,
    count: number,
    { count: stages, tableau, slopes }: ExplicitStages,
    left: ResidualBounds,
  ): number {
    const system = this.#system;
    const { stepSettings } = system;
    const isFused = system.isAutonomous && system.areKernelsEnough;
    if (stepSettings === undefined || !isFused) return 0;
    if (this.#goesAlone()) return 0;
    const { kernels, table, state } = system;
    system.load(t);
    const done = kernels.treeRowSteps(
      table,
      this.#begin(left),
      count,
      stages,
      h,
      state.q,
      tableau,
      slopes,
      this.#gamma,
      this.#settingsAddress,
      stepSettings,
    );
    this.#alone.last =
      done < MIN_BATCH && done < count ? Math.min(2 * this.#alone.last + 1, MAX_SINGLE_STEPS) : 0;
    this.#alone.left = this.#alone.last;
    this.#compliance = this.#settings[StageSetting.MU]!;
    this.#ranks.compliance = this.#compliance;
    this.#closed = undefined;
    // The counts of single calls: stages, and the end.
    this.#end(t + done * h, (stages + 1) * done, done === count);
    return done;
  }

  #close(t: number, left: ResidualBounds): boolean {
    const system = this.#system;
    if (!system.areKernelsEnough) return false;
    system.beginStages(t, 0);
    this.#begin(left);
    const isClosed =
      system.kernels.treeClose(system.table, this.#gamma, this.#settingsAddress) === 1;
    this.#end(t, 1, false);
    this.#closed = undefined;
    return isClosed;
  }

  /**
   * Returns whether stages are evaluated without correction: if previous steps needed corrections, stages would be
   * evaluated twice.
   */
  #goesAlone(): boolean {
    if (this.#alone.left === 0) return false;
    this.#alone.left--;
    return true;
  }

  /** Writes the settings of stages; returns 1 if the trial state has been evaluated. */
  #begin({ positions, part, velocities }: ResidualBounds): number {
    const { compliance } = this.#ranks;
    const isKnown = this.#system.isEvaluated && this.#isFactored(compliance);
    this.#compliance = compliance;
    const settings = this.#settings;
    settings[StageSetting.RANK] = this.#rank;
    settings[StageSetting.MU] = compliance;
    settings[StageSetting.TOLERANCE] = PIVOT_TOLERANCE;
    settings[StageSetting.CORRECTIONS] = this.#rank === Rank.PLAIN ? 0 : RESIDUAL_CORRECTIONS;
    settings[StageSetting.OPEN] = positions;
    settings[StageSetting.PART] = part;
    settings[StageSetting.OPEN_RATE] = velocities;
    // Angles that are predicted depend on time, and positions may be left open on purpose.
    const isPredicted = this.#system.bodyQuantities.prediction.isFast;
    settings[StageSetting.CLOSES] = isPredicted || positions === Number.POSITIVE_INFINITY ? 0 : 1;
    settings[StageSetting.REFACTORED] = 0;
    return isKnown ? 1 : 0;
  }

  /**
   * Records that kernels have evaluated `before` states, some of which were factored twice, and then the trial state:
   * completely, if `isKnown`.
   */
  #end(t: number, before: number, isKnown: boolean): void {
    const system = this.#system;
    const slot = system.bodyQuantities.factor;
    slot.isKept = false;
    system.setEvaluated(t, before + this.#settings[StageSetting.REFACTORED]!, isKnown);
    slot.owner = isKnown ? this : undefined;
    slot.generation = system.generation;
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

  /** Finds accelerations and multipliers by one solve. */
  motion(right: Address, out: Address, lambda: Address): void {
    this.#accelerate(right, out, lambda);
  }

  /** Number of rows minus the number of vanishing pivots. Leaves no factor. */
  rank(): number {
    const system = this.#system;
    if (system.rows === 0) return 0;
    system.requireInertia();
    system.bodyQuantities.require(Want.PHI | Want.JACOBIAN);
    system.bodyQuantities.factor.owner = undefined;
    const status = system.kernels.treeRowFactor(system.table, Rank.PLAIN, 0, DEPENDENT_PIVOT);
    if (failed(status)) throw system.errorFor(status, ADVICE);
    return system.pivots.reduce((sum, pivot) => sum + (pivot > 0 ? 1 : 0), 0);
  }

  /** Whether the factor is that of the trial state, with this compliance. */
  #isFactored(compliance: number): boolean {
    const { owner, generation } = this.#system.bodyQuantities.factor;
    const isHere = owner === this && generation === this.#system.generation;
    return isHere && this.#compliance === compliance;
  }

  get #rank(): Rank {
    return this.kind === "auto" ? this.#ranks.known : Rank.PLAIN;
  }

  /** 1 if the factor of the rows is that of this pose. */
  get #fresh(): number {
    const { owner, generation } = this.#system.bodyQuantities.factor;
    return owner === this && generation === this.#system.generation ? 1 : 0;
  }

  get #corrections(): number {
    const { owner, isKept } = this.#system.bodyQuantities.factor;
    return this.#rank !== Rank.PLAIN || (isKept && owner === this) ? RESIDUAL_CORRECTIONS : 0;
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
