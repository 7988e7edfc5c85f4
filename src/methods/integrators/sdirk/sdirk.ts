import { power } from "../../../base/algebra/portable-power.js";
import {
  listOf,
  needed,
  oneOf,
  optionsOf,
  positive,
  type Shape,
  text,
  whole,
  word,
} from "../../../base/checking/index.js";
import { StepFailure } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  AdaptiveStepper,
  ImplicitCosts,
  Ode,
  OdeJacobian,
  ShiftedSolver,
  StepRule,
  StepTolerance,
} from "../../../interfaces/index.js";
import { PLAIN_INTEGRATOR } from "../../defaults.js";
import { differencedJacobian } from "../../newton/dense-jacobian.js";
import { requireSizes, weights } from "../fixed/tableau.js";
import { costsOf, EndCheck, InsideCheck, NO_COSTS } from "../implicit/end-check.js";
import { type SdirkTableau, sdirk14Tableau, sdirk415Tableau } from "./sdirk-tableaus.js";

/** Scalar state of a diagonally implicit method from attempt to attempt, stored in the arena. */
type SdirkMemory = ReturnType<typeof sdirkMemory>;

function sdirkMemory(name: string, workspace: Workspace) {
  return arenaRecord(workspace, `${name} memory`, {
    /** 1 when a step has been committed. */
    taken: 0,
    /** 1 when the previous attempt was rejected, or could not be finished. */
    rejected: 0,
    /** 1 during an attempt, and after one that could not be finished. */
    unfinished: 0,
    /** Length of the attempt, and of the last accepted step; 0 if there is no step to extrapolate. */
    length: 0,
    lengthBefore: 0,
    /** 1 when the first guess is not extrapolated, as iterations from it did not converge. */
    guessesNothing: 0,
    /** Rate of convergence and iterations, in the last stage; the largest rate of all stages. */
    theta: 0,
    slowest: 0,
    iterations: 0,
    /** 1 when there is a Jacobian; 1 when it is that of the accepted state. */
    linearised: 0,
    fresh: 0,
    /** 1 when f at the accepted state is known, 2 when f at the end of the attempt is. */
    slopeKnown: 0,
    /** Tolerances that steps may have hidden since the last checked one. */
    hideable: 0,
    /** The alpha for which I - alpha df/dy is factored, or 0. */
    factored: 0,
    ...NO_COSTS,
  });
}

/** Rate of convergence below which the Jacobian is kept for another step. */
const KEEP_JACOBIAN_CONTRACTION = 1e-3;

/**
 * Contraction that longer steps may be expected to have: it grows as h^2, since the matrix is off by the change of
 * df/dy within the step, and multiplied by h.
 */
const EXPECTED_CONTRACTION = 0.5;

/** Maximum iterations of a stage. */
const MAX_ITERATIONS = 7;

const SAFETY = 0.9;
/** Largest factor between the lengths of two consecutive steps. */
const MAX_STEP_CHANGE = 4;
/** Factor after a rejected first step, whose length was a guess. */
const FIRST_REJECTION_FACTOR = 0.1;
/** Smallest growth of the step that is worth a factorisation. */
const MIN_USEFUL_GROWTH = 1.2;
/** Errors below this are treated as zero. */
const MIN_ERROR = 1e-10;

/**
 * h_new = h fac / err^(1/errorOrder), less after many iterations: fac = 0.9 (1 + 2 m) / (k + 2 m) after k of m
 * iterations in the last stage (Hairer and Wanner, Solving ODEs II, section IV.8). It does not grow right
 * after a rejection.
 */
