import { power } from "../../../ground/algebra/portable-power.js";
import { StepFailure } from "../../../ground/errors.js";
import type { Address } from "../../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { Ode, OdeJacobian, ShiftedSolver } from "../../../seam/index.js";
import { differencedJacobian } from "../../newton/dense-jacobian.js";
import { EndCheck } from "../implicit/end-check.js";
import { ITERATIONS, QUICK, type SdirkMemory } from "./sdirk-memory.js";
import type { SdirkTableau } from "./tableau.js";

/** Part of the tolerance that iterations may leave. */
const LEFT = 0.03;
const ROUNDING = 1e-16;
/** The rate of convergence from which on iterations are given up. */
const HOPELESS = 0.99;
/** Ends that together can hide at most so many tolerances are not looked at: that would cost an evaluation in most steps. */
const HIDEABLE = 13;
/** The matrix is no longer that of the motion if an iteration leaves more than this part of what it began with, unfiltered. */
const OUTDATED = 0.5;
/** Default tolerance: with it fixed steps are as accurate as their order. Iterations a stage may take then. */
const UNSAID = 1e-10;
const MANY = 50;

/**
 * Newton's iterations with one matrix I - h gamma df/dy for all stages, and for as many steps as they converge
 * quickly with it (Hairer and Wanner, Solving ODEs II, section IV.8).
 */
export class SdirkNewton {
  /** Where the known part of a stage is expected. */
  readonly known: Address;
  /** How df/dy is found. */
  readonly how: string;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #gamma: number;
  /** Unknowns that are differentiated. */
  readonly #differential: number;
  readonly #memory: SdirkMemory;
  readonly #jacobian: OdeJacobian;
  readonly #solver: ShiftedSolver;
  readonly scale: Address;
  readonly #slope: Address;
  /** f at the accepted state, or at the end of the attempt. */
  readonly #stateSlope: Address;
  readonly #change: Address;
  /** The part of its last change that an iteration still has to go, by stage. */
  #eta = new Float64Array(0);
  readonly #refusal: StepFailure;
  readonly check: EndCheck;
  /** What the last iteration began with, unfiltered, in tolerances. */
  #left = 0;
  #tolerates = false;
  #relative = UNSAID;
  #inPositions = UNSAID;
  #inVelocities = UNSAID;
  #iterations = MANY;

