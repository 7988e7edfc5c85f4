import type { Turn } from "../assembly/layout-bodies.js";
import type { Address } from "./memory/arena.js";
import type { Workspace } from "./memory/workspace.js";

/** Everything that can be chosen has a name and a source. */
export interface Named {
  readonly name: string;
  /** Paper, book or report, with the equation where there is one. */
  readonly reference: string;
}

/**
 * How the multipliers of a system are found. "auto" is the best way the system has: the complete
 * orthogonal decomposition for systems given by functions; for mechanisms block sparse, linear in the
 * number of bodies, with a little compliance in the rows that close loops. "cholesky" is block sparse
 * there as well, the others work on dense matrices.
 */
export type SolverKind = "auto" | "cod" | "svd" | "cholesky" | "kkt";

/**
 * Solves with the mass matrix M and the constraint Jacobian J at the state last announced by
 * {@link System.at}. The seam between systems and methods: methods see these operators and never ask
 * whether matrices are dense or block sparse.
 */
export interface ConstraintSolver {
  readonly kind: SolverKind;
  /** Factors M and J M^-1 J^T; nothing happens when that was done at this state. */
  factor(): void;
  /** x = M^-1 b. */
  massSolve(b: Address, x: Address): void;
  /** out = a + minnorm(right - J a) with a = M^-1 Q: the accelerations for J out = right. */
  accelerate(right: Address, out: Address): void;
  /** {@link accelerate} and corrected = v + minnorm(r), in one: cheaper than one after the other. */
  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void;
  /** X = M^-1 J^T (J M^-1 J^T)^+ R for `count` right sides of `rows` numbers each. */
  minnorm(count: number, r: Address, x: Address): void;
  /** The multipliers of {@link accelerate}: M out = Q + J^T lambda, of least norm if not unique. */
  multipliers(right: Address, lambda: Address): void;
  /** Rank of J at this state. */
  rank(): number;
  /**
   * Factors at this state and keeps that factor at later ones, correcting by residuals, until
   * {@link thaw}: for states close to each other. Absent where each state is factored anew.
   */
  freeze?(): void;
  thaw?(): void;
}

/** Matrices for the methods that need a basis of the null space, and say so. */
export interface DenseEquations {
  /** M by columns, n x n, whatever way the user gave it. */
  mass(): Address;
  /** J by rows: n numbers for each constraint. */
  jacobian(): Address;
  /** dM/dt v along the motion, as n numbers. */
  massRateTimesVelocity(out: Address): void;
  /** dJ/dt along the motion, by rows. */
  jacobianRate(out: Address): void;
}

/**
 * A source of equations M a = Q + J^T lambda, Phi(q, t) = 0, with its state and its memory.
 * Quantities are evaluated when first asked for after {@link at}, and once only.
 */
export interface System {
  readonly name: string;
  readonly workspace: Workspace;
  /** Numbers in q. */
  readonly positions: number;
  /** The rate of q is v itself: no rotations with other coordinates. */
  readonly ratesAreVelocities: boolean;
  /** Numbers in v. */
  readonly velocities: number;
  /** Constraint rows: holonomic first, then nonholonomic. */
  readonly rows: number;
  readonly holonomicRows: number;
  /** Of the velocities. */
  readonly coordinateNames: readonly string[];
  /** Of the positions, where they are not the same. */
  readonly positionNames?: readonly string[];
  readonly rowNames: readonly string[];

  /** The accepted state: q, then v, then the work counted by stabilisations that count it. */
  readonly state: Address;
  /** The state at which everything is evaluated: q, then v, then the work. */
  readonly trial: Address;

  /** Says that the trial state is new, and at which time it is. */
  at(t: number): void;
  /** The time given to {@link at}. */
  readonly time: number;

  /** Generalised forces Q. */
  forces(): Address;
  /** Constraint values: zero in the nonholonomic rows. */
  phi(): Address;
  /** Velocity residuals: J v + dPhi/dt in the holonomic rows, Pi(q, v, t) in the others. */
  phiDot(): Address;
  /** Right side of J a = gamma. */
  gamma(): Address;
  /** out = J x. */
  jacobianTimes(x: Address, out: Address): void;
  /** out = J^T lambda. */
  jacobianTransposeTimes(lambda: Address, out: Address): void;
  /** out = M x. */
  massTimes(x: Address, out: Address): void;
  /**
   * out = rate of q when the velocity is v + scale correction: that velocity itself, unless rotations
   * have other coordinates.
   */
  positionRate(v: Address, scale: number, correction: Address, out: Address): void;
  /**
   * Moves the q at an address by a small displacement given in velocity coordinates. Rotations follow it
   * exactly, or by the rule of a method.
   */
  displace(q: Address, displacement: Address, turn?: Turn): void;
  /** Before a step from the accepted state: how long it will be. */
  beginStep?(t: number, h: number): void;
  /** The accepted state is final: brings its coordinates to their normal form. */
  settle?(t: number): void;

