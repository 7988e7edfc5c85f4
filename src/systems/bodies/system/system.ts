import { BodyTable, ForcePart, Rank, Turn, Want } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../ground/memory/arena.js";
import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import { RANK_TOLERANCE } from "../../../ground/tolerance.js";
import { failed } from "../../../ground/wasm/status.js";
import type {
  ConstraintSolver,
  DenseEquations,
  EquationDerivatives,
  FrameOfBody,
  SolverKind,
  SparseEquations,
  System,
  Turns,
} from "../../../seam/methods.js";
import { checkSolver, DenseSolver } from "../../dense-solver.js";
import { isConservative } from "../plan/conservative.js";
import { carryCouplings, holdCouplings } from "../plan/couplings.js";
import type { Plan } from "../plan/plan.js";
import { DenseBodies } from "./dense.js";
import { bodyDerivatives } from "./derivatives.js";
import { bodyEntries } from "./entries.js";
import {
  type Closure,
  isNearSingular,
  type LoopRanks,
  readPivots,
  writeRanks,
} from "./loop-ranks.js";
import { BodyQuantities } from "./quantities.js";
import { type FactorSlot, SparseSolver } from "./sparse-solver.js";
import { carryAngles, turnOfStep, turnsOf } from "./turns.js";

/** Least and largest compliance beside singular poses, and how it grows with the turn of a step. */
const COMPLIANCE = { least: 3e-8, most: 1e-4, perTurn: 1 / 25 } as const;
/** Compliance of all rows where nothing is known of their rank. */
const UNKNOWN_RANK = 1e-8;

/** Rigid bodies with joints: block sparse operators. */
export class BodySystem extends BodyQuantities implements System {
  readonly ratesAreVelocities = false;
  readonly hasPotential = true;
  readonly isConservative: boolean;
  readonly frames: readonly FrameOfBody[];
  readonly farFromOrigin: number | undefined;
  /** How much rows give way: all of them, or beside singular poses in the present step. */
  compliance = UNKNOWN_RANK;
  /** How the solver takes rows that repeat others. */
  rankKnown: Rank = Rank.PLAIN;
  readonly #length: number;
  readonly closesLoops: boolean;
  judgesSteps = false;
  readonly closable: ((residual: Address) => Address) | undefined;
  readonly turns: Turns;
  readonly #turn: number;
  /** The table of the kernels. */
  #integers = new Int32Array(0);
  readonly #solvers = new Map<string, ConstraintSolver>();
  readonly #slot: FactorSlot = { owner: undefined, generation: -1 };
  readonly #product: Address;
  readonly #closable: Address;
  /** As many zeros as there are positions. */
  readonly zero: Address;
  #dense: DenseBodies | undefined;
  #sparse: SparseEquations | undefined;
  readonly degreesOfFreedom: number | undefined;

  constructor(
    plan: Plan,
    module: WebAssembly.Module,
    { length, degreesOfFreedom, ranks, nearlyFits = false }: Closure,
  ) {
    super(plan, module);
    this.frames = plan.model.bodies;
    this.farFromOrigin = isFar(plan, length) ? length : undefined;
    this.isConservative = isConservative(plan.model);
    this.degreesOfFreedom = degreesOfFreedom;
    this.#length = length;
    this.closesLoops = plan.blocks.some(({ closing }) => closing);
    this.forgetRanks();
    if (ranks) this.workspace.whenSealed(() => this.knowRanks(ranks));
    this.#product = this.workspace.vector("momenta", this.velocities);
    this.#closable = this.workspace.vector("rows that can be closed", this.rows);
    this.zero = this.workspace.vector("zeros", this.positions);
    this.closable = nearlyFits ? (residual) => this.#closablePart(residual) : undefined;
    this.turns = turnsOf(plan, () => this.arrays.data);
    this.#turn = turnOfStep(plan);
    this.workspace.whenSealed((arena) => {
      this.#integers = arena.integers(this.segments.table);
    });
  }

  /** From now on the rank of each block is known to the solver. */
  knowRanks(ranks: LoopRanks): void {
    writeRanks(this.plan, ranks, this.arrays.loopBlocks);
    this.rankKnown = Rank.KNOWN;
    this.compliance = COMPLIANCE.least;
    this.#slot.owner = undefined;
  }

  /** The rank is unknown again: at other poses. */
  forgetRanks(): void {
    this.rankKnown = this.closesLoops ? Rank.UNKNOWN : Rank.PLAIN;
    this.compliance = UNKNOWN_RANK;
    this.#slot.owner = undefined;
  }

  /** Last pivots of the blocks in the last factorisation. */
  loopPivots(): Float64Array {
    return readPivots(this.plan, this.arrays.loopBlocks);
  }

  /**
   * The compliance of a step, beside singular poses: mu = (w h)^2 / 25, w the largest angular velocity (or
   * relative speed over length). Tuned on linkages through singular poses in steps of one length: smaller ones
   * amplify errors there, larger ones lose energy. Where steps follow an error estimate the least is best, as
   * long ones are rejected: parallelograms at tolerance 1e-10 then end 4 tolerances off, with (w h)^2 / 25 up
   * to 76 000, and two four-bars through ten singular poses take a fifth of the steps.
   */
  beginStep(_: number, h: number): void {
    if (this.rankKnown !== Rank.KNOWN || this.judgesSteps) return;
    const v = this.state + 8 * this.positions;
    const turning = this.kernels.bodyAngularRate(this.table, v);
    const sliding = this.kernels.bodySpeedRange(this.table, v) / this.#length;
    const turn = Math.max(turning, sliding) * h;
    const wanted = Math.max(COMPLIANCE.perTurn * turn * turn, COMPLIANCE.least);
    this.compliance = Math.min(wanted, COMPLIANCE.most);
  }