export function sdirkRule(memory: SdirkMemory, errorOrder: number): StepRule {
  function wanted(error: number): number {
    const most = 2 * MAX_ITERATIONS;
    const safety = Math.min(SAFETY, (SAFETY * (1 + most)) / (memory.iterations + most));
    const quotient = power(Math.max(error, MIN_ERROR), 1 / errorOrder) / safety;
    // NaN counts as infinitely large.
    return quotient <= MAX_STEP_CHANGE
      ? 1 / Math.max(quotient, 1 / MAX_STEP_CHANGE)
      : 1 / MAX_STEP_CHANGE;
  }

  return {
    allowsShortLastStep: true,
    accepted(_h, error) {
      const growth = Math.max(1, Math.sqrt(EXPECTED_CONTRACTION / memory.slowest));
      const factor = Math.min(wanted(error), memory.rejected === 1 ? 1 : growth);
      return memory.theta <= KEEP_JACOBIAN_CONTRACTION && factor >= 1 && factor <= MIN_USEFUL_GROWTH
        ? 1
        : factor;
    },
    rejected(_h, error) {
      memory.rejected = 1;
      if (memory.fresh === 0) memory.linearised = 0;
      return memory.taken === 0 ? FIRST_REJECTION_FACTOR : wanted(error);
    },
  };
}

/** Fraction of the tolerance that iterations may leave. */
const ITERATION_ERROR_FRACTION = 0.03;
const ROUNDING_TOLERANCE = 1e-16;
/** Rate of convergence above which iterations are abandoned. */
const MAX_CONTRACTION = 0.99;
/**
 * Allowed excess of the predicted error by the first rate, which shows the guess more than the matrix. With a larger one
 * steps were up to 1.5 times less accurate.
 */
const MAX_FIRST_EXCESS = 10;
/** Factor of the step length after diverging iterations. */
const DIVERGENCE_FACTOR = 0.5;
/**
 * Ends that together can hide at most this many tolerances are not checked, as that would cost an evaluation in most
 * steps.
 */
const MAX_HIDDEN_TOLERANCES = 13;
/** The matrix is outdated if an iteration leaves more than this fraction of its unfiltered residual. */
const OUTDATED_MATRIX_FRACTION = 0.5;
/** Default tolerance, which lets fixed steps reach their order, and the maximum iterations of a stage with it. */
const DEFAULT_TOLERANCE = 1e-10;
const MAX_ITERATIONS_FIXED_STEP = 50;

/**
 * Newton's iterations with one matrix I - h gamma df/dy for all stages, and for as many steps as they converge
 * quickly with it (Hairer and Wanner, Solving ODEs II, section IV.8).
 */