  /** Potential energy at the trial state, if the system has one. */
  readonly hasPotential: boolean;
  potential(): number;
  kineticEnergy(): number;
  /** Power fed in by forces that have no potential. */
  power(): number;
  /** out = d(potential)/dq. */
  potentialGradient(out: Address): void;
  /** out = d(kinetic energy)/dq at fixed v. */
  kineticGradient(out: Address): void;

  /** The solver of a kind; the same object for every method that asks with the same tolerance. */
  solver(kind: SolverKind, tolerance?: number): ConstraintSolver;
  /** The error for a kernel's failure: below `velocities` its index is a coordinate, then a row. */
  blame(status: number, advice: string): Error;
  /** Dense matrices, where the system has them. */
  readonly dense?: DenseEquations;
}

/** What systems are made from: a new one, with memory of its own, at each call. */
export interface SystemSource {
  system(): System;
}

/** All that an integrator sees: y' = f(t, y), evaluated where the integrator puts its trial. */
export interface Ode {
  readonly dimension: number;
  /** The accepted y. */
  readonly y: Address;
  /** Where {@link rate} evaluates. */
  readonly trial: Address;
  /** f(t, trial). */
  rate(t: number, out: Address): void;
}

/** Where in the hierarchy of derivatives a formulation keeps the constraints. */
export type Level = "acceleration" | "velocity" | "position";

/** Turns the equations into an ordinary differential equation. It decides what y is. */
export interface Formulation extends Named {
  readonly level: Level;
  /** Goes on through poses where the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** Takes constraints that repeat each other. */
  readonly survivesRedundantRows: boolean;
  /** Needs dense matrices. */
  readonly needsDense: boolean;
  /** y changes its meaning from step to step: methods with a memory cannot be used. */
  readonly changesUnknowns: boolean;
  bind(system: System, stabilisation: BoundStabilisation): BoundFormulation;
}

export interface BoundFormulation {
  readonly ode: Ode;
  /** Before a step: takes y from the accepted state. */
  begin?(t: number, h: number): void;
  /** After a step: gives y back to the accepted state. */
  end?(t: number): void;
  /** out = accelerations at the trial state last announced. */
  accelerations(out: Address): void;
}

/** What a stabilisation acts on. */
export type Acts = "nothing" | "stages" | "accelerations" | "rates" | "afterStep";

/** What is done about drift. */
export interface Stabilisation extends Named {
  readonly acts: Acts;
  /** Holds over one step only: cannot be used with methods that remember earlier steps. */
  readonly oneStepOnly: boolean;
  /** Needs potential energy. */
  readonly needsEnergy: boolean;
  bind(system: System): BoundStabilisation;
}

export interface BoundStabilisation {
  /**
   * {@link rates} writes the power behind the rates of q and v, and the formulation integrates it
   * with them: the work is as accurate as the motion.
   */
  readonly countsWork?: boolean;
  /** The state has been set anew; it is the trial state. */
  restart?(t: number): void;
  /** Before a step, with the accepted state as trial state. */
  begin?(t: number, h: number): void;
  /** Before the rates at a stage: moves the trial state. */
  stage?(t: number): void;
  /** Writes the right side of J a = right, which without it is gamma. `out` may be `gamma`. */
  right?(gamma: Address, out: Address): void;
  /** Instead of {@link right}: writes that and r; the rate of q becomes that of v + minnorm(r). */
  rightSides?(gamma: Address, out: Address, r: Address): void;
  /** Adds to the rates of q and v. The solver is factored; `rates` holds q', then v'. */
  rates?(t: number, rates: Address): void;
  /** After a step: changes the accepted state. */
  correct?(t: number, h: number): void;
}

/** Advances any y' = f(t, y). Knows no mechanics. */
export interface Integrator extends Named {
  readonly order: number;
  /** Evaluations of f in a step. */
  readonly stages: number;
  /** Uses values of earlier steps. */
  readonly hasMemory: boolean;
  bind(ode: Ode, workspace: Workspace): Stepper;
}

/** A whole step by itself: its formula mixes constraints and integration. */
export interface Coupled extends Named {
  readonly order: number;
  readonly level: Level;
  readonly survivesSingularPoses: boolean;
  readonly survivesRedundantRows: boolean;
  bind(system: System): BoundCoupled;
}

export interface BoundCoupled extends Stepper, Pick<BoundFormulation, "accelerations"> {
  /** out = the multipliers of the last step, if the method finds them. Moves the trial state. */
  multipliers?(out: Address): void;
}

/** A method in place. A trial leaves the accepted state alone: a rejection needs no undo. */
export interface Stepper {
  attempt(t: number, h: number): void;
  accept(): void;
  /** Forgets earlier steps. */
  reset?(): void;
}

/** A formulation, stabilisations and an integrator; or a coupled method. */
export type Method =
  | {
      readonly formulation: Formulation;
      readonly stabilisation?: Stabilisation | readonly Stabilisation[];
      readonly integrator: Integrator;
    }
  | {
      readonly coupled: Coupled;
      readonly stabilisation?: Stabilisation | readonly Stabilisation[];
    };
