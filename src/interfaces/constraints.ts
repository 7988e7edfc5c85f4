import type { Address } from "../base/memory/arena.js";
import type { denseMemory } from "../base/wasm/dense.js";
import type { ExplicitStages, FusedOde } from "./ode.js";

/**
 * The constraint rows at the trial state: holonomic rows first, then nonholonomic rows. Addresses that are returned
 * hold values of this trial state only; copy them before the state changes.
 */
export interface Constraints {
  /** Number of rows. */
  readonly rows: number;
  /** Number of holonomic rows, which come first. */
  readonly holonomicRows: number;
  /** Names of all rows, for messages. */
  readonly rowNames: readonly string[];
  /** Degrees of freedom, if they are known before the motion; rows may be redundant. */
  readonly degreesOfFreedom?: number | undefined;
  /** True if no row depends explicitly on time: the velocity residuals are J v. */
  readonly areTimeless: boolean;
  /** Unit of residuals and their tolerances: the size of a mechanism smaller than a metre, otherwise 1. */
  readonly residualUnit: number;
  /** Phi(q, t); zero in the nonholonomic rows. */
  phi(): Address;
  /** Velocity residuals: J v + dPhi/dt in the holonomic rows, Pi(q, v, t) in the others. */
  phiDot(): Address;
  /** Right-hand side of J a = gamma. */
  gamma(): Address;
  /** out = J x. */
  jacobianTimes(x: Address, out: Address): void;
  /** out = J^T lambda. */
  jacobianTransposeTimes(lambda: Address, out: Address): void;
}

/** Constraint errors small enough to be left uncorrected. */
export interface ResidualBounds {
  /** Bound of |Phi|; {@link part} times the largest position is used instead if it is larger. */
  readonly positions: number;
  readonly part: number;
  /** Bound of |Phi'|. */
  readonly velocities: number;
}

/** Properties of closed loops: redundant rows, singular poses, geometry that fits only approximately. */
export interface Loops {
  /** True when steps are accepted or rejected by their error. Set by the caller that controls the steps. */
  controlsError: boolean;
  /** True if the geometry fits only approximately, so that every pose leaves a residual. */
  readonly nearlyFits: boolean;
  /**
   * Projects residuals onto those that some motion could remove, with the current factor. Returns them as they are
   * unless the geometry {@link nearlyFits}: all of a residual is then correctable.
   */
  correctable(residual: Address): Address;
  /** Largest correctable component of |Phi| at the trial state. Replaces the factor. */
  correctableError(): number;
  /**
   * Returns whether a loop is about to gain a degree of freedom at the state factored last; errors are amplified
   * there.
   */
  nearSingular(): boolean;
}

/**
 * Algorithm that computes the multipliers. "auto" is the best choice for the system: the complete orthogonal
 * decomposition for systems given by functions; for mechanisms a block sparse factorisation, linear in the number of
 * bodies, which accepts redundant rows. For mechanisms "cholesky" is block sparse as well; the other algorithms use
 * dense matrices. "penalty" is not exact: it leaves a fraction of each residual, and therefore accepts any rows.
 */
export type SolverKind = "auto" | "cod" | "svd" | "gram-schmidt" | "cholesky" | "kkt" | "penalty";

/** Addresses at which {@link FusedSolver.embed} writes its results. */
export interface EmbeddingMemory {
  /** The right-hand side of the rows. */
  readonly right: Address;
  readonly predicted: Address;
  readonly a: Address;
  readonly mean: Address;
  /** Phi at the predicted end, Pi at the beginning, and J times the predicted accelerations. */
  readonly phi: Address;
  readonly pi: Address;
  readonly product: Address;
  /** The state of the last solve. */
  readonly point: Address;
}

/**
 * Solves with the mass matrix M and the constraint Jacobian J at the trial state. Methods use these operators whether
 * the matrices are dense or block sparse.
 *
 * Contract of an implementation:
 *
 * 1. Every operation factors on demand; {@link factor} only makes the moment explicit. The factor belongs to the trial
 *    state and is computed again after `System.at`.
 * 2. {@link keepFactor} and {@link dropFactor} come in pairs, or not at all. While a factor is kept, results are
 *    corrected by residuals of the current state.
 * 3. minnorm(r) = M^-1 J^T (J M^-1 J^T)^+ r is the smallest solution of J x = r in the metric of M. With dependent
 *    rows it is the least-squares solution; algorithms that need independent rows throw an error that names a
 *    dependent row.
 * 4. A capability ({@link fused}, {@link closed}) is an optional object, which methods look up once, when they bind. Its
 *    results are bitwise identical to those of the calls it replaces.
 * 5. Output addresses may equal an input only where a comment says so.
 */
