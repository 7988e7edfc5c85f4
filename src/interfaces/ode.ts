import type { Address } from "../base/memory/arena.js";

/**
 * The ODE that an integrator solves: y' = f(t, y), or D y' = f(t, y) with D one for the differential unknowns and zero
 * for the others. `rate` evaluates f at `trial`.
 *
 * Contract of an implementation:
 *
 * 1. {@link y} is the accepted vector, {@link trial} the argument of f. Both have {@link dimension} values and a fixed
 *    address.
 * 2. `rate(t, out)` writes f(t, trial) to `out`, which is neither `y` nor `trial`. It does not change `y`;
 *    stabilisations may correct `trial`.
 * 3. If f is not finite or a user function throws, `rate` throws, and the caller may attempt a shorter step.
 * 4. A capability is an optional object, which integrators look up once, when they bind. It is a shortcut: its results
 *    are bitwise identical to those of `rate`.
 */
export interface Ode {
  /** Number of unknowns. */
  readonly dimension: number;
  /** Number of positions, which are the first entries of y. */
  readonly positions: number;
  /** The accepted y. */
  readonly y: Address;
  /** The argument of {@link rate}. */
  readonly trial: Address;
  /** out = f(t, trial). */
  rate(t: number, out: Address): void;
  /**
   * Sets the smallest error that the run permits in a component of y: f of stages needs no more accuracy. Accepted
   * states are exact in any case.
   */
  tolerate(smallest: number): void;
  /** Defined if there are algebraic unknowns. */
  readonly algebraic?: AlgebraicUnknowns;
  /** Kernels that take several stages or steps in one call. Absent if every stage needs more than kernels. */
  readonly fused?: FusedOde;
  /** f and df/dy for kernels that call them directly. */
  readonly compiled?: CompiledOde;
  /** Returns the analytic df/dy and reserves its memory. Absent if finite differences must be used. */
  jacobian?(): OdeJacobian;
  /**
   * Advances the positions of `trial` from those of y over a time h, with the velocities of `trial`. If the slope `f`
   * at y adds corrections to the rates of the positions, they are added as well. Defined if y consists of positions
   * and velocities, for methods that treat the two differently.
   */
  movePositions?(h: number, f: Address): void;
}

/** The unknowns after the differential ones, which satisfy 0 = f. */
export interface AlgebraicUnknowns {
  /** Number of differential unknowns, which come first. */
  readonly differential: number;
  /** Fraction of the tolerance that error estimates may use, because they miss a part of the error. */
  readonly tolerancePart: number;
  /**
   * Scales the error weights of the unknowns by their index, for a step of length h. Integrators call it after they
   * have written the tolerances to `scale`.
   */
  weigh(h: number, scale: Address): void;
  /**
   * f of the differential unknowns of `trial`, with algebraic unknowns computed from them; {@link Ode.rate} uses the
   * algebraic unknowns of `trial`.
   */
  eliminatedRate(t: number, out: Address): void;
}

/** Several evaluations in one call of a kernel, bitwise identical to single calls. */
export interface FusedOde {
  /**
   * Evaluates the stages of an explicit Runge-Kutta step from (t, y) and leaves its end as trial state. Returns the
   * number of stages whose slopes are computed. If that is less than `count`, the next stage failed or needs more than
   * kernels; the caller continues with {@link Ode.rate}.
   */
  stages(t: number, h: number, step: ExplicitStages): number;
  /** False if {@link steps} never takes any. */
  readonly takesSteps: boolean;
  /**
   * Takes up to `count` complete steps from (t, y), including the stabilisation and the system's work at their ends; y
   * is the end of the last one. Returns the number of steps taken: the next one needs more than kernels.
   */
  steps(t: number, h: number, count: number, step: ExplicitStages): number;
}

/** An explicit Runge-Kutta method in memory. */
export interface ExplicitStages {
  /** Index of the first stage to evaluate; the slopes before it are known. */
  readonly first: number;
  /** Number of stages. */
  readonly count: number;
  /** Rows of `count` weights: the weights of the slopes before each stage, then those of the end of the step. */
  readonly tableau: Address;
  /** Times of the stages, from 0 at the beginning of the step to 1 at its end: `count` values. */
  readonly nodes: Address;
  /** Slopes of all stages, in order. */
  readonly slopes: Address;
}

/** f and df/dy as WebAssembly functions over the memory of the trial state. */
export interface CompiledOde {
  /** Address from which both read the time. */
  readonly time: Address;
  /**
   * Returns the functions, once the memory is sealed; undefined if the host cannot compile them. `rate(out)` returns 1
   * if f is finite. `jacobian(out)` writes the structural nonzeros of df/dy, column-major.
   */
  functions(): { readonly rate: CallableFunction; readonly jacobian: CallableFunction } | undefined;
  /** Counts evaluations of f that kernels have made. */
  evaluated(times: number): void;
}

/** df/dy at a state, for implicit methods. */
export interface OdeJacobian {
  /** "analytic", or "by differences" with the reason. */
  readonly source: string;
  /** Evaluates df/dy at t and `trial`; `f` holds f there. May overwrite `trial`. */
  evaluate(t: number, f: Address): void;
  /**
   * Creates a solver for D - alpha df/dy with its own factor; alpha is complex if `complex`, else real. Reserves
   * memory.
   */
  shifted(complex: boolean): ShiftedSolver;
}

/** Solves linear systems with I - alpha df/dy, dense or structured. */
export interface ShiftedSolver {
  /** Factors I - alpha df/dy, alpha = real + i imaginary. Returns false if the matrix is singular. */
  factor(real: number, imaginary: number): boolean;
  /** x = (I - alpha df/dy)^-1 b. Complex vectors store all real parts, then all imaginary parts. x may be b. */
  solve(b: Address, x: Address): void;
  /** Memory of a dense solver, for kernels that factor and solve directly. */
  readonly dense?: DenseShifted;
}

/** df/dy, column-major; the factor; and the scratch space of both: I - alpha df/dy, or pivots. */
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
  /** Defined if f is compiled. */
  readonly kernels?: OdeKernels;
  /** out = df/dy, n x n, column-major; absent if the derivatives are not given. */
  jacobian?(t: number, out: Address): void;
}

/** f and df/dy of a plain differential equation, written by formulas. */
export interface OdeKernels {
  /** See {@link Ode.fused}. */
  readonly fused: FusedOde;
  /** {@link OdeFunctions.rate} and {@link OdeFunctions.jacobian} as WebAssembly functions, for kernels. */
  readonly compiled: CompiledOde;
  /** The structural nonzeros of df/dy. */
  readonly sparse: SparseOdeJacobian;
}

/** df/dy of a plain differential equation, nonzero by nonzero. */
export interface SparseOdeJacobian {
  /** Row and column of each nonzero. */
  readonly places: readonly (readonly [row: number, column: number])[];
  /** Writes the nonzeros to `out`, in the order of `places`. */
  evaluate(t: number, out: Address): void;
}
