// The memory layout of Radau IIA (implicit/radau*.ts), compiled by asc and by tsc, with the
// constants shared by both sides.

/** Table of Radau's iterations (implicit/radau.ts), in 32-bit integers: sizes, then addresses. */
export enum RadauTable {
  /** Number of unknowns, and of positions among them. */
  SIZE = 0,
  POSITIONS = 1,
  /** The accepted y, and the y at which f is evaluated. */
  Y = 2,
  TRIAL = 3,
  /** y at the beginning of the step, and the error tolerance of each unknown. */
  BASE = 4,
  SCALE = 5,
  /**
   * Three rows each: stages less y, those of the previous step, transformed, f at them, changes.
   */
  STAGES = 6,
  PREVIOUS = 7,
  TRANSFORMED = 8,
  SLOPES = 9,
  INCREMENT = 10,
  ERROR = 11,
  /** Address of RadauWeights. */
  WEIGHTS = 12,
  /** Number of differential unknowns; the algebraic ones after them satisfy 0 = f. */
  DIFFERENTIAL = 13,
  /** Address of RadauKept. */
  KEPT = 14,
  /**
   * The remaining fields are for radauAttempt. StepKnown, StepCounts; f at the beginning of the
   * step, at its end, and of the filter.
   */
  KNOWN = 15,
  COUNTS = 16,
  SLOPE = 17,
  END_SLOPE = 18,
  FILTERED = 19,
  /** Indices in the function table: f, df/dy, LU factors and solves. */
  RATE = 20,
  DERIVE = 21,
  FACTOR = 22,
  SOLVE = 23,
  /** Address from which f reads the time. */
  TIME = 24,
  /** df/dy; I - alpha df/dy and its factor; the complex matrix, its pivots, scratch of solves. */
  MATRIX = 25,
  SHIFTED = 26,
  REAL_FACTOR = 27,
  COMPLEX_FACTOR = 28,
  PIVOTS = 29,
  SCRATCH = 30,
  /** Vectors of the end check: residual, direction, f beyond, error. */
  CHECK = 31,
  LENGTH = 32,
}

/** Maximum iterations of an error-controlled Radau step. */
export const RADAU_ITERATIONS: i32 = 7;
/** If Radau's iterations contract at least this fast, df/dy is kept for the next step. */
export const RADAU_FAST = 1e-3;

/** State kept by Radau's iterations and its step size control, in slots. */
export enum RadauKept {
  /**
   * Length of the step of the current factors; 0 if there are no factors, or they belong to
   * another df/dy; NaN if only df/dy is there.
   */
  FACTORED = 0,
  /** Length and error of the last accepted step. */
  PREVIOUS_LENGTH = 1,
  PREVIOUS_ERROR = 2,
  /** Last converged attempt: iterations, theta, eta = theta / (1 - theta). */
  ITERATIONS = 3,
  CONTRACTION = 4,
  SLOWNESS = 5,
  /** 1 if the last attempt exceeded the tolerance or failed. */
  REJECTED = 6,
  /**
   * During the iterations: eta, a bound of the first ratio of sizes (0: none of its own), the last
   * size and the last ratio.
   */
  ETA = 7,
  FIRST = 8,
  SIZE = 9,
  QUOTIENT = 10,
  /** Predicted remainder after the last allowed iteration over the tolerance, if too large. */
  EXCESS = 11,
  /** Last call of radauAttempt: error, and number of evaluations of f. */
  ERROR = 12,
  EVALUATIONS = 13,
  LENGTH = 14,
}

/**
 * Flags at the beginning of a step, in slots: 1 if f is known; 1 if df/dy belongs to this state.
 */
export enum StepKnown {
  SLOPE = 0,
  CURRENT = 1,
  LENGTH = 2,
}

/** Cost counters of the steps, in slots. */
export enum StepCounts {
  JACOBIANS = 0,
  FACTORISATIONS = 1,
  CHECKS = 3,
}

/** Input and output of radauBatch, in slots. */
export enum RadauBatch {
  /** Current time, and the length of the next step; input and output. */
  TIME = 0,
  NEXT = 1,
  /** End of the run, a time that steps must not reach, and the maximum step. */
  TARGET = 2,
  BEFORE = 3,
  MAXIMUM = 4,
  /** The longest step since the last noise check; input and output. */
  LONGEST_SINCE = 5,
  /** Output: evaluations of f, the shortest, the longest and the last step. */
  EVALUATIONS = 6,
  SHORTEST = 7,
  LONGEST = 8,
  LAST = 9,
  /** Input: longer steps are left to the run. */
  SHORT = 10,
  LENGTH = 11,
}

/** Convergence verdict of an iteration. */
export enum RadauVerdict {
  GO_ON = 0,
  CONVERGED = 1,
  /** The iterations diverge, or there are too many. */
  DIVERGED = 2,
  /** The predicted remainder is too large (EXCESS). */
  TOO_SLOW = 3,
}

/** Maximum passes of the end check of a step; also the value by which a pass requests another. */
export const END_PASSES: i32 = 3;
export const END_UNDECIDED = -1.0;
/** Residuals up to this many tolerances are accepted, which bounds the hidden error. */
export const END_HIDEABLE = 2.0;
/**
 * Error assigned to a step with a hidden error of unknown size: it is repeated, four times shorter.
 */
export const HIDDEN_ERROR = 256.0;

/** Weight matrices, row-major with three columns, in slots. */
export enum RadauWeights {
  /** T, T^-1 and T^-1 A. */
  TO_STAGES = 0,
  FROM_STAGES = 9,
  OF_SLOPES = 18,
  /**
   * Extrapolation from the stages of the previous step to those of this one; written at each step.
   */
  EXTRAPOLATION = 27,
  /** Weights of the error estimate, one row. */
  ERROR = 36,
  /** Stage times as fractions of a step. */
  NODES = 39,
  /** Shifts of df/dy: the step divided by the first, and times the complex second. */
  REAL = 42,
  COMPLEX = 43,
  /** The last row of A^-1. */
  END = 45,
  LENGTH = 48,
}
