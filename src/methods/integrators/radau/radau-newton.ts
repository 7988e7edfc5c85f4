import { power } from "../../../ground/algebra/portable-power.js";
import type { Address } from "../../../ground/memory/arena.js";
import { type StiffMemory, stiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { Ode, OdeJacobian, ShiftedSolver } from "../../../seam/index.js";
import {
  NODES,
  REAL,
  SHIFT,
  T,
  T_INVERSE,
  T_INVERSE_A,
  writeExtrapolation,
} from "./radau-coefficients.js";
import type { RadauMemory } from "./radau-memory.js";
import { FAST } from "./radau-rule.js";

/** Contraction from which iterations count as divergent. */
const DIVERGENT = 0.99;
/** By what a step is shortened whose iterations diverge. */
const HALF = 0.5;

/** Tolerance of the Newton iteration. */
export interface IterationTolerance {
  readonly relative: number;
  readonly positions: number;
  readonly velocities: number;
  /** Part of that: iterations end when they leave no more. */
  readonly part: number;
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
  /** What each unknown may be wrong by, three times. */
  readonly scale: Address;
  readonly zero: Address;
  /** Solves with I - h / g J. */
  readonly real: ShiftedSolver;
  readonly #complex: ShiftedSolver;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #stiff: StiffMemory;
  readonly #numbers: RadauMemory;
  readonly #transformed: Address;
  readonly #slopes: Address;
  readonly #increment: Address;
  readonly #previous: Address;
  readonly #toStages: readonly Address[];
  readonly #fromStages: readonly Address[];
  readonly #ofSlopes: readonly Address[];
  readonly #extrapolation: readonly Address[];
  #extrapolationWeights = new Float64Array(9);

  constructor(ode: Ode, jacobian: OdeJacobian, numbers: RadauMemory, workspace: Workspace) {
    const n = ode.dimension;
    const threefold = (name: string) => workspace.vector(`radau5 ${name}`, 3 * n);
    const weights = (rows: readonly (readonly number[])[]) =>
      rows.map((row) => workspace.constants("radau5 weights", row));
    this.#ode = ode;
    this.#workspace = workspace;
    this.#numbers = numbers;
    this.#stiff = stiffMemory(workspace);
    this.real = jacobian.shifted(false);
    this.#complex = jacobian.shifted(true);
    this.base = workspace.vector("radau5 beginning", n);
    this.zero = workspace.vector("radau5 zero", n);
    this.stages = threefold("stages");
    this.scale = threefold("scale");
    this.#transformed = threefold("transformed stages");
    this.#slopes = threefold("slopes");
    this.#increment = threefold("increment");
    this.#previous = threefold("previous stages");
    this.#toStages = weights(T);
    this.#fromStages = weights(T_INVERSE);
    this.#ofSlopes = weights(T_INVERSE_A);
    const extrapolation = workspace.reserve("radau5 extrapolation", 9);
    this.#extrapolation = [0, 1, 2].map((i) => extrapolation.address + 24 * i);
    workspace.whenSealed((arena) => {
      this.#extrapolationWeights = arena.floats(extrapolation);
    });
  }

  /** Factors for steps of length h. False where a matrix is singular. */
  factor(h: number): boolean {
    return (
      this.real.factor(h / REAL, 0) && this.#complex.factor(h * SHIFT.real, h * SHIFT.imaginary)
    );
  }

  /** Finds the stages. Gives 0, or by what the step should be shortened where iterations do not converge. */
  solve(t: number, h: number, allowed: IterationTolerance): number {
    this.#begin(h, allowed);
    const numbers = this.#numbers;
    let slowness = power(Math.max(numbers.slowness, Number.EPSILON), 0.8);
    let contraction = FAST;
    let before = 0;
    let quotientBefore = 0;
    for (let k = 1; k <= allowed.iterations; k++) {
      const size = this.#iterate(t, h);
      if (!(size < Number.POSITIVE_INFINITY)) return HALF;
      if (k > 1) {
        const quotient = size / before;
        contraction = k === 2 ? quotient : Math.sqrt(quotient * quotientBefore);
        quotientBefore = quotient;
        if (!(contraction < DIVERGENT)) return HALF;
        slowness = contraction / (1 - contraction);
        const shorter = forecast(k, slowness * size, contraction, allowed);
        if (shorter > 0) return shorter;
      }
      before = Math.max(size, Number.EPSILON);
      if (slowness * size <= allowed.part) {
        numbers.slowness = slowness;
        numbers.contraction = contraction;
        numbers.iterations = k;
        return 0;
      }
    }
    return HALF;
  }

  /** The stages are those of the last accepted step. */
  keep(): void {
    this.#workspace.kernels.copyVector(3 * this.#ode.dimension, this.stages, this.#previous);
  }

  /** |x| in units of the tolerance: the root mean square. */
  norm(x: Address): number {
    return this.#stiff.kernels.scaledNorm(this.#ode.dimension, x, this.scale);
  }

  #begin(h: number, { relative, positions, velocities }: IterationTolerance): void {
    const { kernels } = this.#workspace;
    const { dimension: n, positions: first, y } = this.#ode;
    const { previousLength } = this.#numbers;
    const { base, scale } = this;
    kernels.copyVector(n, y, base);
    this.#stiff.kernels.toleranceScale(n, first, relative, positions, velocities, base, scale);
    kernels.copyVector(n, scale, scale + 8 * n);
    kernels.copyVector(n, scale, scale + 16 * n);
    // All weights zero where there was no step before.
    if (previousLength === 0) this.#extrapolationWeights.fill(0);
    else writeExtrapolation(h / previousLength, this.#extrapolationWeights);
    this.#mix(1, this.#previous, this.#extrapolation, this.stages);
    this.#mix(1, this.stages, this.#fromStages, this.#transformed);
  }

  /** Improves the stages. Gives the size of the increment. */
  #iterate(t: number, h: number): number {
    const { kernels } = this.#workspace;
    const { dimension: n, trial } = this.#ode;
    const row = 8 * n;
    for (let i = 0; i < 3; i++) {
      kernels.axpy(n, 1, this.stages + row * i, this.base, trial);
      this.#ode.rate(t + (NODES[i] as number) * h, this.#slopes + row * i);
    }
    const increment = this.#increment;
    const transformed = this.#transformed;
    this.#mix(h, this.#slopes, this.#ofSlopes, increment);
    kernels.axpy(3 * n, -1, transformed, increment, increment);
    this.real.solve(increment, increment);
    this.#complex.solve(increment + row, increment + row);
    kernels.axpy(3 * n, 1, increment, transformed, transformed);
    this.#mix(1, transformed, this.#toStages, this.stages);
    return this.#stiff.kernels.scaledNorm(3 * n, increment, this.scale);
  }

  /** Three rows, each factor times a sum of three others. */
  #mix(factor: number, rows: Address, weights: readonly Address[], out: Address): void {
    const n = this.#ode.dimension;
    for (let i = 0; i < 3; i++) {
      const to = out + 8 * n * i;
      this.#workspace.kernels.combine(n, 3, factor, this.zero, rows, weights[i] as Address, to);
    }
  }
}

/** 0 if convergence is predicted within the remaining iterations, else the factor for a shorter step. */
function forecast(
  k: number,
  left: number,
  contraction: number,
  { part, iterations }: IterationTolerance,
): number {
  const rest = Math.max(iterations - 1 - k, 0);
  let times = left / part;
  for (let i = 0; i < rest; i++) times *= contraction;
  if (times < 1) return 0;
  return 0.8 * power(Math.min(times, 20), -1 / (4 + rest));
}