  nearSingular(): boolean {
    return this.rankKnown === Rank.KNOWN && isNearSingular(this.arrays.loopBlocks);
  }

  closableError(): number {
    const { compliance } = this;
    this.compliance = 0;
    this.solver("auto").thaw?.();
    this.#slot.owner = undefined;
    const open = this.#closablePart(this.phi());
    this.compliance = compliance;
    this.#slot.owner = undefined;
    return this.workspace.kernels.largestMagnitude(this.rows, open);
  }

  /** J minnorm(residual). */
  #closablePart(residual: Address): Address {
    this.solver("auto").minnorm(1, residual, this.#product);
    this.jacobianTimes(this.#product, this.#closable);
    return this.#closable;
  }

  longestStep(): number {
    const v = this.state + 8 * this.positions;
    return this.#turn / this.kernels.bodyAngularRate(this.table, v);
  }

  /** d_j / S_jj of the last factorisation, by rows; zero for dependent ones. */
  pivots(): Float64Array {
    return this.arrays.pivots;
  }

  jacobianTimes(x: Address, out: Address): void {
    this.require(Want.PHI | Want.JACOBIAN);
    this.kernels.bodyJacobianTimes(this.table, x, out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    this.require(Want.PHI | Want.JACOBIAN);
    this.kernels.bodyJacobianTransposeTimes(this.table, lambda, out);
  }

  massTimes(x: Address, out: Address): void {
    this.kernels.bodyMassTimes(this.table, x, out);
  }

  positionRate(v: Address, scale: number, correction: Address, out: Address): void {
    this.kernels.bodyPositionRate(this.table, v, scale, correction, out);
  }

  displace(q: Address, displacement: Address, turn: Turn = Turn.EXPONENTIAL): void {
    const status = this.kernels.bodyDisplace(this.table, q, 1, displacement, turn);
    if (failed(status)) throw this.blame(status, "");
  }

  takePlain(isPlain: boolean): void {
    this.#integers[BodyTable.PLAIN] = isPlain || this.plan.plain ? 1 : 0;
  }

  normalise(q: Address): void {
    const status = this.kernels.bodyNormalise(this.table, q);
    if (failed(status)) throw this.blame(status, "");
  }

  /** Angles count on, and couplings hold what they held; those that are new hold what they find. */
  takeOver(previous: System, t: number): void {
    if (!(previous instanceof BodySystem)) return;
    const from = { ...previous.plan, data: previous.arrays.data };
    const to = { ...this.plan, data: this.arrays.data };
    carryAngles(from, to);
    holdCouplings(this, t);
    carryCouplings(from, to);
  }

  potential(): number {
    this.requireFrames();
    return this.kernels.bodyPotential(this.table);
  }

  kineticEnergy(): number {
    const v = this.trial + 8 * this.positions;
    this.massTimes(v, this.#product);
    return this.workspace.kernels.dot(this.velocities, v, this.#product) / 2;
  }

  power(): number {
    const v = this.trial + 8 * this.positions;
    return this.workspace.kernels.dot(this.velocities, this.loads(ForcePart.OTHER), v);
  }

  potentialGradient(out: Address): void {
    this.kernels.bodyGradient(this.table, this.loads(ForcePart.CONSERVATIVE), out);
  }

  kineticGradient(out: Address): void {
    this.workspace.kernels.copyVector(this.positions, this.zero, out);
  }

  solver(kind: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    if (kind !== "auto") checkSolver(kind, tolerance);
    const sparse = kind === "auto" || kind === "cholesky";
    const key = sparse ? kind : `${kind} ${tolerance}`;
    const known = this.#solvers.get(key);
    if (known) return known;
    const made = sparse
      ? new SparseSolver(this, this.#slot, kind)
      : new DenseSolver(this.dense, kind, tolerance);
    this.#solvers.set(key, made);
    return made;
  }

  /** Dense matrices, for methods that ask for them; memory is reserved when that happens. */
  get dense(): DenseBodies & DenseEquations {
    this.#dense ??= new DenseBodies(this);
    return this.#dense;
  }

  analyticDerivatives(stiff: StiffMemory): EquationDerivatives | string {
    return bodyDerivatives(this, this.sparse, stiff);
  }

  get sparse(): SparseEquations {
    this.#sparse ??= bodyEntries(this, this.#length);
    return this.#sparse;
  }
}

/** Lengths of a mechanism from which on the origin of the world is far away. */
const FAR = 1e3;

/** Bodies that nothing joins may be anywhere: satellites have their distance for a scale. */
function isFar({ model: { bodies }, blocks }: Plan, length: number): boolean {
  if (blocks.length === 0) return false;
  return bodies.every(({ position }) => Math.max(...position.map(Math.abs)) > FAR * length);
}
