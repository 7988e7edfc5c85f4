// The memory layout of Radau IIA (implicit/radau*.ts), compiled by asc and by tsc; with the numbers
// that both of its sides go by.

/** Table of Radau's iterations (implicit/radau.ts), in 32-bit integers: sizes, then addresses. */
export enum RadauTable {
  /** Unknowns, and how many of them are positions. */
  SIZE = 0,
  POSITIONS = 1,
  /** Of the equation: the accepted y, and where f is evaluated. */
  Y = 2,
  TRIAL = 3,
  /** y where the step began, and what each unknown may be wrong by. */
  BASE = 4,
  SCALE = 5,
  /** Three rows each: stages less y, those of the step before, transformed, f at them, changes. */
  STAGES = 6,
  PREVIOUS = 7,
  TRANSFORMED = 8,
  SLOPES = 9,
  INCREMENT = 10,
  ERROR = 11,
  /** RadauWeights. */
  WEIGHTS = 12,
  /** Unknowns that are differentiated: those behind them satisfy 0 = f. */
  DIFFERENTIAL = 13,
  /** RadauKept. */
  KEPT = 14,
  /**
   * The rest is for radauAttempt. StepKnown, StepCounts; f where the step begins, where it ends,
   * and of the filter.
   */
  KNOWN = 15,
  COUNTS = 16,
  SLOPE = 17,
  END_SLOPE = 18,
  FILTERED = 19,
  /** Places in the table of functions: f, df/dy, LU factors and solves. */
  RATE = 20,
  DERIVE = 21,
  FACTOR = 22,
  SOLVE = 23,
  /** Where f reads the time. */
  TIME = 24,
  /** df/dy; I - alpha df/dy and its factor; the same complex, its pivots, scratch of solves. */
  MATRIX = 25,
  SHIFTED = 26,
  REAL_FACTOR = 27,
  COMPLEX_FACTOR = 28,
  PIVOTS = 29,
  SCRATCH = 30,
  /** Of the check at the end: residual, direction, f beyond, error. */
  CHECK = 31,
  LENGTH = 32,
}

/** Iterations that a step of Radau may take where its error is controlled. */
export const RADAU_ITERATIONS: i32 = 7;
/** Where Radau's iterations contract as fast as this, df/dy is kept for the next step. */
export const RADAU_FAST = 1e-3;

/** What Radau's iterations and the control of its steps remember, in slots. */
export enum RadauKept {
  /**
   * Length of the step that the factors are made for; 0 if there are none, or they belong to
   * another df/dy; NaN if only df/dy is there.
   */
  FACTORED = 0,
  /** Of the last accepted step. */
  PREVIOUS_LENGTH = 1,
  PREVIOUS_ERROR = 2,
  /** Of the last attempt that converged: iterations, theta, eta = theta / (1 - theta). */
  ITERATIONS = 3,
  CONTRACTION = 4,
  SLOWNESS = 5,
  /** 1 where the last attempt was too wrong, or refused. */
  REJECTED = 6,
  /** While iterations go on: eta, theta, the last size and the last quotient of two. */
  ETA = 7,
  THETA = 8,
  SIZE = 9,
  QUOTIENT = 10,
  /** What iterations would leave after the last one, over what is allowed, if that is too much. */
  EXCESS = 11,
  /** Of the last attempt by radauAttempt: its error, and how often it evaluated f. */
  ERROR = 12,
  EVALUATIONS = 13,
  LENGTH = 14,
}

/** What is known where a step begins, in slots: 1 where f is; 1 where df/dy is that of there. */
export enum StepKnown {
  SLOPE = 0,
  CURRENT = 1,
  LENGTH = 2,
}

/** What steps have cost, in slots. */
export enum StepCounts {
  JACOBIANS = 0,
  FACTORISATIONS = 1,
  CHECKS = 3,
}

/** Steps that radauSprint takes, in slots. */
export enum RadauSprint {
  /** Where it is, and the length of the next step: given, and found. */
  TIME = 0,
  NEXT = 1,
  /** Where the run ends, a time before which steps have to end, and their greatest length. */
  TARGET = 2,
  BEFORE = 3,
  MAXIMUM = 4,
  /** The longest step since noise was looked for: given, and found. */
  LONGEST_SINCE = 5,
  /** Found: evaluations of f, the shortest and the longest step, the last. */
  EVALUATIONS = 6,
  SHORTEST = 7,
  LONGEST = 8,
  LAST = 9,
  /** Given: longer steps are left to the run. */
  SHORT = 10,
  LENGTH = 11,
}

/** What an iteration says about those to come. */
export enum RadauVerdict {
  GO_ON = 0,
  CONVERGED = 1,
  /** They diverge, or there are too many. */
  DIVERGED = 2,
  /** They would leave too much: EXCESS. */
  TOO_SLOW = 3,
}

/** Most passes of the check at the end of a step, and what a pass gives that asks for another. */
export const END_PASSES: i32 = 3;
export const END_UNDECIDED = -1.0;
/** A residual of at most so many tolerances is let pass: it bounds the error that can hide. */
export const END_HIDEABLE = 2.0;
/** The error of a step whose end hides one of unknown size: it is repeated, four times shorter. */
export const HIDDEN_ERROR = 256.0;

/** Matrices of weights by rows, three numbers each, in slots. */
export enum RadauWeights {
  /** T, T^-1 and T^-1 A. */
  TO_STAGES = 0,
  FROM_STAGES = 9,
  OF_SLOPES = 18,
  /** From the stages of the step before to those of this one; written at each step. */
  EXTRAPOLATION = 27,
  /** One row. */
  ERROR = 36,
  /** Where the stages lie in a step. */
  NODES = 39,
  /** Steps divided by the first, and times the complex other, shift df/dy. */
  REAL = 42,
  COMPLEX = 43,
  /** The last row of A^-1. */
  END = 45,
  LENGTH = 48,
}
