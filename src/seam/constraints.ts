import type { Address } from "../ground/memory/arena.js";
import type { ExplicitStages, Ode } from "./ode.js";

/** The constraint rows at the trial state: holonomic rows first, then nonholonomic ones. */
export interface Constraints {
  /** Number of rows. */
  readonly rows: number;
  /** Rows on positions; they come first. */
  readonly holonomicRows: number;
  /** Names of all rows, for messages. */
  readonly rowNames: readonly string[];
  /** Degrees of freedom, where they are known before the motion: rows may be redundant. */
  readonly degreesOfFreedom?: number | undefined;
  /** No row depends on time, but by q: the velocity residuals are J v. */
  readonly areTimeless?: boolean | undefined;
  /** Residuals count in units of this: the size of mechanisms smaller than a metre. Default: 1. */
  readonly residualUnit?: number | undefined;
  /** Constraint values; zero in the nonholonomic rows. */
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

/** By how much rows may be open in states that are left as they are. */
export interface LeftOpen {
  /** |Phi|, or {@link part} of the largest position where that is more. */
  readonly positions: number;
  readonly part: number;
  /** |Phi'|. */
  readonly velocities: number;
}

/** What closed loops bring: redundant rows, singular poses, geometry that fits only nearly. */
export interface Loops {
  /** True when steps are accepted or rejected by their error; set by whoever does so. */
  controlsError: boolean;
  /**
   * The part of residuals that some motion could remove, by the factor in use. Missing where that is all of it; present
   * where the geometry fits only nearly, so that every pose leaves a residual.
   */
  readonly correctable?: ((residual: Address) => Address) | undefined;
  /** Largest part of |Phi| at the trial state that some motion could remove. Replaces the factor. */
  correctableError(): number;
  /** A loop is about to gain a freedom at the state last factored: errors are amplified there. */
  nearSingular(): boolean;
}

/**
 * How the multipliers of a system are found. "auto" is the best way the system has: the complete
 * orthogonal decomposition for systems given by functions; for mechanisms a block sparse factorisation, linear in the
 * number of bodies, which takes redundant rows. "cholesky" is block sparse
 * there as well, the others work on dense matrices. "penalty" is not exact: it leaves a part of each residual, and takes
 * any rows for that.
 */
export type SolverKind = "auto" | "cod" | "svd" | "gram-schmidt" | "cholesky" | "kkt" | "penalty";

/** What {@link ConstraintSolver.embed} writes. */
export interface EmbeddingMemory {
  /** The right-hand side of the rows. */
  readonly right: Address;
  readonly predicted: Address;
  readonly a: Address;
  readonly mean: Address;
  /** Phi at the predicted end, Pi at the beginning, and J times predicted accelerations. */
  readonly phi: Address;
  readonly pi: Address;
  readonly product: Address;
  /** The state of the last solve. */
  readonly point: Address;
}

/**
 * Solves with the mass matrix M and the constraint Jacobian J at the trial state. Methods see these operators and never
 * ask whether matrices are dense or block sparse.
 */
export interface ConstraintSolver {
  /** How it solves. */
  readonly kind: SolverKind;
  /** Factors M and J M^-1 J^T; does nothing where that was done at this state. */
  factor(): void;
  /** x = M^-1 b. */
  massSolve(b: Address, x: Address): void;
  /** out = a + minnorm(right - J a) with a = M^-1 Q: the accelerations for J out = right. */
  accelerate(right: Address, out: Address): void;
  /** {@link accelerate} combined with corrected = v + minnorm(r): cheaper than two calls. */
  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void;
  /**
   * X = M^-1 J^T (J M^-1 J^T)^+ R for `count` right sides of `rows` numbers each. An iteration that evaluates its
   * residual afresh can do without the refinement of the result.
   */
  minnorm(count: number, r: Address, x: Address, refined?: boolean): void;
  /**
   * Stages of an explicit step with {@link accelerate} in each: see Ode.stages. Missing where these need more than
   * kernels.
   */
  readonly stages?: Ode["stages"];
  /**
   * The slope at the trial state in one call: q', then v' by {@link accelerate}. False where that is left to the
   * calls one after the other. Missing where these need more than kernels.
   */
  slope?(t: number, out: Address): boolean;
  /**
   * The same for stages that are moved onto the constraints first: up to the first one that is open by more than is left
   * alone.
   */
  closedStages?(t: number, h: number, step: ExplicitStages, left: LeftOpen): number;
  /** Whole steps of such stages whose ends are closed as well: see Ode.steps. */
  closedSteps?(t: number, h: number, count: number, step: ExplicitStages, left: LeftOpen): number;
  /** Whether the trial state is the end of {@link closedStages}, and open by no more than that. */
  isClosed?(left: LeftOpen): boolean;
  /**
   * The first-order embedding of Hong et al. in one call: loads the state, and finds the accelerations that bring the
   * constraints to zero at t + h. False where that is left to the calls one after the other.
   */
  predict?(t: number, h: number, right: Address, out: Address): boolean;
  /** A step of Welch et al. likewise, up to its end as trial state. */
  embed?(t: number, h: number, passes: number, memory: EmbeddingMemory): boolean;
  /** Whether {@link minnorm} should be refined in stages of a step too: where that costs little. */
  readonly refinesStages?: boolean;
  /** The multipliers of {@link accelerate}: M out = Q + J^T lambda, of least norm if not unique. */
  multipliers(right: Address, lambda: Address): void;
  /** Rank of J at this state. */
  rank(): number;
  /**
   * Factors at this state and keeps that factor for the states that follow, correcting by residuals: for states close
   * to each other. It is dropped by {@link dropFactor}, `load` and the beginning of a step. Absent where each state is
   * factored anew.
   */
  keepFactor?(): void;
  /** Ends {@link keepFactor}: every state is factored again. */
  dropFactor?(): void;
}

/** Forces, mass and the solvers for both with the constraints, at the trial state. */
export interface Dynamics {
  /** Generalised forces Q. */
  forces(): Address;
  /** Neither forces nor rows on velocities depend on v: accelerations with J a given are those of the pose. */
  readonly ignoresVelocities?: boolean | undefined;
  /** out = M x. */
  massTimes(x: Address, out: Address): void;
  /**
   * The solver of a kind; the same object for every method that asks with the same tolerance, which is that of the rank;
   * for "penalty" it is the compliance of the constraints, relative to the largest diagonal element of J M^-1 J^T.
   */
  solver(kind: SolverKind, tolerance?: number): ConstraintSolver;
  /** Factorisations so far. */
  factorisations: number;
}
