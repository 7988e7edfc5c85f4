import type { Address } from "../ground/memory/arena.js";

/**
 * The ODE an integrator sees, y' = f(t, y), or D y' = f(t, y) with D one for the first {@link differential} unknowns and
 * zero for the others. `rate` evaluates f at `trial`.
 */
export interface Ode {
  /** Number of unknowns. */
  readonly dimension: number;
  /** The first `positions` entries of y are positions. */
  readonly positions: number;
  /** How many unknowns are differentiated: the algebraic ones behind them satisfy 0 = f. Missing: all. */
  readonly differential?: number;
  /**
   * Weighs what each unknown may be wrong by, in a step of length h, where unknowns differ in their index. Integrators
   * call it after they have written the tolerances.
   */
  weigh?(h: number, scale: Address): void;
  /** Part of the tolerance that estimates of errors may use, where they miss some of the error. Default: 1. */
  readonly tolerancePart?: number;
  /** The accepted y. */
  readonly y: Address;
  /** Where {@link rate} evaluates. */
  readonly trial: Address;
  /** f(t, trial). */
  rate(t: number, out: Address): void;
  /**
   * f of the differentiated unknowns of `trial`, with the algebraic ones that follow from them: {@link rate} takes those of
   * `trial` as they are. Present where there are algebraic ones.
   */
  eliminatedRate?(t: number, out: Address): void;
  /**
   * The stages of an explicit Runge-Kutta step from (t, y) in one, and its end as trial state: what {@link rate} gives
   * stage by stage, bit by bit. Returns how many have their slopes then: where a stage failed, or needs more than kernels,
   * it and those behind it are left to `rate`. Missing where something but kernels takes part in all stages.
   */
  stages?(t: number, h: number, step: ExplicitStages): number;
  /**
   * Up to `count` whole steps from (t, y), with all that the stabilisation and the system do at their ends, bit by bit:
   * y is the end of the last one. Returns how many were done: the next one needs more than kernels. Missing where all do.
   */
  steps?(t: number, h: number, count: number, step: ExplicitStages): number;
  /**
   * The smallest error that the run allows in a number: f of stages needs no more digits than that asks for. Accepted
   * states are exact whatever is said. Default: 0.
   */
  tolerate?(smallest: number): void;
  /** f and df/dy for kernels that call them themselves. */
  readonly compiled?: CompiledOde;
  /** Analytic df/dy, if there is one; reserves memory. Otherwise f is differenced. */
  jacobian?(): OdeJacobian;
  /**
   * Present where y is positions and velocities: for methods that treat the two in different ways. Moves the positions of
   * `trial` on from those of y, for a time h, by the velocities that `trial` has. What the slope `f` at y adds to the
   * rates of the positions besides y's own velocities is added as well.
   */
  movePositions?(h: number, f: Address): void;
}

/** An explicit Runge-Kutta method in memory. */
export interface ExplicitStages {
  /** The first stage to evaluate: slopes before it are known. */
  readonly first: number;
  /** Number of stages. */
  readonly count: number;
  /** Rows of `count` weights: of the slopes before each stage, then of all for the end of the step. */
  readonly tableau: Address;
  /** When stages are, from 0 for the beginning of the step to 1 for its end: `count` numbers. */
  readonly nodes: Address;
  /** Slopes of all stages, one after the other. */
  readonly slopes: Address;
}

/** f and df/dy as functions of WebAssembly over the memory of the trial. */
export interface CompiledOde {
  /** Where both read the time. */
  readonly time: Address;
  /**
   * Once the memory is sealed: `rate(out)` gives 1 where f is finite, `jacobian(out)` writes what is not always zero of
   * df/dy, by columns. Undefined where the host does not compile.
   */
  functions(): { readonly rate: CallableFunction; readonly jacobian: CallableFunction } | undefined;
  /** Kernels have evaluated f so many times. */
  evaluated?(times: number): void;
}

/** df/dy at a state, for implicit methods. */
export interface OdeJacobian {
  /** "analytic", or "by differences" with the reason. */
  readonly source: string;
  /** Evaluates df/dy at t and `trial`; `f` holds f there. May overwrite `trial`. */
  evaluate(t: number, f: Address): void;
  /** A solver for D - alpha df/dy with its own factor; alpha is complex if `complex`, else real. Reserves memory. */
  shifted(complex: boolean): ShiftedSolver;
}

/** Solves linear systems with I - alpha df/dy, dense or structured. */
export interface ShiftedSolver {
  /** Factors I - alpha df/dy, alpha = real + i imaginary. False where that is singular. */
  factor(real: number, imaginary: number): boolean;
  /** x = (I - alpha df/dy)^-1 b. Complex vectors are all real parts, then all imaginary ones. x may be b. */
  solve(b: Address, x: Address): void;
  /** Where it is dense, for kernels that factor and solve themselves. */
  readonly dense?: DenseShifted;
}

/** df/dy by columns, the factor, and what both need besides: room for I - alpha df/dy, or pivots and scratch. */
export interface DenseShifted {
  readonly matrix: Address;
  readonly factor: Address;
  readonly work: Address;
  readonly pivots: Address;
}

/** y' = f(t, y) at the trial state of a system. */
export interface OdeFunctions {
  /** out = f(t, y). */
  rate(t: number, out: Address): void;
  /** See {@link Ode.stages}. */
  readonly stages?: Ode["stages"];
  /** out = df/dy, n x n by columns; missing where no formulas are given. */
  jacobian?(t: number, out: Address): void;
  /** The same for kernels. */
  readonly compiled?: CompiledOde;
  /** The places of df/dy that are not always zero, where these are few. */
  readonly sparse?: SparseOdeJacobian;
}

/** df/dy of a plain differential equation number by number. */
export interface SparseOdeJacobian {
  /** Row and column of each number. */
  readonly places: readonly (readonly [row: number, column: number])[];
  /** out = the numbers, in the order of their places. */
  evaluate(t: number, out: Address): void;
}
