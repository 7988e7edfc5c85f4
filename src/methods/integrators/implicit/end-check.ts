import {
  END_HIDEABLE,
  END_PASSES,
  END_UNDECIDED,
  HIDDEN_ERROR,
  StepKnown,
} from "../../../../assembly/layout-radau.js";
import { StepFailure } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import { type StiffMemory, stiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { ImplicitCosts, Ode, OdeJacobian, ShiftedSolver } from "../../../interfaces/index.js";
import { differencedJacobian } from "../../newton/dense-jacobian.js";

/**
 * Finds the error hidden at the end of a step if the matrix of the iterations belongs to stiffness that has ended
 * within the step. For the derivation see assembly/implicit/end-check.ts.
 */
export class EndCheck {
  /** Unfiltered residual of the equation of the last stage, in units of y; written by the method. */
  readonly residual: Address;
  /** Whether the last check evaluated f beyond the end of the step, so the trial state has to be loaded again. */
  evaluates = false;
  readonly #ode: Ode;
  readonly #solver: ShiftedSolver;
  readonly #stiff: StiffMemory;
  readonly #workspace: Workspace;
  readonly #direction: Address;
  readonly #beyond: Address;
  readonly #error: Address;
  readonly #slope: Address;
  readonly #counts: Counts;

  /** `solver` solves with the matrix of the iterations. */
  constructor(name: string, ode: Ode, solver: ShiftedSolver, counts: Counts, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#solver = solver;
    this.#counts = counts;
    this.#stiff = stiffMemory(workspace);
    this.#workspace = workspace;
    this.residual = workspace.vector(`${name} check of the end`, 4 * n);
    this.#direction = this.residual + 8 * n;
    this.#beyond = this.#direction + 8 * n;
    this.#error = this.#beyond + 8 * n;
    this.#slope = workspace.vector(`${name} checked slope`, n);
  }

  /**
   * Evaluates f at the trial state, which is no stage of the method. Algebraic unknowns are eliminated: forces that
   * change within the step change these, and the differentiated unknowns do not show it.
   */
  evaluate(t: number, out: Address): void {
    this.#counts.checks++;
    if (this.#ode.algebraic) this.#ode.algebraic.eliminatedRate(t, out);
    else this.#ode.rate(t, out);
  }

  /** Returns f at y, with algebraic unknowns eliminated. */
  slopeAtEnd(t: number): Address {
    const { dimension, y, trial } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.evaluate(t, this.#slope);
    return this.#slope;
  }

  /**
   * Returns the error hidden at the end, in tolerances; 0 if it is harmless. `f` holds f at the end, y at time t; g
   * is the factor of df/dy. Overwrites the trial state if it evaluates f. A method whose residual contains its
   * truncation error, not only the iteration error, allows `excess` times the estimate by the matrix of the
   * iterations.
   */
  hiddenError(
    t: number,
    g: number,
    f: Address,
    scale: Address,
    excess = 1,
    at = this.#ode.y,
  ): number {
    const { kernels } = this.#stiff;
    const { dimension: n, trial } = this.#ode;
    const differential = this.#ode.algebraic?.differential ?? n;
    const residual = this.residual;
    this.evaluates = false;
    const before = kernels.scaledNorm(differential, residual, scale);
    if (before <= Math.max(END_HIDEABLE, excess)) return 0;
    kernels.clearRows(1, n, this.#error);
    kernels.clearRows(1, n - differential, residual + 8 * differential);
    let allowed = 1;
    for (let pass = 0; pass < END_PASSES; pass++) {
      this.#workspace.kernels.copyVector(n, residual, this.#direction);
      this.#solver.solve(this.#direction, this.#direction);
      const length = kernels.scaledNorm(n, this.#direction, scale);
      if (!(length <= HIDDEN_ERROR)) return HIDDEN_ERROR;
      if (pass === 0) {
        // Only if the residual contains the truncation error: otherwise the filtered residual is an error itself.
        if (excess > 1) allowed = excess * Math.max(1, length);
        if (before <= allowed) return 0;
      }
      this.evaluates = true;
      const factor = kernels.endProbe(n, length, this.#direction, at, trial);
      this.evaluate(t, this.#beyond);
      const hidden = kernels.endPass(
        n,
        differential,
        g,
        factor,
        this.#direction,
        f,
        this.#beyond,
        scale,
        residual,
        this.#error,
        allowed,
      );
      if (hidden !== END_UNDECIDED) return hidden;
    }
    return 0;
  }
}

/** Steps longer than this fraction of the span are checked inside, at this spacing as a fraction of the span. */
const LONG_STEP_FRACTION = 1 / 64;
const CHECK_SPACING_FRACTION = 1 / 32;
const MAX_CHECKS = 16;
/** Growth of a step over the last checked one that triggers a check. */
const MIN_GROWTH_FOR_CHECK = 1.2;
/** Factor of the allowed error over the estimate by the matrix, as residuals inside contain the truncation error. */
const ALLOWED_EXCESS = 4;

/** A method whose steps are checked inside. */
interface Interpolating {
  readonly interpolantRows: number;
  interpolant(t: number, h: number, before: Address, out: Address): void;
}

/**
 * Detects stiffness that ends or begins between the nodes of long steps. If the solution rests, like a wheel held by
 * a brake, steps grow rapidly, and may pass over the release of the brake and its next grip.
 */
export class InsideCheck {
  readonly #ode: Ode;
  readonly #method: Interpolating;
  readonly #check: EndCheck;
  readonly #workspace: Workspace;
  readonly #rows: Address;
  readonly #at: Address;
  readonly #f: Address;
  readonly #zero: Address;
  readonly #values: Address;
  readonly #slopes: Address;
  #valueWeights = new Float64Array(0);
  #slopeWeights = new Float64Array(0);
  /** Length of the last checked step, or of a shorter one since. */
  readonly #memory: { seen: number };
  #span = Number.POSITIVE_INFINITY;

  constructor(
    name: string,
    ode: Ode,
    method: Interpolating,
    check: EndCheck,
    workspace: Workspace,
  ) {
    const n = ode.dimension;
    const rows = method.interpolantRows;
    const vector = (what: string, count = 1) => workspace.vector(`${name} ${what}`, count * n);
    this.#ode = ode;
    this.#method = method;
    this.#check = check;
    this.#workspace = workspace;
    this.#rows = vector("polynomial of a long step", rows);
    this.#at = vector("place in a step");
    this.#f = vector("f in a step");
    this.#zero = vector("zero in a step");
    const values = workspace.reserve(`${name} weights in a step`, rows - 1);
    const slopes = workspace.reserve(`${name} weights of slopes in a step`, rows - 1);
    this.#values = values.address;
    this.#slopes = slopes.address;
    this.#memory = arenaRecord(workspace, `${name} long steps`, { seen: 0 });
    workspace.whenSealed((arena) => {
      this.#valueWeights = arena.floats(values);
      this.#slopeWeights = arena.floats(slopes);
    });
  }

  /** Sets the span with which steps are compared. */
  watch(span: number): void {
    this.#span = Math.abs(span);
  }

  /** Length up to which steps are not checked. */
  get short(): number {
    return LONG_STEP_FRACTION * this.#span;
  }

  looksAt(h: number): boolean {
    const length = Math.abs(h);
    return length > this.short && length > MIN_GROWTH_FOR_CHECK * this.#memory.seen;
  }

  /**
   * Returns the error hidden inside a step, in tolerances; 0 if it is harmless. `before` is y at t; g as in EndCheck.
   */
  hiddenError(t: number, h: number, g: number, before: Address, scale: Address): number {
    if (!this.looksAt(h)) return 0;
    const { kernels } = this.#workspace;
    const { dimension: n, trial } = this.#ode;
    const count = this.#method.interpolantRows - 1;
    const rows = this.#rows;
    const [at, f] = [this.#at, this.#f];
    const { residual } = this.#check;
    this.#method.interpolant(t, h, before, rows);
    const places = Math.min(
      MAX_CHECKS,
      Math.ceil(Math.abs(h) / (CHECK_SPACING_FRACTION * this.#span)),
    );
    for (let k = 0; k < places; k++) {
      const s = (k + 0.4) / places;
      this.#weigh(s);
      kernels.combine(n, count, 1, rows, rows + 8 * n, this.#values, at);
      kernels.copyVector(n, at, trial);
      this.#check.evaluate(t + s * h, f);
      kernels.combine(n, count, -g / h, this.#zero, rows + 8 * n, this.#slopes, residual);
      kernels.axpy(n, g, f, residual, residual);
      const hidden = this.#check.hiddenError(t + s * h, g, f, scale, ALLOWED_EXCESS, at);
      if (hidden > 0) return hidden;
    }
    this.#check.evaluates = true;
    this.#memory.seen = Math.abs(h);
    return 0;
  }

  /** Records an accepted step. */
  commit(h: number): void {
    this.#memory.seen = Math.min(this.#memory.seen, Math.abs(h));
  }

  /**
   * Computes the weights of the rows of the nested form at s, 1, s, s (1 - s), s^2 (1 - s), ..., and of their
   * derivatives by s.
   */
  #weigh(s: number): void {
    const [values, slopes] = [this.#valueWeights, this.#slopeWeights];
    let [value, slope] = [1, 0];
    for (let k = 0; k < values.length; k++) {
      const isOdd = k % 2 === 0;
      const factor = isOdd ? s : 1 - s;
      slope = slope * factor + (isOdd ? value : -value);
      value *= factor;
      values[k] = value;
      slopes[k] = slope;
    }
  }
}

/**
 * Common part of implicit steppers: f and df/dy at the beginning of a step, and f at its end, which begins the next
 * one. State between steps is in the arena.
 */
export class StepStart {
  /** f at the accepted y, after {@link require}. */
  readonly slope: Address;
  readonly jacobian: OdeJacobian;
  readonly counts: Counts;
  readonly costs: ImplicitCosts;
  /** Addresses of StepKnown and StepCounts. */
  readonly known: Address;
  readonly counted: Address;
  readonly #refusal: StepFailure;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #end: Address;
  #kept = new Float64Array(StepKnown.LENGTH);
  #endKnown = false;

  /** `refusal`: error message if the step size underflows. */
  constructor(name: string, refusal: string, ode: Ode, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.jacobian = ode.jacobian?.() ?? differencedJacobian(ode, workspace);
    const counted = workspace.reserve(`${name} counts`, Object.keys(NO_COSTS).length);
    this.counted = counted.address;
    this.counts = arenaRecord(workspace, counted.name, NO_COSTS, counted);
    this.costs = costsOf(this.jacobian.source, this.counts);
    this.#refusal = new StepFailure(refusal);
    this.slope = workspace.vector(`${name} first slope`, n);
    this.#end = workspace.vector(`${name} last slope`, n);
    const kept = workspace.reserve(`${name} knows the beginning`, StepKnown.LENGTH);
    this.known = kept.address;
    workspace.whenSealed((arena) => {
      this.#kept = arena.floats(kept);
    });
  }

  /** Whether df/dy is that at the accepted y. */
  get isCurrent(): boolean {
    return this.#kept[StepKnown.CURRENT] === 1;
  }

  /** Evaluates the slope unless it is known. */
  require(t: number): void {
    this.#endKnown = false;
    if (this.#kept[StepKnown.SLOPE] === 1) return;
    this.#slopeAtState(t, this.slope);
    this.#kept[StepKnown.SLOPE] = 1;
  }

  /** Computes df/dy at the accepted y, whose slope must be known. */
  differentiate(t: number): void {
    const { dimension, trial, y } = this.#ode;
    this.#kept[StepKnown.CURRENT] = 0;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.jacobian.evaluate(t, this.slope);
    this.counts.jacobians++;
    this.#kept[StepKnown.CURRENT] = 1;
  }

  /** Computes the slope at y as that of the end of the step. */
  end(t: number): void {
    this.#slopeAtState(t, this.#end);
    this.#endKnown = true;
  }

  /** Marks the end slope as known, after a kernel has computed it in place of {@link end}. */
  hasEnded(): void {
    this.#endKnown = true;
  }

  /** f at the end of the step, after {@link end}. */
  get endSlope(): Address {
    return this.#end;
  }

  /** Makes the end the beginning of the next step. */
  commit(): void {
    if (this.#endKnown) {
      this.#workspace.kernels.copyVector(this.#ode.dimension, this.#end, this.slope);
    }
    this.#kept[StepKnown.SLOPE] = this.#endKnown ? 1 : 0;
    this.#kept[StepKnown.CURRENT] = 0;
    this.#endKnown = false;
  }

  reset(): void {
    this.#kept.fill(0);
    this.#endKnown = false;
  }

  /** Rejects the step; a step shorter by the factor may succeed. */
  refuse(factor: number): never {
    this.counts.convergenceFailures++;
    this.#refusal.factor = factor;
    // With algebraic unknowns df/dy is that of the middle of the step, which differs in a shorter one.
    if (this.#ode.algebraic) this.#kept[StepKnown.CURRENT] = 0;
    throw this.#refusal;
  }

  #slopeAtState(t: number, out: Address): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.#ode.rate(t, out);
  }
}

/** Counters in the arena: restored runs continue from the saved counts. */
export type Counts = Record<Exclude<keyof ImplicitCosts, "jacobianSource">, number>;

/** Zero counts, in the order of StepCounts. */
export const NO_COSTS: Readonly<Counts> = {
  jacobians: 0,
  factorisations: 0,
  convergenceFailures: 0,
  checks: 0,
};

/** Returns the costs of a method, which reflect its counts at the time they are read. */
export function costsOf(how: string, counts: Counts): ImplicitCosts {
  return {
    jacobianSource: how,
    get jacobians() {
      return counts.jacobians;
    },
    get factorisations() {
      return counts.factorisations;
    },
    get convergenceFailures() {
      return counts.convergenceFailures;
    },
    get checks() {
      return counts.checks;
    },
  };
}
