import {
  RADAU_FAST as FAST,
  RADAU_ITERATIONS as MOST_ITERATIONS,
} from "../../../../assembly/layout-radau.js";
import { power } from "../../../ground/algebra/portable-power.js";
import { refuseMore } from "../../../ground/checking/index.js";
import type { Address } from "../../../ground/memory/arena.js";
import { stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type {
  AdaptiveIntegrator,
  AdaptiveStepper,
  Ode,
  Sprint,
  StepRule,
} from "../../../seam/index.js";
import { InsideCheck } from "../implicit/end-check.js";
import { StepStart } from "../implicit/step-start.js";
import { RadauAttempt } from "./radau-attempt.js";
import { DENSE, REAL, SLOPE_ROWS } from "./radau-coefficients.js";
import { RadauMemory } from "./radau-memory.js";
import { type IterationTolerance, RadauNewton } from "./radau-newton.js";

/** Tolerance of the iterations if none is set, and the most iterations of a step that cannot be shortened. */
const EXACT = 1e-12;
const MANY = 50;
/**
 * Equations with algebraic unknowns: iterations may leave this part of what others may, and are a few more. Their errors are
 * not damped by stiffness: with RADAU5's part a pendulum was wrong by 140 tolerances, mostly by what iterations had left.
 */
const ALGEBRAIC_PART = 0.01;
const ALGEBRAIC_ITERATIONS = 10;
/** Errors that iterations may leave, and of algebraic unknowns those that may be rounding: h divides that of constraints. */
const LEAST = 10 * Number.EPSILON;
const ROUNDING = 1e3 * Number.EPSILON;
const REFUSAL =
  "radau5: Newton's iteration did not converge: use shorter steps, remove discontinuous forces, or use rodas(), which does not iterate";

/**
 * Radau IIA of order 5, after the code RADAU5 of Hairer and Wanner: three implicit stages, stiffly accurate
 * and L-stable. df/dy and its factors serve many steps. The choice for stiff smooth motion at tolerances from
 * 1e-4 down.
 *
 * The estimate of its error has order 3, the method 5. As in RADAU5 a tolerance e therefore allows an
 * estimate of e^(2/3) / 10: the motion is then wrong by about e. Errors are measured by their root mean square.
 * With algebraic unknowns (index 2 and 3) it is e^(4/5) / 10: the estimate of a step is O(h^4), the error of the motion O(h^5), and
 * errors are proportional to e from 1e-3 to 1e-10.
 *
 * @example
 * solve(suspension, { span: [0, 10], integrator: radau5(), tolerance: 1e-7 });
 */
export function radau5(...more: undefined[]): AdaptiveIntegrator {
  refuseMore("radau5", "METHOD", more);
  return RADAU5;
}

/** One object for all calls: `solve` finds the memory of an earlier run by it. */
const RADAU5: AdaptiveIntegrator = Object.freeze({
  name: "radau5",
  reference: "Hairer and Wanner, Solving ODEs II, 2nd ed., Springer 1996, section IV.8",
  order: 5,
  errorOrder: 4,
  stages: 3,
  isMultistep: false,
  isImplicit: true,
  highestIndex: 3,
  bind: (ode: Ode, workspace: Workspace) => new RadauStepper(ode, workspace),
});

class RadauStepper implements AdaptiveStepper {
  readonly interpolantRows = 5;
  readonly rule: StepRule;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #beginning: StepStart;
  readonly #numbers: RadauMemory;
  readonly #newton: RadauNewton;
  readonly #zero: Address;
  readonly #slope: Address;
  readonly #dense: readonly Address[];
  readonly #rounding: number;
  readonly #inside: InsideCheck;
  readonly #whole: RadauAttempt | undefined;
  readonly #isAlgebraic: boolean;
  #allowed: IterationTolerance;
  /** What iterations with a new Jacobian have to reach, where the step cannot be shortened. */
  #last: IterationTolerance | undefined;
  #tolerates = false;
  /** The attempt was made in one call, which found its error as well. */
  #isJudged = false;

  constructor(ode: Ode, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#beginning = new StepStart("radau5", REFUSAL, ode, workspace);
    this.#numbers = new RadauMemory(workspace);
    const { jacobian, counts } = this.#beginning;
    this.#newton = new RadauNewton(ode, jacobian, counts, this.#numbers, workspace);
    const stiff = stiffMemory(workspace);
    const { address } = this.#numbers;
    this.rule = {
      accepted: (h, error) => stiff.kernels.radauNext(address, h, error),
      rejected: (h, error) => stiff.kernels.radauNext(address, h, error),
    };
    this.#zero = workspace.vector("radau5 zero", n);
    this.#slope = workspace.vector("radau5 slope of the error", n);
    this.#whole = RadauAttempt.of(ode, this.#beginning, this.#newton, this.#slope, workspace);
    this.#inside = new InsideCheck("radau5", ode, this, this.#newton.check, workspace);
    this.#dense = DENSE.map((row) => workspace.constants("radau5 weights", row));
    this.#isAlgebraic = ode.differential !== undefined;
    this.#rounding = this.#isAlgebraic ? ROUNDING : 0;
    this.#allowed = this.#tolerance(EXACT, EXACT, EXACT, MANY);
  }

  get costs() {
    return this.#beginning.costs;
  }

  get skipsEndEvaluation(): boolean {
    return !this.#isJudged && this.#newton.check.evaluates;
  }

  setTolerance(
    relative: number,
    positions: number,
    velocities: number,
    hasFixedSteps = false,
  ): void {
    const largest = Math.max(relative, positions, velocities);
    const { tolerancePart = 1 } = this.#ode;
    const factor = 0.1 * tolerancePart * power(largest, this.#isAlgebraic ? -1 / 5 : -1 / 3);
    const [r, p, v] = [factor * relative, factor * positions, factor * velocities];
    const iterations = this.#isAlgebraic ? ALGEBRAIC_ITERATIONS : MOST_ITERATIONS;
    const allowed = this.#tolerance(r, p, v, iterations);
    const part = this.#isAlgebraic ? ALGEBRAIC_PART * allowed.part : allowed.part;
    this.#allowed = { ...allowed, part };
    this.#last = hasFixedSteps ? { ...allowed, iterations: MANY } : undefined;
    this.#tolerates = true;
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  attempt(t: number, h: number): void {
    const isWhole = this.#tolerates && !this.#inside.looksAt(h);
    this.#isJudged = isWhole && this.#whole?.step(t, h, this.#allowed) === true;
    if (!this.#isJudged) this.#attempt(t, h);
  }

  #attempt(t: number, h: number): void {
    const beginning = this.#beginning;
    const numbers = this.#numbers;
    beginning.require(t);
    const isNew = numbers.factored === 0;
    if (isNew || numbers.rejected || numbers.contraction > FAST) this.#differentiate(t);
    let shorter = this.#solve(t, h, this.#allowed);
    if (shorter > 0 && (!beginning.isCurrent || this.#last)) {
      this.#differentiate(t);
      shorter = this.#solve(t, h, this.#last ?? this.#allowed);
    }
    if (shorter > 0) {
      numbers.rejected = true;
      beginning.refuse(shorter);
    }
    this.#newton.takeEnd();
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  error(t: number, h: number, norm: (error: Address) => number): number {
    if (this.#isJudged) return this.#numbers.error;
    const { dimension: n, trial } = this.#ode;
    const { base, error } = this.#newton;
    const { rejected, previousLength } = this.#numbers;
    let size = this.#estimate(h, this.#beginning.slope, norm);
    // Fast parts that have died out may hide in the slope at the beginning: they are filtered once more.
    if (size >= 1 && (rejected || previousLength === 0)) {
      this.#workspace.kernels.axpy(n, 1, error, base, trial);
      this.#ode.rate(t, this.#slope);
      size = this.#estimate(h, this.#slope, norm);
    }
    this.#beginning.end(t + h);
    if (!(this.#tolerates && size <= 1)) return size;
    const newton = this.#newton;
    const hidden = newton.hiddenError(t + h, h, this.#beginning.endSlope);
    if (hidden > 1) return hidden;
    return Math.max(size, this.#inside.hiddenError(t, h, h / REAL, newton.base, newton.scale));
  }

  sprint(sprint: Sprint, count: number): number {
    if (!(this.#tolerates && this.#whole)) return 0;
    const steps = this.#whole.sprint(sprint, count, this.#allowed, this.#inside.short);
    if (steps > 0) this.#inside.commit(sprint.shortest);
    return steps;
  }

  commit(_t: number, h: number): void {
    const numbers = this.#numbers;
    this.#beginning.commit();
    this.#newton.keep();
    this.#inside.commit(h);
    numbers.previousLength = h;
    numbers.rejected = false;
  }

  reset(): void {
    this.#beginning.reset();
    this.#numbers.forget();
  }

  interpolant(_t: number, _h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    const { stages, error } = this.#newton;
    const zero = this.#zero;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let k = 0; k < SLOPE_ROWS.length; k++) {
      const row = out + 8 * n * (k + 2);
      const weights = this.#dense[k];
      if (weights === undefined) kernels.copyVector(n, zero, row);
      else kernels.combine(n, 3, 1, zero, stages, weights, row);
      kernels.axpy(n, SLOPE_ROWS[k] as number, error, row, row);
    }
  }

  #differentiate(t: number): void {
    if (this.#beginning.isCurrent) return;
    this.#numbers.factored = 0;
    this.#beginning.differentiate(t);
  }

  /** Finds the stages. Gives 0, or by what the step should be shortened. */
  #solve(t: number, h: number, allowed: IterationTolerance): number {
    const numbers = this.#numbers;
    if (numbers.factored !== h) {
      numbers.factored = 0;
      this.#beginning.counts.factorisations++;
      if (!this.#newton.factor(h)) return 0.5;
      numbers.factored = h;
    }
    return this.#newton.solve(t, h, allowed);
  }

  /** Writes the error with a slope at the beginning, and gives its size. */
  #estimate(h: number, slope: Address, norm: (error: Address) => number): number {
    const newton = this.#newton;
    newton.estimate(h, slope);
    return this.#tolerates ? newton.norm(newton.error) : norm(newton.error);
  }

  /** Iterations may leave a small part of the tolerance, but for rounding. */
  #tolerance(
    relative: number,
    positions: number,
    velocities: number,
    iterations: number,
  ): IterationTolerance {
    const largest = Math.max(relative, positions, velocities);
    const part = Math.max(LEAST / largest, Math.min(0.03, Math.sqrt(largest)));
    return {
      relative,
      positions,
      velocities,
      part,
      rounding: this.#rounding / largest,
      iterations,
    };
  }
}