export interface ConstraintSolver {
  /** Algorithm in use. */
  readonly kind: SolverKind;
  /** Factors M and J M^-1 J^T, unless the factor of this state exists. */
  factor(): void;
  /** x = M^-1 b. */
  massSolve(b: Address, x: Address): void;
  /** out = a + minnorm(right - J a) with a = M^-1 Q: the accelerations that satisfy J out = right. */
  accelerate(right: Address, out: Address): void;
  /** {@link accelerate} combined with corrected = v + minnorm(r); cheaper than two calls. */
  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void;
  /**
   * X = M^-1 J^T (J M^-1 J^T)^+ R for `count` right-hand sides of `rows` values each. Iterations that recompute their
   * residual need no refinement of the result.
   */
  minnorm(count: number, r: Address, x: Address, refined?: boolean): void;
  /** Slopes and steps without stabilisation in one call. Absent if a slope needs more than kernels. */
  readonly fused?: FusedSolver;
  /** Stages and steps that stay on the constraints, in one call. */
  readonly closed?: ClosedStages;
  /** True if {@link minnorm} should be refined in the stages of a step too, because refinement is cheap. */
  readonly refinesStages: boolean;
  /** The multipliers of {@link accelerate}: M out = Q + J^T lambda, of least norm if they are not unique. */
  multipliers(right: Address, lambda: Address): void;
  /** Rank of J at this state. */
  rank(): number;
  /**
   * Factors at this state and uses that factor for the following states too, correcting by residuals: for states close
   * to each other. {@link dropFactor}, `load` and the beginning of a step drop it. Does nothing if each state is factored
   * separately.
   */
  keepFactor(): void;
  /** Ends {@link keepFactor}: every state is factored again. */
  dropFactor(): void;
}

/**
 * Slopes and steps of which accelerations are those of {@link ConstraintSolver.accelerate}. If a call returns false, or
 * a number of stages that is too small, nothing was done beyond, and the caller must use single calls.
 */
export interface FusedSolver extends FusedOde {
  /** Evaluates the slope at the trial state: q', then v'. */
  slope(t: number, out: Address): boolean;
  /**
   * The first-order embedding of Hong et al.: loads the state and computes the accelerations that bring the
   * constraints to zero at t + h.
   */
  predict(t: number, h: number, right: Address, out: Address): boolean;
  /** The step of Welch et al., with its end as trial state. */
  embed(t: number, h: number, passes: number, memory: EmbeddingMemory): boolean;
}

/** Stages and steps, each of whose states is projected onto the constraints first. */
export interface ClosedStages {
  /** {@link FusedOde.stages}. Stops at the first stage whose error exceeds `left`. */
  stages(t: number, h: number, step: ExplicitStages, left: ResidualBounds): number;
  /** {@link FusedOde.steps}, with their ends projected as well. */
  steps(t: number, h: number, count: number, step: ExplicitStages, left: ResidualBounds): number;
  /**
   * Moves the trial state onto the constraints. Returns false if that needs more than kernels: the trial state is then
   * undefined.
   */
  close(t: number, left: ResidualBounds): boolean;
  /** Returns whether the trial state is the end of {@link stages} and its error does not exceed `left`. */
  isClosed(left: ResidualBounds): boolean;
}

/** Forces, mass matrix and constraint solvers at the trial state. */
export interface Dynamics {
  /** Generalised forces Q. */
  forces(): Address;
  /**
   * True if neither forces nor nonholonomic rows depend on v: accelerations for a given J a depend on the pose only.
   */
  readonly ignoresVelocities: boolean;
  /** out = M x. */
  massTimes(x: Address, out: Address): void;
  /**
   * Returns the solver of a kind. Calls with the same kind and tolerance return the same object. The tolerance is that
   * of the rank; for "penalty" it is the compliance of the constraints, relative to the largest diagonal element of J
   * M^-1 J^T. A first call reserves memory, so it must precede the sealing of the workspace. Callers pass
   * `denseMemory` if the kind may need the kernels of dense matrices: mechanisms do not bring them.
   */
  solver(kind: SolverKind, tolerance?: number, dense?: typeof denseMemory): ConstraintSolver;
  /** Number of factorisations so far. */
  factorisations: number;
}
