import { RadauTable, RadauVerdict, RadauWeights } from "../../../../assembly/layout-radau.js";
import { power } from "../../../ground/algebra/portable-power.js";
import type { Address, Segment } from "../../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { Ode, OdeJacobian, ShiftedSolver } from "../../../seam/index.js";
import type { Counts } from "../implicit/costs.js";
import { EndCheck } from "../implicit/end-check.js";
import { END, ERROR, NODES, REAL, SHIFT, T, T_INVERSE, T_INVERSE_A } from "./radau-coefficients.js";
import type { RadauMemory } from "./radau-memory.js";

/** By what a step is shortened whose iterations diverge. */
const HALF = 0.5;

/** Tolerance of the Newton iteration. */
export interface IterationTolerance {
  readonly relative: number;
  readonly positions: number;
  readonly velocities: number;
  /** Part of that: iterations end when they leave no more. */
  readonly part: number;
  /** Increments of this size may be rounding: where they do not get smaller, iterations have converged. */
  readonly rounding: number;
  /** Iterations that a step may take. */
  readonly iterations: number;
}

/**
 * Stages of a step by simplified Newton iterations (Hairer and Wanner, Solving ODEs II, section IV.8), from
 * what the polynomial of the step before says about them.
 */
export class RadauNewton {
  /** The state at the beginning of the step, and stages less that, one after the other. */
  readonly base: Address;
  readonly stages: Address;
  /** What each unknown may be wrong by. */
  readonly scale: Address;
  /** The estimate of the error, by {@link estimate}. */
  readonly error: Address;
  /** Solves with I - h / g J. */
  readonly real: ShiftedSolver;
  readonly complex: ShiftedSolver;
  /** RadauTable. */
  readonly table: Segment;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #numbers: RadauMemory;
  readonly #slopes: Address;
  readonly #increment: Address;
  readonly #previous: Address;
  readonly check: EndCheck;

  constructor(
    ode: Ode,
    jacobian: OdeJacobian,
    counts: Counts,
    numbers: RadauMemory,
    workspace: Workspace,
  ) {
    const n = ode.dimension;
    const vector = (name: string, rows: number) => workspace.vector(`radau5 ${name}`, rows * n);
    this.#ode = ode;
    this.#workspace = workspace;
    this.#numbers = numbers;
    this.#stiff = stiffMemory(workspace);
    this.real = jacobian.shifted(false);
    this.complex = jacobian.shifted(true);
    this.base = vector("beginning", 1);
    this.stages = vector("stages", 3);
    this.scale = vector("scale", 1);
    this.error = vector("error", 1);
    this.#slopes = vector("slopes", 3);
    this.#increment = vector("increment", 3);
    this.#previous = vector("previous stages", 3);
    this.check = new EndCheck("radau5", ode, this.real, counts, workspace);
    const transformed = vector("transformed stages", 3);
    const weights = workspace.reserve("radau5 weights", RadauWeights.LENGTH);
    const table = workspace.reserve("radau5 table", Math.ceil(RadauTable.LENGTH / 2));
    this.table = table;
    workspace.whenSealed((arena) => {
      const values = arena.floats(weights);
      values.set([T, T_INVERSE, T_INVERSE_A].flat(2));
      values.set(ERROR, RadauWeights.ERROR);
      values.set(NODES, RadauWeights.NODES);
      values.set([REAL, SHIFT.real, SHIFT.imaginary], RadauWeights.REAL);
      values.set(END, RadauWeights.END);
      const fields = arena.integers(table);
      fields[RadauTable.SIZE] = n;
      fields[RadauTable.POSITIONS] = ode.positions;
      fields[RadauTable.Y] = ode.y;
      fields[RadauTable.TRIAL] = ode.trial;
      fields[RadauTable.BASE] = this.base;
      fields[RadauTable.SCALE] = this.scale;
      fields[RadauTable.STAGES] = this.stages;
      fields[RadauTable.PREVIOUS] = this.#previous;
      fields[RadauTable.TRANSFORMED] = transformed;
      fields[RadauTable.SLOPES] = this.#slopes;
      fields[RadauTable.INCREMENT] = this.#increment;
      fields[RadauTable.ERROR] = this.error;
      fields[RadauTable.WEIGHTS] = weights.address;
      fields[RadauTable.DIFFERENTIAL] = ode.differential ?? n;
      fields[RadauTable.KEPT] = numbers.address;
      fields[RadauTable.CHECK] = this.check.residual;
    });
  }

  /** Factors for steps of length h. False where a matrix is singular. */
  factor(h: number): boolean {
    return (
      this.real.factor(h / REAL, 0) && this.complex.factor(h * SHIFT.real, h * SHIFT.imaginary)
    );
  }

  /** Finds the stages. Gives 0, or by what the step should be shortened where iterations do not converge. */
  solve(t: number, h: number, allowed: IterationTolerance): number {
    const { part, rounding, iterations } = allowed;
    const { kernels } = this.#stiff;
    kernels.radauBegin(
      this.table.address,
      h,
      allowed.relative,
      allowed.positions,
      allowed.velocities,
    );
    this.#ode.weigh?.(h, this.scale);
    for (let k = 1; ; k++) {
      const size = this.#iterate(t, h);
      const verdict = kernels.radauJudge(
        this.#numbers.address,
        k,
        size,
        part,
        rounding,
        iterations,
      );
      if (verdict === RadauVerdict.GO_ON) continue;
      if (verdict === RadauVerdict.CONVERGED) return 0;
      if (verdict === RadauVerdict.DIVERGED) return HALF;
      const rest = Math.max(iterations - 1 - k, 0);
      return 0.8 * power(Math.min(this.#numbers.excess, 20), -1 / (4 + rest));
    }
  }

  /** The stages are those of the last accepted step. */
  keep(): void {
    this.#workspace.kernels.copyVector(3 * this.#ode.dimension, this.stages, this.#previous);
  }

  /** |x| in units of the tolerance: the root mean square. */
  norm(x: Address): number {
    return this.#stiff.kernels.scaledNorm(this.#ode.dimension, x, this.scale);
  }

  /** The trial is the end of the step: the last stage. */
  takeEnd(): void {
    this.#stiff.kernels.radauTrial(this.table.address, 2);
  }

  /** Writes the estimate of the error with a slope at the beginning. */
  estimate(h: number, slope: Address): void {
    this.#stiff.kernels.radauError(this.table.address, h / REAL, slope);
    this.real.solve(this.error, this.error);
  }

  /** The error that the end of the step hides, where f is `rate`: 0 if it is harmless. */
  hiddenError(t: number, h: number, rate: Address): number {
    const slope = this.#ode.eliminatedRate ? this.check.slopeAtEnd(t) : rate;
    this.#stiff.kernels.radauEndResidual(this.table.address, h, slope, this.check.residual);
    return this.check.hiddenError(t, h / REAL, slope, this.scale);
  }

  /** Improves the stages; the trial is the first. Gives the size of the increment. */
  #iterate(t: number, h: number): number {
    const { kernels } = this.#stiff;
    const row = 8 * this.#ode.dimension;
    const table = this.table.address;
    const slopes = this.#slopes;
    const increment = this.#increment;
    this.#ode.rate(t + NODES[0] * h, slopes);
    kernels.radauTrial(table, 1);
    this.#ode.rate(t + NODES[1] * h, slopes + row);
    kernels.radauTrial(table, 2);
    this.#ode.rate(t + NODES[2] * h, slopes + 2 * row);
    kernels.radauResidual(table, h);
    this.real.solve(increment, increment);
    this.complex.solve(increment + row, increment + row);
    return kernels.radauUpdate(table);
  }
}
