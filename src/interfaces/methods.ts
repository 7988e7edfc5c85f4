// Methods as systems see them: formulations, stabilisations, integrators, coupled methods. A method uses only what
// `System` offers (system.ts): it never knows which kind of system it runs on.
//
// Contract of every method:
//
// 1. It is plain data with `bind`. `bind` reserves memory in the workspace, which is sealed later, and looks up the
//    capabilities that it uses: `solver.fused`, `ode.algebraic`, `matrices.dense`. A step only tests what `bind` found.
// 2. If it needs a capability that the system lacks, it says so in its properties (`needs`, `needsDense`), so that
//    `checkMethod` rejects the pair by name before anything is bound.
// 3. Everything that outlives an attempt is in the arena, so saving the arena saves the method. A step allocates nothing.
// 4. It takes the members that it has no use for from the defaults of methods (src/methods/defaults.ts).
//
// Contract of a formulation:
//
// 1. It defines unknowns y and an `Ode` for them (ode.ts): f with the constraints, at any trial vector.
// 2. `beginStep` takes y from the accepted state, `endStep` writes it back. Unless the unknowns are (q, v), `expandState`
//    gives q and v for any y of the step.
// 3. Every evaluation of f calls `stage.correct` of the stabilisation, or else `System.at`; then `right.write`, if it is
//    defined; and `rates.add` last. If `rates.integratesWork`, y has the work as its last entry, or the pair is rejected.
// 4. It offers `fused` only if the stabilisation leaves slopes as they are, or corrects stages by values alone.
//
// Contract of a stabilisation:
//
// 1. Order of calls: `restart` after the state was set; in each step `beginStep`, then `stage.correct` before every
//    evaluation of f, `right` and `rates` within it, and `correct` at the end.
// 2. It does not move a state without the errors that it corrects, but for rounding.
// 3. Only one of several stabilisations may define `right`; `stage` and `rates` are called in the given order.
//
// Contract of an integrator:
//
// 1. `attempt` computes a step from the accepted y and changes neither y nor the history, so a rejected attempt needs no
//    undo. `accept` writes its result to y, which the stabilisation may then correct. `commit` ends the step and advances
//    the history; `reset` forgets it after y was set from outside.
// 2. An adaptive integrator is called in the order attempt, accept, corrections, `error`; then `commit`, or else the
//    caller restores y and attempts a shorter step. `interpolant` is read between `error` and `commit`.
// 3. The first attempt after `reset` uses no earlier data, because the meaning of y may have changed.
// 4. A step that cannot be computed is rejected with a preallocated `StepFailure`, which has the factor for the next one.
// 5. Algebraic unknowns (`ode.algebraic`) are accepted up to `highestIndex`, and their error is weighed by `weigh`.

import type { Address } from "../base/memory/arena.js";
import type { Workspace } from "../base/memory/workspace.js";
import type { ResidualBounds } from "./constraints.js";
import type { Ode } from "./ode.js";
import type { System } from "./system.js";

/** A method or a part of one, with the reference it is taken from. */
export interface Named {
  /** Name, as used in names of methods and in solutions. */
  readonly name: string;
  /** Paper, book or report, with the number of the equation if there is one. */
  readonly reference: string;
}

/** The level on which a formulation enforces the constraints. */
export type ConstraintLevel = "acceleration" | "velocity" | "position";

/** Transforms the equations of motion into an ODE and defines its unknowns y. */
export interface Formulation extends Named {
  /** Level on which the constraints are enforced. */
  readonly level: ConstraintLevel;
  /** True if it integrates through poses at which the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** True if it accepts redundant constraints. */
  readonly survivesRedundantRows: boolean;
  /** Form in which the system is needed: operators alone, dense matrices, or matrices in any form. */
  readonly needs: "operators" | "dense" | "matrices";
  /** Positions that the user has named for it. */
  readonly namedPositions: readonly (string | number)[];
  /** True if the constraints are compliant: exact only in the limit of one of its options. */
  readonly isApproximate: boolean;
  /** True if it applies to plain ODEs only. */
  readonly onlyForOde: boolean;
  /** Index of the differential-algebraic equations if some unknowns are algebraic, else 0. The integrator must accept it. */
  readonly index: number;
  /** True if the unknowns are redefined at each step, which excludes multistep methods. */
  readonly changesUnknowns: boolean;
  /** Binds the formulation to a system and reserves its memory. Call before the workspace is sealed. */
  bind(system: System, stabilisation: BoundStabilisation): BoundFormulation;
}

