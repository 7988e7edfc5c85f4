// Rosenbrock methods, in the form that needs no products with J:
//
//   (I - h gamma J) u_i = h gamma f(t + alpha_i h, y + sum a_ij u_j) + gamma sum c_ij u_j + gamma gamma_i h^2 f_t
//
// with y + sum m_j u_j at the end of the step.

import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import { stiffMemory } from "../../../base/memory/stiff-memory.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type {
  AdaptiveStepper,
  Ode,
  OdeJacobian,
  ShiftedSolver,
  StepTolerance,
} from "../../../interfaces/index.js";
import { writeHermite } from "../hermite.js";
import { EndCheck, InsideCheck, StepStart } from "../implicit/end-check.js";

/** Coefficients of a Rosenbrock method. */
export interface RosenbrockTableau {
  readonly name: string;
  /** The error estimate is O(h^errorOrder). */
  readonly errorOrder: number;
  readonly gamma: number;
  /** Times of the stages, in steps. */
  readonly alpha: readonly number[];
  /** Weights of f_t. */
  readonly gammaSums: readonly number[];
  /** Weights of the states at which stages are evaluated; the last row is the end of the step. */
  readonly a: readonly (readonly number[])[];
  readonly c: readonly (readonly number[])[];
  /** Weights of the error estimate. */
  readonly error: readonly number[];
  /** Rows 2 and 3 of dense output; if undefined, the cubic through both ends. */
  readonly dense?: readonly (readonly number[])[];
  /** Number of steps of equal length that use one df/dy, df/dt and factor; above 1 only if that keeps the order. */
  readonly serves: number;
  /**
   * Residual in the check of the end (../implicit/end-check.ts). "lastStage": the last stage corrects the end at t +
   * h, so the residual is g (f(end) - f(last stage)) + right - u_last. "slope": the slope of the parabola through
   * both ends and the first slope minus f at the end, which contains the truncation error.
   */
  readonly endCheck: "lastStage" | "slope";
}

/** Fractions of the step and of the time that form the increment of df/dt, large enough to exceed rounding. */
const TIME_INCREMENT_STEP_FRACTION = 2 ** -20;
const TIME_INCREMENT_FRACTION = 2 ** -26;

/**
 * Factor of the allowed error at the end over the estimate by the matrix, if its residual contains the truncation
 * error.
 */
const ALLOWED_EXCESS = 10;

/**
 * A Rosenbrock method bound to an ODE. A step takes at most one df/dy and one factorisation, and a solve for each
 * stage.
 */
export class RosenbrockStepper implements AdaptiveStepper {
  readonly interpolantRows = 4;
  readonly currentOrder: number;
  readonly #tableau: RosenbrockTableau;
  readonly #stageCount: number;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #beginning: StepStart;
  readonly #solver: ShiftedSolver;
  /** u_1, u_2, ... */
  readonly #u: Address;
  readonly #timeSlope: Address;
  readonly #slope: Address;
  readonly #right: Address;
  readonly #zero: Address;
  readonly #estimate: Address;
  readonly #stages: readonly Address[];
  readonly #rights: readonly Address[];
  readonly #error: Address;
  readonly #dense: readonly Address[] | undefined;
  /** Number of steps that have used the factor, and their length; 0 if there is no factor. */
  readonly #factor: { served: number; length: number };
  readonly #check: EndCheck;
  readonly #inside: InsideCheck;
  readonly #scale: Address;
  readonly #before: Address;
  #tolerance: readonly [relative: number, positions: number, velocities: number] | undefined;

