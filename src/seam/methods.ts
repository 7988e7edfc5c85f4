import type { Address } from "../ground/memory/arena.js";
import type { Workspace } from "../ground/memory/workspace.js";
import type { Ode } from "./ode.js";
import type { System } from "./system.js";

/** Everything that can be chosen has a name and a source. */
export interface Named {
  readonly name: string;
  /** Paper, book or report, with the equation where there is one. */
  readonly reference: string;
}

/** Where in the hierarchy of derivatives a formulation keeps the constraints. */
export type ConstraintLevel = "acceleration" | "velocity" | "position";

/** Turns the equations into an ordinary differential equation. It decides what y is. */
export interface Formulation extends Named {
  readonly level: ConstraintLevel;
  /** Goes on through poses where the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** Takes constraints that repeat each other. */
  readonly survivesRedundantRows: boolean;
  /** Needs dense matrices. */
  readonly needsDense: boolean;
  /** Takes plain differential equations, and nothing else. */
  readonly onlyForOde?: boolean;
  /** y changes its meaning from step to step: methods with a memory cannot be used. */
  readonly changesUnknowns: boolean;
  bind(system: System, stabilisation: BoundStabilisation): BoundFormulation;
}

export interface BoundFormulation {
  readonly ode: Ode;
  /** Before a step: takes y from the accepted state. True where y has got another meaning: histories are void. */
  beginStep?(t: number, h: number): boolean | undefined;
  /** After a step: gives y back to the accepted state. */
  endStep?(t: number): void;
  /** out = accelerations at the trial state last announced. */
  accelerations(out: Address): void;
  /**
   * Writes q and v for unknowns of this step, where y is not q and v: interpolation in y then is one of the
   * state. Announces that state.
   */
  expandState?(t: number, y: Address, out: Address): void;
}

/** What a stabilisation acts on. */
export type StabilisationTarget = "nothing" | "stages" | "accelerations" | "rates" | "afterStep";

/** What is done about drift. */
export interface Stabilisation extends Named {
  readonly actsOn: StabilisationTarget;
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
  readonly integratesWork?: boolean;
  /** The state has been set anew; it is the trial state. */
  restart?(t: number): void;
  /** Before a step, with the accepted state as trial state. */
  beginStep?(t: number, h: number): void;
  /** Before the rates at a stage: moves the trial state, and announces it. */
  stage?(t: number): void;
  /** Writes the right side of J a = right, which without it is gamma. `out` may be `gamma`. */
  rightHandSide?(gamma: Address, out: Address): void;
  /** Instead of {@link rightHandSide}: writes that and r; the rate of q becomes that of v + minnorm(r). */
  rightHandSides?(gamma: Address, out: Address, r: Address): void;
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
  readonly isMultistep: boolean;
  /** Solves equations in each step: for stiff systems. */
  readonly isImplicit?: boolean;
  bind(ode: Ode, workspace: Workspace): Stepper;
}

/** A whole step by itself: its formula mixes constraints and integration. */
export interface CoupledMethod extends Named {
  readonly order: number;
  /** Solves in a step. */
  readonly stages: number;
  readonly level: ConstraintLevel;
  readonly survivesSingularPoses: boolean;
  readonly survivesRedundantRows: boolean;
  bind(system: System): BoundCoupledMethod;
}

export interface BoundCoupledMethod extends Stepper, Pick<BoundFormulation, "accelerations"> {
  /** out = the multipliers of the last step, if the method finds them. Moves the trial state. */
  multipliers?(out: Address): void;
}

/** A method in place. A trial leaves the accepted state alone: a rejection needs no undo. */
export interface Stepper {
  attempt(t: number, h: number): void;
  accept(): void;
  /** The state accepted, and corrected since, stands: histories go on to it. */
  commit?(t: number, h: number): void;
  /** Forgets earlier steps. */
  reset?(): void;
}

/** An integrator that knows how wrong it is, and what y was on the way. */
export interface AdaptiveIntegrator extends Integrator {
  /** Its error estimate is O(h^errorOrder): steps are controlled with the exponent 1/errorOrder. */
  readonly errorOrder: number;
  bind(ode: Ode, workspace: Workspace): AdaptiveStepper;
}

/**
 * A step is attempted and accepted; what the stabilisation does to y follows; then it is judged. If it
 * stands it is committed; if not the caller puts y back, and attempts a shorter one.
 */
export interface AdaptiveStepper extends Stepper {
  commit(t: number, h: number): void;
  reset(): void;
  /**
   * Error of the step from t to t + h, whose end is now y, in units of what is allowed: `norm` measures a
   * vector so. Evaluates f at y, which begins the next step if this one stands.
   */
  error(t: number, h: number, norm: (error: Address) => number): number;
  /** Rows of {@link interpolant}, `dimension` numbers each. */
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
   * After {@link error}: h times the largest rate of the system, as far as the step shows it. 0 where what shows it is
   * less than `least` of the whole step, if that is given.
   */
  stiffness?(h: number, least?: number): number;
  /**
   * Takes what is allowed, before the first attempt: in each step y may be wrong by absolute + relative |y|. For
   * methods that iterate, and stop when they are near enough.
   */
  setTolerance?(relative: number, positions: number, velocities: number): void;
  /** The method's own rules for the length of its steps. */
  readonly rule?: StepRule;
  /** {@link error} does not evaluate f: the trial stays elsewhere than at the end of the step. */
  readonly skipsEndEvaluation?: boolean;
  /** Costs that other methods do not have: counted from the first attempt on. */
  readonly costs?: ImplicitCosts;
  /**
   * Where the order changes: that of the next attempt, whose error estimate is O(h^(currentOrder + 1)). Read
   * after {@link error}, which chooses it, it takes the place of errorOrder - 1 in the control of steps; read
   * before the first attempt it tells how short the first step should be.
   */
  readonly currentOrder?: number;
}

/** Rules for the length of steps. Errors are in units of what is allowed. */
export interface StepRule {
  /**
   * A step that nearly reaches the end is taken as it is, and what is left after it. By default two even ones lead
   * there.
   */
  readonly allowsShortLastStep?: boolean;
  /** After a step of length h with this error was accepted: h times this comes next. */
  accepted(h: number, error: number): number;
  /** After one that was not, and was not refused by the method itself (StepFailure): h times this is tried. */
  rejected(h: number, error: number): number;
}

/** What implicit methods cost besides evaluations. */
export interface ImplicitCosts {
  /** How df/dy is found. */
  readonly jacobianSource: string;
  /** So often it was. */
  readonly jacobians: number;
  /** Factorisations of I - alpha df/dy. */
  readonly factorisations: number;
  /** Steps that were refused because iterations did not converge. */
  readonly convergenceFailures: number;
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