/** Independent coordinates that a method has chosen, or was given, and the history of changes. */
export interface CoordinatePartition {
  /** Names of the independent positions, in the order of the coordinates. Empty if only velocities are partitioned. */
  readonly positions: readonly string[];
  /**
   * Names of the independent velocities. `stateSpace()` integrates the rates of its positions. Rates that are not
   * velocities, such as those of Euler parameters, have the name of the position with a prime.
   */
  readonly velocities: readonly string[];
  /** Number of changes since the start. */
  readonly changes: number;
  /** Times of the steps that began with changed coordinates, in seconds: the latest 64. */
  readonly times: readonly number[];
}

/** A formulation bound to a system. */
export interface BoundFormulation {
  /** The ODE that the integrator solves. */
  readonly ode: Ode;
  /**
   * Sets y from the accepted state, before a step. Returns true if the unknowns were redefined, so that histories are
   * invalid.
   */
  beginStep(t: number, h: number): boolean;
  /** Writes y to the accepted state, after a step. */
  endStep(t: number): void;
  /** Writes the accelerations at the trial state last passed to `System.at`. */
  accelerations(out: Address): void;
  /** Improves the result of {@link accelerations} for users who read it. */
  correctAccelerations(accelerations: Address): void;
  /**
   * Computes q and v from unknowns y of this step, to interpolate the state. Calls `System.at` for that state. Absent
   * if y is (q, v).
   */
  expandState?(t: number, y: Address, out: Address): void;
  /** Writes the multipliers at the end of the last step, if the method has them. May overwrite the trial state. */
  multipliers?(out: Address): void;
  /** Returns the independent coordinates; undefined before the first step, and if the formulation has none. */
  partition(): CoordinatePartition | undefined;
}

/** Quantities that a stabilisation corrects. */
export type StabilisationTarget = "nothing" | "stages" | "accelerations" | "rates" | "afterStep";

/** A technique that controls constraint drift. */
export interface Stabilisation extends Named {
  /** Quantities that it corrects. */
  readonly actsOn: StabilisationTarget;
  /** True if the correction is valid for one step only, which excludes multistep methods. */
  readonly oneStepOnly: boolean;
  /**
   * True if its gains, and with them the equations, depend on the step size, which excludes implicit multistep
   * methods.
   */
  readonly gainsFollowStep: boolean;
  /** True if it needs the potential energy. */
  readonly needsEnergy: boolean;
  /** True if it needs dense matrices. */
  readonly needsDense: boolean;
  /** Binds the stabilisation to a system and reserves its memory. Call before the workspace is sealed. */
  bind(system: System): BoundStabilisation;
}

/** A stabilisation bound to a system. */
export interface BoundStabilisation {
  /** Resets the history. Call after the state was set, with that state as trial state. */
  restart(t: number): void;
  /** Prepares a step, with the accepted state as trial state. */
  beginStep(t: number, h: number): void;
  /** Defined if it corrects the stages of a step. */
  readonly stage?: StageCorrection;
  /** Defined if the right-hand side of J a = right is not gamma. */
  readonly right?: RightHandSide;
  /** Defined if it adds to the rates of q and v. */
  readonly rates?: RateCorrection;
  /** Corrects the accepted state after a step. */
  correct(t: number, h: number): void;
}

/** Corrects the states at which f is evaluated. */
export interface StageCorrection {
  /** Corrects the trial state before a stage and calls `System.at`. */
  correct(t: number): void;
  /** Constraint errors that {@link correct} does not correct. Absent if values alone do not determine them. */
  readonly leavesOpen?: ResidualBounds;
  /**
   * True if {@link BoundStabilisation.correct} follows the same rule, and nothing else is corrected or prepared in a
   * step.
   */
  readonly closesOnly: boolean;
}

/** The right-hand sides of J a = right and, if it corrects velocities, of the rate of q: that of v + minnorm(r). */
export interface RightHandSide {
  /** Whether {@link write} writes r. */
  readonly correctsVelocities: boolean;
  /** Writes the right-hand sides. */
  write(gamma: Address, right: Address, r: Address): void;
}

/** Adds to the rates of q and v. */
export interface RateCorrection {
  /**
   * True if {@link add} appends the power to the rates of q and v. The formulation integrates it to the work, as
   * accurately as the motion.
   */
  readonly integratesWork: boolean;
  /** Adds to the rates. The solver is factored; `rates` holds q', then v'. */
  add(t: number, rates: Address): void;
}