  constructor(tableau: RosenbrockTableau, ode: Ode, workspace: Workspace) {
    const { name, gamma, alpha, a, c, error, dense } = tableau;
    const n = ode.dimension;
    const refusal = `${name}: I - h gamma df/dy is singular or not finite: take shorter steps, or look for forces that jump or are not finite`;
    this.#tableau = tableau;
    this.currentOrder = tableau.errorOrder - 1;
    this.#stageCount = alpha.length;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#beginning = new StepStart(name, refusal, ode, workspace);
    this.#solver = this.#beginning.jacobian.shifted(false);
    this.#u = workspace.vector(`${name} stages`, alpha.length * n);
    this.#timeSlope = workspace.vector(`${name} df/dt`, n);
    this.#slope = workspace.vector(`${name} slope`, n);
    this.#right = workspace.vector(`${name} right side`, n);
    this.#zero = workspace.vector(`${name} zero`, n);
    this.#estimate = workspace.vector(`${name} estimate`, n);
    const list = (rows: readonly (readonly number[])[], factor = 1) =>
      rows.map((row) =>
        workspace.constants(
          `${name} weights`,
          row.map((weight) => factor * weight),
        ),
      );
    this.#stages = list(a);
    this.#rights = list(c, gamma);
    this.#error = list([error])[0]!;
    this.#dense = dense && list(dense);
    this.#factor = arenaRecord(workspace, `${name} factor`, { served: 0, length: 0 });
    this.#check = new EndCheck(name, ode, this.#solver, this.#beginning.counts, workspace);
    this.#inside = new InsideCheck(name, ode, this, this.#check, workspace);
    this.#scale = workspace.vector(`${name} scale`, n);
    this.#before = workspace.vector(`${name} beginning`, n);
  }

  setTolerance({ relative, positions, velocities }: StepTolerance): void {
    this.#tolerance = [relative, positions, velocities];
  }

  get skipsEndEvaluation(): boolean {
    return this.#check.evaluates;
  }

  /** df/dy, from which solvers can be created. Call `reset` after differentiating at another state. */
  get jacobian(): OdeJacobian {
    return this.#beginning.jacobian;
  }

  /** x = (I - h gamma df/dy)^-1 x, by the factor of the last attempt. */
  filter(x: Address): void {
    this.#solver.solve(x, x);
  }

  get costs() {
    return this.#beginning.costs;
  }

