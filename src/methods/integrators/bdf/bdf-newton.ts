import { END_HIDEABLE } from "../../../../assembly/layout-radau.js";
import { power } from "../../../ground/algebra/portable-power.js";
import type { Address } from "../../../ground/memory/arena.js";
import { arenaRecord } from "../../../ground/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { Ode, ShiftedSolver } from "../../../seam/index.js";
import { EndCheck } from "../implicit/end-check.js";
import type { StepStart } from "../implicit/step-start.js";

/** Part of what a step may be wrong by that iterations may leave; with algebraic unknowns stiffness does not damp it. */
const LEFT = 0.05;
const ALGEBRAIC_LEFT = 0.005;
/** Iterations of a step, and of one that cannot be shortened. */
const ITERATIONS = 4;
const MANY = 50;
/** The rate of convergence from which on iterations are given up. */
const HOPELESS = 0.9;
/** By how much the leading coefficient may differ from that of the factor. */
const NEAR = 0.3;
/** Steps that df/dy serves at most. */
const OLD = 50;
/** Factor of a step whose iterations do not converge, with df/dy of its beginning. */
const SHORTER = 0.25;
/** Ends that can hide at most so many times what a step may be wrong by are not looked at: all of it is a small part of a tolerance. */
const UNCHECKED = 8;
/** Tolerance if none is set. */
const UNSAID = 1e-12;
/** Errors that iterations may leave, and those that may be rounding where they do not get smaller. */
const LEAST = 10 * Number.EPSILON;
const ROUNDING = 1e3 * Number.EPSILON;

/**
 * The end of a step by simplified Newton iterations. df/dy serves as many steps as iterations converge with it, its factor
 * until h / alpha_k has changed by 30 %: the increments are then multiplied by 2 / (1 + ratio), which halves what both
 * stiff and slow components are wrong by (Brenan, Campbell and Petzold, section 5.2.2).
 */
export class BdfNewton {
  /** What each unknown may be wrong by. */
  readonly scale: Address;
  /** P, and -h / alpha_k P', both at the end of the step: expected here. */
  readonly predicted: Address;
  readonly known: Address;
  readonly check: EndCheck;
  /** What the last iteration began with, unfiltered, in tolerances. */
  #unfiltered = 0;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #solver: ShiftedSolver;
  readonly #beginning: StepStart;
  readonly #z: Address;
  readonly #slope: Address;
  readonly #change: Address;
  readonly #differential: number;
  readonly #kept: Record<"linearised" | "factored" | "age" | "eta", number>;
  #relative = UNSAID;
  #inPositions = UNSAID;
  #inVelocities = UNSAID;
  #rounding: number;
  #left = ALGEBRAIC_LEFT;
  #hasFixedSteps = true;