  constructor(
    { name, c, gamma }: SdirkTableau,
    ode: Ode,
    workspace: Workspace,
    memory: SdirkMemory,
  ) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#gamma = gamma;
    this.#differential = ode.differential ?? n;
    this.#memory = memory;
    this.#stiff = stiffMemory(workspace);
    this.#jacobian = ode.jacobian?.() ?? differencedJacobian(ode, workspace);
    this.#solver = this.#jacobian.shifted(false);
    this.how = this.#jacobian.source;
    this.known = workspace.vector(`${name} known part of a stage`, n);
    this.scale = workspace.vector(`${name} scale`, n);
    this.#slope = workspace.vector(`${name} slope`, n);
    this.#stateSlope = workspace.vector(`${name} slope of a state`, n);
    this.#change = workspace.vector(`${name} change`, n);
    this.check = new EndCheck(name, ode, this.#solver, memory, workspace);
    const eta = workspace.reserve(`${name} convergence`, c.length);
    workspace.whenSealed((arena) => {
      this.#eta = arena.floats(eta).fill(1);
    });
    this.#refusal = new StepFailure(
      `the Newton iteration of ${name} did not converge: try a shorter step; describe discontinuous forces as events`,
    );
  }

  tolerate(relative: number, positions: number, velocities: number, hasFixedSteps: boolean): void {
    this.#relative = relative;
    this.#inPositions = positions;
    this.#inVelocities = velocities;
    this.#iterations = hasFixedSteps ? MANY : ITERATIONS;
    this.#tolerates = true;
  }

  /** Before the stages of a step: finds the Jacobian and factors, where what is there does not do. */
  begin(t: number, h: number): void {
    const memory = this.#memory;
    this.#takeScale(h);
    if (memory.linearised === 0) this.#linearise(t);
    const alpha = h * this.#gamma;
    if (memory.factored === alpha) return;
    memory.factored = 0;
    memory.factorisations += 1;
    if (!this.#solver.factor(alpha, 0)) this.#refuse(0.5);
    memory.factored = alpha;
  }

  /**
   * Repeats (D - alpha J) dz = D (known - z) + alpha f(t, y + z), z += dz until what is left, about eta |dz| with
   * eta = theta / (1 - theta) and theta the rate of convergence, is small. D is I but for algebraic unknowns. Gives up
   * as soon as it can be foreseen that the iterations allowed do not lead there. The trial is y + z, before and after.
   */
  iterate(stage: number, t: number, z: Address): void {
    const memory = this.#memory;
    const { dimension: n, y, trial } = this.#ode;
    const { kernels } = this.#stiff;
    const change = this.#change;
    const alpha = memory.factored;
    const rest = 8 * this.#differential;
    const algebraic = n - this.#differential;
    let eta = power(Math.max(this.#eta[stage] as number, ROUNDING), 0.8);
    let theta = memory.rejected === 1 ? 2 * QUICK : QUICK;
    let sizeBefore = 0;
    const most = this.#iterations;
    for (let k = 1; k <= most; k++) {
      this.#ode.rate(t, this.#slope);
      kernels.stageResidual(this.#differential, alpha, this.known, this.#slope, z, change);
      kernels.multiple(algebraic, alpha, 0, this.#slope + rest, 0, change + rest, 0);
      this.#left = kernels.scaledNorm(this.#differential, change, this.scale);
      this.#solver.solve(change, change);
      const size = kernels.stageUpdate(n, change, this.scale, y, z, trial);
      if (k > 1 && k < most) {
        theta = size / sizeBefore;
        if (!(theta < HOPELESS)) this.#refuse(0.5);
        eta = theta / (1 - theta);
        this.#foresee((eta * size * power(theta, most - 1 - k)) / LEFT, k);
      }
      this.#eta[stage] = eta;
      if (eta * size <= LEFT) {
        memory.theta = theta;
        memory.iterations = k;
        return;
      }
      sizeBefore = size;
    }
    this.#refuse(0.5);
  }

  /** The size of (D - alpha J)^-1 D x in tolerances. Overwrites x. */
  filteredNorm(x: Address): number {
    const { kernels } = this.#stiff;
    kernels.clearRows(1, this.#ode.dimension - this.#differential, x + 8 * this.#differential);
    this.#solver.solve(x, this.#change);
    return kernels.scaledNorm(this.#ode.dimension, this.#change, this.scale);
  }

  /**
   * The error that the end of the step, its last stage z, hides: 0 if it is harmless. It costs an evaluation, from which the
   * next df/dy starts, unless the last iterations of this step and those before it began with so little that nothing can
   * be hidden.
   */
  hiddenError(t: number, z: Address): number {
    const memory = this.#memory;
    if (!this.#tolerates) return 0;
    // What algebraic unknowns hide is not in the residual of those that are differentiated.
    const { eliminatedRate } = this.#ode;
    memory.hideable += eliminatedRate ? Number.POSITIVE_INFINITY : this.#left;
    if (memory.hideable <= HIDEABLE) return 0;
    memory.hideable = 0;
    const { dimension, y, trial } = this.#ode;
    const alpha = memory.factored;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.check.evaluate(t, this.#stateSlope);
    memory.slopeKnown = 2;
    const { residual } = this.check;
    this.#stiff.kernels.stageResidual(
      this.#differential,
      alpha,
      this.known,
      this.#stateSlope,
      z,
      residual,
    );
    const left = this.#stiff.kernels.scaledNorm(this.#differential, residual, this.scale);
    if (!eliminatedRate && left > OUTDATED * this.#left) memory.linearised = 0;
    return this.check.hiddenError(t, alpha, this.#stateSlope, this.scale);
  }

  forget(): void {
    const memory = this.#memory;
    memory.linearised = 0;
    memory.fresh = 0;
    memory.slopeKnown = 0;
    memory.factored = 0;
    this.#eta.fill(1);
  }

  #takeScale(h: number): void {
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

  #linearise(t: number): void {
    const memory = this.#memory;
    const { dimension, y, trial } = this.#ode;
    memory.factored = 0;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    if (memory.slopeKnown !== 1) this.#ode.rate(t, this.#stateSlope);
    memory.slopeKnown = 1;
    this.#jacobian.evaluate(t, this.#stateSlope);
    memory.linearised = 1;
    memory.fresh = 1;
    memory.jacobians += 1;
  }

  /** Refuses the step where what would be left after all iterations, in units of what may be, is too much. */
  #foresee(left: number, iteration: number): void {
    if (left < 1) return;
    this.#refuse(0.8 * power(Math.min(left, 16), -1 / (this.#iterations - iteration)));
  }

  #refuse(factor: number): never {
    this.#memory.convergenceFailures += 1;
    this.#refusal.factor = factor;
    throw this.#refusal;
  }
}