/** A method for y' = f(t, y), independent of mechanics. */
export interface Integrator extends Named {
  /** Order of accuracy; the highest order if it varies. */
  readonly order: number;
  /** Number of evaluations of f per step. */
  readonly stages: number;
  /** True if it uses values of earlier steps. */
  readonly isMultistep: boolean;
  /** True if it solves equations in each step: for stiff systems. */
  readonly isImplicit: boolean;
  /** True if it treats positions and velocities differently: y must be q and v (Ode.movePositions). */
  readonly needsVelocities: boolean;
  /**
   * True if a fixed step that fails, or that it refuses, is taken in substeps: for real time, where no step may fail.
   * Its stepper then has {@link Stepper.damped}.
   */
  readonly dividesSteps: boolean;
  /** Highest index of algebraic unknowns that it accepts, D y' = f(t, y) with zeros in D (see {@link Ode}); 0 if none. */
  readonly highestIndex: number;
  /** Binds the integrator to an ODE and reserves its memory in the workspace. */
  bind(ode: Ode, workspace: Workspace): Stepper;
}

/** A complete stepping scheme that enforces the constraints in its own step. */
export interface CoupledMethod extends Named {
  /** Order of accuracy. */
  readonly order: number;
  /** Number of evaluations per step, each with at least one solve. */
  readonly stages: number;
  /** Level on which the constraints are enforced. */
  readonly level: ConstraintLevel;
  /** True if it integrates through poses at which the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** True if it accepts redundant constraints. */
  readonly survivesRedundantRows: boolean;
  /** Form in which the system is needed: its bodies with all of their joints, operators, or matrices in any form. */
  readonly needs: "bodies" | "operators" | "matrices";
  /** Its own error estimate is O(h^errorOrder): steps are controlled with the exponent 1/errorOrder. 0 if it has none. */
  readonly errorOrder: number;
  /** Treatment when the step size changes: the steps are projected, used as they are, or refused. */
  readonly variableSteps: "projected" | "asTheyAre" | "refused";
  /** Binds the method to a system and reserves its memory. Call before the workspace is sealed. */
  bind(system: System): BoundCoupledMethod;
}

/** A coupled method bound to a system. */
export interface BoundCoupledMethod
  extends Stepper,
    Pick<BoundFormulation, "accelerations" | "multipliers"> {
  /**
   * Writes the errors of the velocities and of the displacement in the last attempt, if the method has its own
   * estimate.
   */
  estimate?(h: number, ofVelocity: Address, ofDisplacement: Address): void;
}

/**
 * A method bound to an ODE or a system: see the contract of an integrator.
 */
export interface Stepper {
  /** Computes a step from t to t + h and stores the result internally. */
  attempt(t: number, h: number): void;
  /** Writes the result of the last attempt to the accepted state. */
  accept(): void;
  /**
   * Takes up to `count` complete steps, including the work at their ends, and returns how many: see FusedOde. Absent if
   * steps are taken one at a time.
   */
  steps?(t: number, h: number, count: number): number;
  /** Ends the step, including corrections made after `accept`, and advances the history. */
  commit(t: number, h: number): void;
  /** Clears the history of earlier steps. */
  reset(): void;
  /** Defined if it divides steps: see {@link Integrator.dividesSteps}. */
  readonly damped?: DampedSteps;
  /** Additional cost of implicit methods, counted from the first attempt on. */
  readonly costs?: ImplicitCosts;
}

/** Steps that are refused and then taken in substeps. */
export interface DampedSteps {
  /** Whether attempts with a large error by their own estimate are refused. Set by a caller that then takes substeps. */
  refusesFarOff: boolean;
  /** Computes the shortest substep when {@link Stepper.attempt} refuses it too: damps what it cannot resolve. */
  attempt(t: number, h: number): void;
}

/** An integrator with error estimate and dense output. */
export interface AdaptiveIntegrator extends Integrator {
  /** Its error estimate is O(h^errorOrder): steps are controlled with the exponent 1/errorOrder. */
  readonly errorOrder: number;
  /** Binds the integrator to an ODE and reserves its memory in the workspace. */
  bind(ode: Ode, workspace: Workspace): AdaptiveStepper;
}

/** Allowed error of a step: absolute + relative |y|, with absolute errors of positions and of velocities. */
export type StepTolerance = Record<"relative" | "positions" | "velocities", number>;