  constructor(name: string, ode: Ode, beginning: StepStart, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#stiff = stiffMemory(workspace);
    this.#beginning = beginning;
    this.#solver = beginning.jacobian.shifted(false);
    this.#differential = ode.differential ?? n;
    this.scale = workspace.vector(`${name} scale`, n);
    this.predicted = workspace.vector(`${name} prediction`, n);
    this.known = workspace.vector(`${name} known part`, n);
    this.#z = workspace.vector(`${name} correction`, n);
    this.#slope = workspace.vector(`${name} slope`, n);
    this.#change = workspace.vector(`${name} change`, n);
    this.#rounding = ROUNDING / UNSAID;
    this.check = new EndCheck(name, ode, this.#solver, beginning.counts, workspace);
    this.#kept = arenaRecord(workspace, `${name} iterations`, {
      /** 1 when there is a df/dy; the h / alpha_k of its factor or 0; steps that it has served. */
      linearised: 0,
      factored: 0,
      age: 0,
      /** The part of its last change that an iteration still has to go. */
      eta: 1,
    });
  }

  /** The h / alpha_k of the factor. */
  get factored(): number {
    return this.#kept.factored;
  }

  tolerate(relative: number, positions: number, velocities: number, hasFixedSteps: boolean): void {
    this.#relative = relative;
    this.#inPositions = positions;
    this.#inVelocities = velocities;
    this.#hasFixedSteps = hasFixedSteps;
    const largest = Math.max(relative, positions, velocities);
    const left = this.#ode.differential === undefined ? LEFT : ALGEBRAIC_LEFT;
    this.#left = Math.max(LEAST / largest, left);
    this.#rounding = ROUNDING / largest;
  }

  /** |x| in units of what each unknown may be wrong by: the root mean square. */
  norm(x: Address): number {
    return this.#stiff.kernels.scaledNorm(this.#ode.dimension, x, this.scale);
  }

  takeScale(h: number): void {
    const { dimension, positions, y } = this.#ode;
    this.#stiff.kernels.toleranceScale(
      dimension,
      positions,
      this.#relative,
      this.#inPositions,
      this.#inVelocities,
      y,
      this.scale,
    );
    this.#ode.weigh?.(h, this.scale);
  }

  /** Solves for the end of a step at `end`, gamma = h / alpha_k: the trial is the result. Refuses the step otherwise. */
  solve(t: number, end: number, gamma: number): void {
    const kept = this.#kept;
    const isOld = kept.linearised === 0 || kept.age >= OLD;
    if (isOld) this.#linearise(t);
    if (this.#factor(gamma) && this.#iterate(end, gamma)) return;
    // One of the attempt before does not do: f may depend on the length of the step, as with gains that follow it.
    if (!isOld) {
      this.#linearise(t);
      if (this.#factor(gamma) && this.#iterate(end, gamma)) return;
    }
    kept.linearised = 0;
    this.#beginning.refuse(SHORTER);
  }

  /**
   * The error that the end of the step hides, because its matrix belongs to stiffness that has ended: 0 if it is harmless. Costs
   * an evaluation if the last iteration began with so much, unfiltered, that something can be hidden.
   */
  hiddenError(t: number, gamma: number): number {
    if (this.#unfiltered <= UNCHECKED || this.#ode.differential !== undefined) return 0;
    const { dimension, y, trial } = this.#ode;
    const { check } = this;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    check.evaluate(t, this.#slope);
    this.#stiff.kernels.stageResidual(
      this.#differential,
      gamma,
      this.known,
      this.#slope,
      this.#z,
      check.residual,
    );
    return check.hiddenError(t, this.#kept.factored, this.#slope, this.scale);
  }

  /** A step was accepted. */
  commit(): void {
    this.#kept.age += 1;
  }

  forget(): void {
    const kept = this.#kept;
    kept.linearised = 0;
    kept.factored = 0;
    kept.eta = 1;
  }

  #linearise(t: number): void {
    const kept = this.#kept;
    kept.linearised = 0;
    kept.factored = 0;
    this.#beginning.reset();
    this.#beginning.require(t);
    this.#beginning.differentiate(t);
    kept.linearised = 1;
    kept.age = 0;
  }

  /** Factors unless what is there is near enough. False where the matrix is singular. */
  #factor(gamma: number): boolean {
    const kept = this.#kept;
    if (Math.abs(gamma / kept.factored - 1) <= (this.#hasFixedSteps ? 0 : NEAR)) return true;
    kept.factored = 0;
    kept.eta = 1;
    this.#beginning.counts.factorisations++;
    if (!this.#solver.factor(gamma, 0)) return false;
    kept.factored = gamma;
    return true;
  }

  /**
   * Repeats (D - gamma J) dz = D (known - z) + gamma f(t, P + z), z += dz, from z = 0. D is I but for algebraic
   * unknowns, whose rows have the gamma of the factor. False where it does not converge.
   */
  #iterate(t: number, gamma: number): boolean {
    const kept = this.#kept;
    const { dimension: n, trial } = this.#ode;
    const { kernels } = this.#stiff;
    const { predicted } = this;
    const { factored } = kept;
    const z = this.#z;
    const change = this.#change;
    const slope = this.#slope;
    const rest = 8 * this.#differential;
    const correction = 2 / (1 + gamma / factored);
    const most = this.#hasFixedSteps ? MANY : ITERATIONS;
    kernels.clearRows(1, n, z);
    this.#workspace.kernels.copyVector(n, predicted, trial);
    let eta = power(Math.max(kept.eta, Number.EPSILON), 0.8);
    let before = 0;
    for (let k = 1; k <= most; k++) {
      this.#ode.rate(t, slope);
      kernels.stageResidual(this.#differential, gamma, this.known, slope, z, change);
      kernels.multiple(n - this.#differential, factored, 0, slope + rest, 0, change + rest, 0);
      const unfiltered = kernels.scaledNorm(this.#differential, change, this.scale);
      this.#solver.solve(change, change);
      if (correction !== 1) {
        this.#workspace.kernels.axpy(n, correction - 1, change, change, change);
      }
      const size = kernels.stageUpdate(n, change, this.scale, predicted, z, trial);
      if (k > 1) {
        const theta = size / before;
        if (!(theta < HOPELESS)) return size <= this.#rounding;
        eta = theta / (1 - theta);
      }
      const left = this.#hasFixedSteps ? size : eta * size;
      if (left <= this.#left && (k > 1 || unfiltered <= END_HIDEABLE)) {
        this.#unfiltered = unfiltered;
        kept.eta = eta;
        return true;
      }
      if (!(size < Number.POSITIVE_INFINITY)) return false;
      before = size;
    }
    return false;
  }
}