class SdirkNewton {
  /** Address of the known part of a stage, written by the caller. */
  readonly known: Address;
  /** Source of df/dy. */
  readonly how: string;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #gamma: number;
  /** Number of differentiated unknowns. */
  readonly #differential: number;
  /**
   * Whether unknowns are positions and velocities. Those of other equations may be far below the tolerance, as in
   * Robertson's reaction: iterations from far guesses, or beyond a first rate of 1, converge to spurious solutions there.
   */
  readonly isMotion: boolean;
  readonly #memory: SdirkMemory;
  readonly #jacobian: OdeJacobian;
  readonly #solver: ShiftedSolver;
  readonly scale: Address;
  readonly #slope: Address;
  /** f at the accepted state, or at the end of the attempt. */
  readonly #stateSlope: Address;
  readonly #change: Address;
  /** Remaining error of iterations relative to their last increment, by stage. */
  #eta = new Float64Array(0);
  readonly #refusal: StepFailure;
  readonly check: EndCheck;
  /** Unfiltered residual at the beginning of the last iteration, in tolerances. */
  #left = 0;
  #tolerates = false;
  #relative = DEFAULT_TOLERANCE;
  #inPositions = DEFAULT_TOLERANCE;
  #inVelocities = DEFAULT_TOLERANCE;
  #iterations = MAX_ITERATIONS_FIXED_STEP;

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
    this.#differential = ode.algebraic?.differential ?? n;
    this.isMotion = ode.positions < n;
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
    this.#iterations = hasFixedSteps ? MAX_ITERATIONS_FIXED_STEP : MAX_ITERATIONS;
    this.#tolerates = true;
  }

  /**
   * Computes the Jacobian and factors if the present ones are not sufficient. Call before the stages of a step.
   * Returns 0, or the factor by which to shorten the step.
   */
  begin(t: number, h: number): number {
    const memory = this.#memory;
    this.#takeScale(h);
    if (memory.linearised === 0) this.#linearise(t);
    const alpha = h * this.#gamma;
    memory.slowest = 0;
    if (memory.factored === alpha) return 0;
    memory.factored = 0;
    memory.factorisations += 1;
    if (!this.#solver.factor(alpha, 0)) return DIVERGENCE_FACTOR;
    memory.factored = alpha;
    return 0;
  }

  /**
   * Repeats (D - alpha J) dz = D (known - z) + alpha f(t, y + z), z += dz until the remaining error, about eta |dz|
   * with eta = theta / (1 - theta) and theta the rate of convergence, is small. D is I except for algebraic unknowns.
   * Stops as soon as the allowed iterations cannot converge. The trial is y + z, before and after. Returns 0, or the
   * factor by which to shorten the step. The first rate is that of a guess, which may be far off.
   */
  iterate(stage: number, t: number, z: Address): number {
    const memory = this.#memory;
    const { dimension: n, y, trial } = this.#ode;
    const { kernels } = this.#stiff;
    const change = this.#change;
    const alpha = memory.factored;
    const rest = 8 * this.#differential;
    const algebraic = n - this.#differential;
    let eta = power(Math.max(this.#eta[stage] as number, ROUNDING_TOLERANCE), 0.8);
    let theta = memory.rejected === 1 ? 2 * KEEP_JACOBIAN_CONTRACTION : KEEP_JACOBIAN_CONTRACTION;
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
        if (!(theta < MAX_CONTRACTION)) return DIVERGENCE_FACTOR;
        eta = theta / (1 - theta);
        const left = (eta * size * power(theta, most - 1 - k)) / ITERATION_ERROR_FRACTION;
        const isAllowed = left < (this.isMotion && k === 2 ? MAX_FIRST_EXCESS : 1);
        if (!isAllowed) return 0.8 * power(Math.min(left, 16), -1 / (most - k));
      }
      if (eta * size <= ITERATION_ERROR_FRACTION) {
        this.#eta[stage] = eta;
        memory.theta = theta;
        if (this.isMotion) memory.slowest = Math.max(memory.slowest, theta);
        memory.iterations = k;
        return 0;
      }
      sizeBefore = size;
    }
    return DIVERGENCE_FACTOR;
  }

  /** Returns the size of (D - alpha J)^-1 D x in tolerances. Overwrites x. */
  filteredNorm(x: Address): number {
    const { kernels } = this.#stiff;
    kernels.clearRows(1, this.#ode.dimension - this.#differential, x + 8 * this.#differential);
    this.#solver.solve(x, this.#change);
    return kernels.scaledNorm(this.#ode.dimension, this.#change, this.scale);
  }

  /**
   * Returns the error hidden at the end of the step, its last stage z; 0 if it is harmless. Costs an evaluation, from
   * which the next df/dy starts, unless the residuals of the last iterations of this and earlier steps are too small
   * to hide an error.
   */
  hiddenError(t: number, z: Address): number {
    const memory = this.#memory;
    if (!this.#tolerates) return 0;
    // Errors hidden by algebraic unknowns are not in the residual of the differentiated ones.
    const { algebraic } = this.#ode;
    memory.hideable += algebraic ? Number.POSITIVE_INFINITY : this.#left;
    if (memory.hideable <= MAX_HIDDEN_TOLERANCES) return 0;
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
    if (!algebraic && left > OUTDATED_MATRIX_FRACTION * this.#left) memory.linearised = 0;
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
    this.#ode.algebraic?.weigh(h, this.scale);
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

  /** Rejects the step; a step shorter by the factor may succeed. */
  refuse(factor: number): never {
    this.#memory.convergenceFailures += 1;
    this.#refusal.factor = factor;
    throw this.#refusal;
  }
}

/** Weights of displacements, in the arena. */
interface SdirkConstants {
  /** Rows of alpha. */
  readonly known: readonly Address[];
  /** First guesses of all stages except the first. */
  readonly guesses: readonly Address[];
  /** z_s - sum e_i z_i. */
  readonly error: Address;
  /** Rows of the interpolant after the first two. */
  readonly dense: readonly Address[];
}

function sdirkConstants(tableau: SdirkTableau, workspace: Workspace): SdirkConstants {
  const { name, alpha, embedded, guesses, dense } = tableau;
  const list = (what: string, rows: readonly (readonly number[])[]) =>
    rows.map((row, k) => workspace.constants(`${name} ${what} ${k}`, row));
  return {
    known: list("row", alpha),
    guesses: list("guess", [...guesses, embedded]),
    error: workspace.constants(`${name} error`, [...embedded.map((weight) => -weight), 1]),
    dense: list("dense row", nestedRows(dense)),
  };
}

/**
 * Rows c2, c3, c4 of c1 s + c2 s (1 - s) + c3 s^2 (1 - s) + c4 s^2 (1 - s)^2 for a polynomial given by rows of s,
 * s^2, s^3 and s^4. In those products, b1 to b4,
 *
 *   s^2 = b1 - b2,   s^3 = b1 - b2 - b3,   s^4 = b1 - b2 - 2 b3 + b4.
 */
function nestedRows([, second = [], third = [], fourth = []]: readonly (readonly number[])[]) {
  const at = (row: readonly number[], i: number) => row[i] as number;
  return [
    second.map((value, i) => -(value + at(third, i) + at(fourth, i))),
    third.map((value, i) => -(value + 2 * at(fourth, i))),
    fourth,
  ];
}

/**
 * Writes the weights of the displacements of the last step in y(t + s h) - y(t + h), its dense output extrapolated
 * beyond its end.
 */
function extrapolate({ dense }: SdirkTableau, s: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let k = dense.length - 1; k >= 0; k--) sum = s * (sum + (dense[k]?.[i] as number));
    out[i] = i === out.length - 1 ? sum - 1 : sum;
  }
}

/** A diagonally implicit method bound to an ODE. */
class SdirkStepper implements AdaptiveStepper {
  readonly interpolantRows = 5;
  readonly skipsEndEvaluation = true;
  readonly currentOrder: number;
  readonly rule: StepRule;
  readonly costs: ImplicitCosts;
  readonly #tableau: SdirkTableau;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #newton: SdirkNewton;
  readonly #inside: InsideCheck;
  readonly #memory: SdirkMemory;
  readonly #weights: SdirkConstants;
  readonly #stages: number;
  /** Displacements of the stages of this step and of the previous one. */
  readonly #z: Address;
  readonly #before: Address;
  readonly #scratch: Address;
  readonly #zero: Address;
  readonly #extrapolation: Address;
  #extrapolationWeights = new Float64Array(0);

  constructor(tableau: SdirkTableau, ode: Ode, workspace: Workspace) {
    const { name, c, errorOrder } = tableau;
    this.currentOrder = errorOrder - 1;
    const n = ode.dimension;
    const stages = c.length;
    this.#tableau = tableau;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#stages = stages;
    this.#memory = sdirkMemory(name, workspace);
    this.#newton = new SdirkNewton(tableau, ode, workspace, this.#memory);
    this.#weights = sdirkConstants(tableau, workspace);
    this.#z = workspace.vector(`${name} displacements`, n * stages);
    this.#before = workspace.vector(`${name} displacements before`, n * stages);
    this.#scratch = workspace.vector(`${name} error`, n);
    this.#zero = workspace.vector(`${name} zero`, n);
    const extrapolation = workspace.reserve(`${name} extrapolation`, stages);
    this.#extrapolation = extrapolation.address;
    workspace.whenSealed((arena) => {
      this.#extrapolationWeights = arena.floats(extrapolation);
    });
    this.#inside = new InsideCheck(name, ode, this, this.#newton.check, workspace);
    this.rule = sdirkRule(this.#memory, errorOrder);
    this.costs = costsOf(this.#newton.how, this.#memory);
  }

  setTolerance({ relative, positions, velocities }: StepTolerance, hasFixedSteps = false): void {
    this.#newton.tolerate(relative, positions, velocities, hasFixedSteps);
  }

  attempt(t: number, h: number): void {
    const memory = this.#memory;
    if (memory.unfinished === 1) {
      memory.rejected = 1;
      // With algebraic unknowns df/dy is that of the middle of the step, which differs in a shorter one.
      if (memory.fresh === 0 || this.#ode.algebraic) memory.linearised = 0;
    }
    memory.unfinished = 1;
    if (memory.slopeKnown === 2) memory.slopeKnown = 0;
    memory.length = h;
    let shorter = this.#solveStages(t, h);
    const { isMotion } = this.#newton;
    if (shorter > 0 && !isMotion) memory.guessesNothing = 1;
    if (shorter > 0 && memory.fresh === 0 && isMotion) {
      memory.linearised = 0;
      shorter = this.#solveStages(t, h);
    }
    if (shorter > 0) this.#newton.refuse(shorter);
    memory.unfinished = 0;
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  /**
   * The embedded solution is inaccurate in stiff components, so the estimate is damped by the matrix of the
   * iterations (Hairer and Wanner, Solving ODEs II, section IV.8).
   */
  error(t: number, h: number): number {
    this.#combine(this.#stages, this.#z, this.#weights.error, this.#scratch);
    const size = this.#newton.filteredNorm(this.#scratch);
    const last = this.#z + 8 * this.#ode.dimension * (this.#stages - 1);
    if (!(size <= 1)) return size;
    const hidden = this.#newton.hiddenError(t + h, last);
    if (hidden > 1) return hidden;
    const { dimension: n, y } = this.#ode;
    const { scale } = this.#newton;
    this.#workspace.kernels.axpy(n, -1, last, y, this.#scratch);
    const g = this.#memory.factored;
    return Math.max(size, this.#inside.hiddenError(t, h, g, this.#scratch, scale));
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  commit(_t: number, h: number): void {
    const memory = this.#memory;
    this.#inside.commit(h);
    this.#workspace.kernels.copyVector(this.#ode.dimension * this.#stages, this.#z, this.#before);
    memory.lengthBefore = memory.length;
    memory.guessesNothing = 0;
    memory.taken = 1;
    memory.rejected = 0;
    memory.fresh = 0;
    memory.slopeKnown = memory.slopeKnown === 2 ? 1 : 0;
    if (memory.theta > KEEP_JACOBIAN_CONTRACTION) memory.linearised = 0;
  }

  /** Keeps the step length, which remains a good guess. */
  reset(): void {
    this.#memory.lengthBefore = 0;
    this.#newton.forget();
  }

  interpolant(_t: number, _h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let row = 2; row < this.interpolantRows; row++) {
      const weights = this.#weights.dense[row - 2] as Address;
      this.#combine(this.#stages, this.#z, weights, out + 8 * n * row);
    }
  }

  /** Solves for the stages. Returns 0, or the factor by which to shorten the step. */
  #solveStages(t: number, h: number): number {
    let shorter = this.#newton.begin(t, h);
    for (let stage = 0; stage < this.#stages && shorter === 0; stage++) {
      shorter = this.#solveStage(stage, t, h);
    }
    return shorter;
  }

  #solveStage(stage: number, t: number, h: number): number {
    const { dimension: n, y, trial } = this.#ode;
    const z = this.#z + 8 * n * stage;
    this.#guess(stage, h, z);
    this.#combine(stage, this.#z, this.#weights.known[stage] as Address, this.#newton.known);
    this.#workspace.kernels.axpy(n, 1, z, y, trial);
    return this.#newton.iterate(stage, t + (this.#tableau.c[stage] as number) * h, z);
  }

  #guess(stage: number, h: number, z: Address): void {
    const { lengthBefore, guessesNothing } = this.#memory;
    if (stage > 0) {
      this.#combine(stage, this.#z, this.#weights.guesses[stage - 1] as Address, z);
    } else if (lengthBefore === 0 || guessesNothing === 1) {
      this.#workspace.kernels.copyVector(this.#ode.dimension, this.#zero, z);
    } else {
      const s = 1 + ((this.#tableau.c[0] as number) * h) / lengthBefore;
      extrapolate(this.#tableau, s, this.#extrapolationWeights);
      this.#combine(this.#stages, this.#before, this.#extrapolation, z);
    }
  }

  /** out = the sum of the first `count` displacements, weighted. */
  #combine(count: number, z: Address, weights: Address, out: Address): void {
    const { kernels } = this.#workspace;
    kernels.combine(this.#ode.dimension, count, 1, this.#zero, z, weights, out);
  }
}

const TABLEAU: Shape<SdirkTableau> = {
  name: needed(word),
  reference: needed(text),
  order: needed(whole(1)),
  errorOrder: needed(whole(1)),
  gamma: needed(positive),
  alpha: needed(listOf(weights)),
  c: needed(weights),
  embedded: needed(weights),
  guesses: needed(listOf(weights)),
  dense: needed(listOf(weights)),
};

/**
 * A singly diagonally implicit Runge-Kutta method given by its tableau, for stiff systems: its steps are limited by
 * accuracy only, however stiff springs and dampers are. df/dy is analytic if the formulation provides it, otherwise
 * by finite differences.
 *
 * @example
 * const method = { formulation: stateSpace(), integrator: sdirk(sdirk14Tableau) };
 */
export function sdirk(given: SdirkTableau, ...more: undefined[]): AdaptiveIntegrator {
  const tableau = optionsOf("sdirk", "METHOD", given, TABLEAU, more);
  const stages = tableau.c.length;
  requireSizes("sdirk", tableau, [
    ["alpha", [stages]],
    ["embedded", [stages - 1]],
    ["dense", [4, stages]],
  ]);
  const { name, reference, order, errorOrder, c } = tableau;
  return {
    name,
    reference,
    order,
    errorOrder,
    stages: c.length,
    // Earlier steps provide only first guesses and the Jacobian, which do not affect the solution.
    ...PLAIN_INTEGRATOR,
    isImplicit: true,
    // Its stages have order 1: for index 3 multipliers do not converge (Hairer, Lubich and Roche 1989, theorem 6.1).
    highestIndex: 2,
    bind: (ode, workspace) => new SdirkStepper(tableau, ode, workspace),
  };
}

const TABLEAUS = { "4/15": sdirk415Tableau, "1/4": sdirk14Tableau } as const;

/** Choice between the two tableaus of Hairer and Wanner. */
export interface Sdirk4Options {
  /** Diagonal of the tableau. Default: "4/15", the more accurate one. */
  readonly gamma?: "4/15" | "1/4";
}

const made: Partial<Record<keyof typeof TABLEAUS, AdaptiveIntegrator>> = {};

const SHAPE: Shape<Sdirk4Options> = { gamma: oneOf("4/15", "1/4") };

/**
 * An L-stable method of order 4 with five implicit stages: for stiff systems, and tolerances of 1e-2 to 1e-6. It is
 * the default for stiff motion at tolerances of 1e-3 and above. Errors are measured by their root mean
 * square, as in the code SDIRK4 of Hairer and Wanner.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: sdirk4(), tolerance: 1e-4 });
 * const method = { formulation: stateSpace(), integrator: sdirk4({ gamma: "1/4" }) };
 */
export function sdirk4(options: Sdirk4Options = {}, ...more: undefined[]): AdaptiveIntegrator {
  const { gamma = "4/15" } = optionsOf("sdirk4", "METHOD", options, SHAPE, more);
  // One object for all calls: `solve` uses it as the key for memory of earlier runs.
  made[gamma] ??= Object.freeze(sdirk(TABLEAUS[gamma]));
  return made[gamma];
}