/** A bound integrator with error estimate and dense output. */
export interface AdaptiveStepper extends Stepper {
  /**
   * Returns the error of the step from t to t + h in units of the tolerance; `norm` measures a vector in these units.
   * y is the end of the step. Evaluates f there, which is the first slope of the next step.
   */
  error(t: number, h: number, norm: (error: Address) => number): number;
  /** Number of rows of {@link interpolant}, each of `dimension` values. */
  readonly interpolantRows: number;
  /**
   * After {@link error}, before commit: writes rows c0, c1, ... of
   *
   *   y(t + s h) = c0 + s (c1 + (1 - s) (c2 + s (c3 + (1 - s) (c4 + ...)))),   0 <= s <= 1
   *
   * with c0 = y at t (given), c0 + c1 = y at t + h.
   */
  interpolant(t: number, h: number, before: Address, out: Address): void;
  /**
   * Returns an estimate of h |lambda| for the fastest component, after {@link error}; 0 if the estimate rests on a
   * smaller fraction of the step than `least`.
   */
  stiffness?(h: number, least?: number): number;
  /**
   * Sets the tolerance before the first attempt: the error of y in a step may be absolute + relative |y|. Iterative
   * methods stop accordingly. With fixed steps, iterations that converge slowly continue, since no shorter step
   * follows.
   */
  setTolerance(tolerance: StepTolerance, hasFixedSteps?: boolean): void;
  /**
   * Sets the duration of the run, before the first attempt. Steps that are a large fraction of it are checked at
   * interior points.
   */
  watch(span: number): void;
  /** Step-size rules of the method. */
  readonly rule?: StepRule;
  /**
   * Takes and commits up to `count` steps, bitwise identical to single steps, and returns how many. Stops before any
   * step that is not simply accepted: rejections, failures, steps that end near `target` or reach `before`, and steps
   * 16 times shorter than `longestSince`.
   */
  stepBatch?(batch: StepBatch, count: number): number;
  /** True if {@link error} does not evaluate f, so the trial state is not the end of the step. */
  readonly skipsEndEvaluation: boolean;
  /**
   * Order of the next attempt, which may vary; its error estimate is O(h^(currentOrder + 1)). Read
   * after {@link error}, which chooses it, it replaces errorOrder - 1 in the step-size control. Read before the first
   * attempt, it determines how short the first step should be.
   */
  readonly currentOrder: number;
}

/** A batch of steps that a method takes in one call. Fields marked "in and out" are updated by the method. */
export interface StepBatch {
  /** In and out: the current time, and the length of the next step with its sign. */
  time: number;
  next: number;
  /** Time at which the run ends, and a time that no step may reach: a requested output, or the end. */
  readonly target: number;
  readonly before: number;
  /** Upper bound of the step length. */
  readonly maximumStep: number;
  /** In and out: the longest step since the last check for noise. */
  longestSince: number;
  /** Out: the shortest and the longest step, and the last step with its sign. */
  shortest: number;
  longest: number;
  last: number;
}

/** Step-size rules. Errors are in units of the tolerance. */
export interface StepRule {
  /**
   * True if the remaining interval must not be split into two equal steps: the proposed step and a short last one
   * follow.
   */
  readonly allowsShortLastStep: boolean;
  /** Returns the factor for the next step after an accepted step of length h with this error. */
  accepted(h: number, error: number): number;
  /** Returns the factor after a rejected step. Not called if the method itself failed (StepFailure). */
  rejected(h: number, error: number): number;
}

/** Additional cost of implicit methods, in addition to evaluations of f. */
export interface ImplicitCosts {
  /** Source of df/dy. */
  readonly jacobianSource: string;
  /** Number of Jacobian evaluations. */
  readonly jacobians: number;
  /** Factorisations of I - alpha df/dy. */
  readonly factorisations: number;
  /** Number of attempts that failed because the Newton iteration did not converge. */
  readonly convergenceFailures: number;
  /** Number of evaluations of f in checks for errors hidden by stiffness that begins or ends inside a step. */
  readonly checks: number;
}

/** A formulation, stabilisations and an integrator; or a coupled method. */
export type Method =
  | {
      readonly formulation: Formulation;
      readonly stabilisation?: Stabilisation | readonly Stabilisation[];
      readonly integrator: Integrator;
    }
  | {
      readonly coupled: CoupledMethod;
      readonly stabilisation?: Stabilisation | readonly Stabilisation[];
    };