  attempt(t: number, h: number): void {
    this.#beginning.require(t);
    const { served, length } = this.#factor;
    if (length !== h || served >= this.#tableau.serves) this.#renewFactor(t, h);
    for (let i = 0; i < this.#stageCount; i++) this.#stage(i, t, h);
    this.#place(this.#stageCount);
    this.#workspace.kernels.copyVector(this.#ode.dimension, this.#ode.y, this.#before);
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    this.#beginning.end(t + h);
    const size = norm(this.errorVector());
    return size <= 1 ? Math.max(size, this.#hiddenError(t + h, h)) : size;
  }

  /** Error estimate of the last attempt. */
  errorVector(): Address {
    const out = this.#estimate;
    const n = this.#ode.dimension;
    const { kernels } = this.#workspace;
    kernels.combine(n, this.#stageCount, 1, this.#zero, this.#u, this.#error, out);
    return out;
  }

  #hiddenError(t: number, h: number): number {
    if (this.#tolerance === undefined) return 0;
    const { kernels } = this.#workspace;
    const { gamma, endCheck } = this.#tableau;
    const { dimension: n, positions, y } = this.#ode;
    const { slope: first, endSlope: f } = this.#beginning;
    const { residual } = this.#check;
    const scale = this.#scale;
    const g = h * gamma;
    if (endCheck === "lastStage") {
      const last = this.#u + 8 * n * (this.#stageCount - 1);
      kernels.axpy(n, -1, last, this.#right, residual);
      kernels.axpy(n, g, f, residual, residual);
      kernels.axpy(n, -g, this.#slope, residual, residual);
    } else {
      kernels.axpy(n, -1, y, this.#before, residual);
      kernels.axpy(n, h / 2, f, residual, residual);
      kernels.axpy(n, h / 2, first, residual, residual);
      kernels.axpy(n, 2 * gamma - 1, residual, residual, residual);
    }
    const stiff = stiffMemory(this.#workspace).kernels;
    const [relative, inPositions, inVelocities] = this.#tolerance;
    stiff.toleranceScale(n, positions, relative, inPositions, inVelocities, y, scale);
    const hidden = this.#check.hiddenError(
      t,
      g,
      f,
      scale,
      endCheck === "slope" ? ALLOWED_EXCESS : 1,
    );
    return hidden > 0 ? hidden : this.#inside.hiddenError(t - h, h, g, this.#before, scale);
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  commit(_t: number, h: number): void {
    this.#inside.commit(h);
    this.#beginning.commit();
    this.#factor.served++;
  }

  reset(): void {
    this.#beginning.reset();
    this.#factor.length = 0;
  }

  interpolant(_t: number, h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    if (this.#dense === undefined) {
      const { slope, endSlope } = this.#beginning;
      writeHermite(this.#workspace, n, h, before, y, slope, endSlope, out);
      return;
    }
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let k = 0; k < this.#dense.length; k++) {
      const row = out + 8 * n * (k + 2);
      const weights = this.#dense[k] as Address;
      kernels.combine(n, this.#stageCount - 1, 1, this.#zero, this.#u, weights, row);
    }
  }

  #renewFactor(t: number, h: number): void {
    const beginning = this.#beginning;
    const factor = this.#factor;
    factor.length = 0;
    if (!beginning.isCurrent) {
      // In this order: df/dy needs the state of the slope, which is then still current.
      beginning.differentiate(t);
      this.#differentiateByTime(t, h);
    }
    beginning.counts.factorisations++;
    if (!this.#solver.factor(h * this.#tableau.gamma, 0)) beginning.refuse(0.5);
    factor.length = h;
    factor.served = 0;
  }

  /** Sets the trial to the state of a stage or to the end of the step. */
  #place(index: number): void {
    const { dimension, trial, y } = this.#ode;
    const weights = this.#stages[index] as Address;
    this.#workspace.kernels.combine(dimension, index, 1, y, this.#u, weights, trial);
  }

  #stage(i: number, t: number, h: number): void {
    const { kernels } = this.#workspace;
    const { gamma, gammaSums } = this.#tableau;
    const n = this.#ode.dimension;
    const right = this.#right;
    const slope = i === 0 ? this.#beginning.slope : this.#slope;
    if (i > 0 && !this.#isWhereTheLastWas(i)) {
      this.#place(i);
      this.#ode.rate(t + (this.#tableau.alpha[i] as number) * h, slope);
    }
    kernels.combine(n, i, 1, this.#zero, this.#u, this.#rights[i] as Address, right);
    kernels.axpy(n, h * gamma, slope, right, right);
    const byTime = h * h * gamma * (gammaSums[i] as number);
    if (byTime !== 0) kernels.axpy(n, byTime, this.#timeSlope, right, right);
    this.#solver.solve(right, this.#u + 8 * n * i);
  }

  /** Whether a stage has the same time and state as the previous one, and so needs no evaluation. */
  #isWhereTheLastWas(i: number): boolean {
    const { alpha, a } = this.#tableau;
    if (i < 2 || alpha[i] !== alpha[i - 1] || a[i]![i - 1] !== 0) return false;
    return a[i - 1]!.every((weight, j) => weight === a[i]![j]);
  }

  /** Computes df/dt by a finite difference towards the end of the step, exactly zero if f does not depend on time. */
  #differentiateByTime(t: number, h: number): void {
    const { kernels } = this.#workspace;
    const { dimension: n, trial, y } = this.#ode;
    const length = Math.max(
      TIME_INCREMENT_STEP_FRACTION * Math.abs(h),
      TIME_INCREMENT_FRACTION * Math.abs(t),
    );
    const later = t + Math.sign(h) * length;
    kernels.copyVector(n, y, trial);
    this.#ode.rate(later, this.#slope);
    kernels.axpy(n, -1, this.#beginning.slope, this.#slope, this.#slope);
    kernels.axpy(n, 1 / (later - t), this.#slope, this.#zero, this.#timeSlope);
  }
}
