import type { Address } from "../ground/memory/arena.js";
import type { Workspace } from "../ground/memory/workspace.js";
import type { LeftOpen } from "./constraints.js";
import type { Ode } from "./ode.js";
import type { System } from "./system.js";

/** A method, or a part of one: its name and the reference it comes from. */
export interface Named {
  /** Its name, as in names of methods and solutions. */
  readonly name: string;
  /** Paper, book or report, with the equation where there is one. */
  readonly reference: string;
}

/** The level on which a formulation enforces the constraints. */
export type ConstraintLevel = "acceleration" | "velocity" | "position";

/** Turns the equations of motion into an ODE and defines its unknowns y. */
export interface Formulation extends Named {
  /** The level on which it enforces the constraints. */
  readonly level: ConstraintLevel;
  /** Integrates through poses where the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** Accepts redundant constraints. */
  readonly survivesRedundantRows: boolean;
  /** What it needs of a system: operators alone, its dense matrices, or its matrices in whatever form it has them. */
  readonly needs: "operators" | "dense" | "matrices";
  /** Positions that the user has named for it. */
  readonly namedPositions?: readonly (string | number)[] | undefined;
  /** Constraints yield: exact only in the limit of one of its options. */
  readonly isApproximate?: boolean;
  /** Only for plain ODEs. */
  readonly onlyForOde?: boolean;
  /** Some of its unknowns are algebraic, and this is its index: only for integrators that take it. */
  readonly index?: number;
  /** The unknowns are redefined at each step: multistep methods cannot be used. */
  readonly changesUnknowns: boolean;
  /** Binds it to a system: reserves its memory. */
  bind(system: System, stabilisation: BoundStabilisation): BoundFormulation;
}

/** Independent coordinates that a method has chosen, or was given, and when it chose others. */
export interface CoordinatePartition {
  /** Names of the independent positions, in the order of the coordinates. Empty if only velocities are partitioned. */
  readonly positions: readonly string[];
  /**
   * Names of the independent velocities. `stateSpace()` integrates the rates of its positions: their names with a prime if
   * they are no velocities, as those of Euler parameters.
   */
  readonly velocities: readonly string[];
  /** How often others were chosen since the start. */
  readonly changes: number;
  /** Times of the steps that began with other ones, s: the latest 64. */
  readonly times: readonly number[];
}

/** A formulation bound to a system. */
export interface BoundFormulation {
  /** The ODE that the integrator solves. */
  readonly ode: Ode;
  /**
   * Before a step: sets y from the accepted state. Returns true if the unknowns were redefined, so that histories are
   * invalid.
   */
  beginStep?(t: number, h: number): boolean | undefined;
  /** After a step: writes y to the accepted state. */
  endStep?(t: number): void;
  /** out = accelerations at the trial state last passed to `System.at`. */
  accelerations(out: Address): void;
  /** Corrects what {@link accelerations} gave, for users who read it. Missing where that would gain nothing. */
  correctAccelerations?(accelerations: Address): void;
  /**
   * Computes q and v from unknowns y of this step, if y is not (q, v); used to interpolate the state. Calls `System.at`
   * for that state.
   */
  expandState?(t: number, y: Address, out: Address): void;
  /** out = multipliers at the end of the last step, where they are unknowns. */
  multipliers?(out: Address): void;
  /** The independent coordinates, if it has any; undefined before the first step. */
  partition?(): CoordinatePartition | undefined;
}

/** What a stabilisation acts on. */
export type StabilisationTarget = "nothing" | "stages" | "accelerations" | "rates" | "afterStep";

/** How constraint drift is controlled. */
export interface Stabilisation extends Named {
  /** What it acts on. */
  readonly actsOn: StabilisationTarget;
  /** The correction is valid for one step only: not for multistep methods. */
  readonly oneStepOnly: boolean;
  /** Its gains depend on the length of the step, and with them the equations: not for implicit multistep methods. */
  readonly gainsFollowStep?: boolean;
  /** Needs potential energy. */
  readonly needsEnergy: boolean;
  /** Needs dense matrices. */
  readonly needsDense?: boolean;
  /** Binds it to a system: reserves its memory. */
  bind(system: System): BoundStabilisation;
}

/** A stabilisation bound to a system: it has those of these methods that it needs. */
export interface BoundStabilisation {
  /**
   * {@link rates} appends the power to the rates of q and v; the formulation integrates it to the work, as accurately
   * as the motion.
   */
  readonly integratesWork?: boolean;
  /** The state was reset. The trial state holds it. */
  restart?(t: number): void;
  /** Before a step, with the accepted state as trial state. */
  beginStep?(t: number, h: number): void;
  /** Before each stage: corrects the trial state and calls `System.at`. */
  stage?(t: number): void;
  /** States that {@link stage} leaves alone. */
  readonly leavesOpen?: LeftOpen;
  /** Whether all that it does is to {@link stage}, and to {@link correct} by the same rule. */
  readonly closesOnly?: boolean;
  /** Writes the right-hand side of J a = right; without this method it is gamma. `out` may be `gamma`. */
  rightHandSide?(gamma: Address, out: Address): void;
  /** Instead of {@link rightHandSide}: writes that and r; the rate of q becomes that of v + minnorm(r). */
  rightHandSides?(gamma: Address, out: Address, r: Address): void;
  /** Adds to the rates of q and v. The solver is factored; `rates` holds q', then v'. */
  rates?(t: number, rates: Address): void;
  /** After a step: changes the accepted state. */
  correct?(t: number, h: number): void;
}

/** A method for y' = f(t, y), independent of mechanics. */
export interface Integrator extends Named {
  /** Order of accuracy; the highest one where it varies. */
  readonly order: number;
  /** Evaluations of f in a step. */
  readonly stages: number;
  /** Uses values of earlier steps. */
  readonly isMultistep: boolean;
  /** Solves equations in each step: for stiff systems. */
  readonly isImplicit?: boolean;
  /** Treats positions and velocities in different ways: y must be q and v (Ode.movePositions). */
  readonly needsVelocities?: boolean;
  /**
   * A step of fixed length that fails, or that it refuses, is taken in parts: for real time, where no step may fail. Its stepper has
   * {@link Stepper.refusesFarOff} and {@link Stepper.attemptDamped} then.
   */
  readonly dividesSteps?: boolean;
  /** Takes algebraic unknowns, D y' = f(t, y) with zeros in D (see {@link Ode}), up to this index. */
  readonly highestIndex?: number;
  /** Binds it to an ODE: reserves its memory in the workspace. */
  bind(ode: Ode, workspace: Workspace): Stepper;
}

/** A complete stepping scheme that enforces the constraints in its own step. */
export interface CoupledMethod extends Named {
  /** Order of accuracy. */
  readonly order: number;
  /** Evaluations in a step, each with a solve at least. */
  readonly stages: number;
  /** The level on which it enforces the constraints. */
  readonly level: ConstraintLevel;
  /** Integrates through poses where the constraints lose rank. */
  readonly survivesSingularPoses: boolean;
  /** Accepts redundant constraints. */
  readonly survivesRedundantRows: boolean;
  /** What it needs of a system. Missing: free bodies and their joints. */
  readonly needs?: "operators" | "matrices";
  /** The estimate of its own is O(h^errorOrder): steps are controlled with the exponent 1/errorOrder. */
  readonly errorOrder?: number;
  /** What becomes of it where the length of steps changes. Missing: it is projected. */
  readonly variableSteps?: "asTheyAre" | "refused";
  /** Binds it to a system: reserves its memory. */
  bind(system: System): BoundCoupledMethod;
}

/** A coupled method bound to a system. */
export interface BoundCoupledMethod extends Stepper, Pick<BoundFormulation, "accelerations"> {
  /** out = multipliers of the last step, if the method computes them. Overwrites the trial state. */
  multipliers?(out: Address): void;
  /** Errors of the velocities and of the displacement in the last attempt, if the method has an estimate of its own. */
  estimate?(h: number, ofVelocity: Address, ofDisplacement: Address): void;
  /** Costs that other methods do not have. */
  readonly costs?: ImplicitCosts;
}

/** A method bound to an ODE. An attempt does not change the accepted state, so a rejected one needs no undo. */
export interface Stepper {
  /** Computes a step from t to t + h, and keeps the result to itself. */
  attempt(t: number, h: number): void;
  /** Whether steps that are far off by their own estimate are refused: set by whoever takes them in parts then. */
  refusesFarOff?: boolean;
  /** In place of {@link attempt}, where the shortest part of a step is refused as well: damps what it cannot resolve. */
  attemptDamped?(t: number, h: number): void;
  /** Writes the result of the last attempt to the accepted state. */
  accept(): void;
  /** Up to `count` steps with all that is done at their ends: see Ode.steps. Missing where steps are taken one by one. */
  steps?(t: number, h: number, count: number): number;
  /** The step is final, including corrections made after `accept`: advance the history. */
  commit?(t: number, h: number): void;
  /** Forgets earlier steps. */
  reset?(): void;
}

/** An integrator with error estimate and dense output. */
export interface AdaptiveIntegrator extends Integrator {
  /** Its error estimate is O(h^errorOrder): steps are controlled with the exponent 1/errorOrder. */
  readonly errorOrder: number;
  /** Binds it to an ODE: reserves its memory in the workspace. */
  bind(ode: Ode, workspace: Workspace): AdaptiveStepper;
}

/**
 * Order of calls: `attempt`, `accept`, corrections of the stabilisation, `error`. Then `commit`; or, if the error is
 * too large, the caller restores y and attempts a shorter step.
 */
export interface AdaptiveStepper extends Stepper {
  commit(t: number, h: number): void;
  reset(): void;
  /**
   * Error of the step from t to t + h in units of the tolerance; `norm` measures a vector in these units. y is the end
   * of the step. Evaluates f there, which is the first slope of the next step.
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
   * After {@link error}: an estimate of h |lambda| for the fastest component. 0 if the estimate rests on less than
   * `least` of the step.
   */
  stiffness?(h: number, least?: number): number;
  /**
   * Sets the tolerance before the first attempt: the error of y in a step may be absolute + relative |y|. Iterative
   * methods stop accordingly. Where steps are fixed, iterations that converge slowly go on: no shorter step follows.
   */
  setTolerance?(
    relative: number,
    positions: number,
    velocities: number,
    hasFixedSteps?: boolean,
  ): void;
  /** Says how long the run is, before the first attempt: steps that are a large part of it are looked at inside. */
  watch?(span: number): void;
  /** The method's own rules for the length of its steps. */
  readonly rule?: StepRule;
  /**
   * Takes and commits up to `count` steps as the run would, bit by bit, and gives how many: where nobody has to see each
   * of them. It leaves to the run what is more than an accepted step of full length: rejections, failures, steps that
   * end near the target or reach `before`, and steps 16 times shorter than `longestSince`.
   */
  sprint?(sprint: Sprint, count: number): number;
  /** {@link error} does not evaluate f, so the trial state is not the end of the step. */
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

/** Steps that a method takes by itself. */
export interface Sprint {
  /** Where it is, and the length of the next step with its sign: given, and found. */
  time: number;
  next: number;
  /** Where the run ends, and a time that no step may reach: asked for, or that end. */
  readonly target: number;
  readonly before: number;
  /** The longest step that is allowed. */
  readonly maximumStep: number;
  /** The longest step since noise was looked for: given, and found. */
  longestSince: number;
  /** Found: the shortest and the longest step, and the last with its sign. */
  shortest: number;
  longest: number;
  last: number;
}

/** Rules for the length of steps. Errors are in units of what is allowed. */
export interface StepRule {
  /** Do not split the remaining interval into two equal steps; take the proposed step and a short last one. */
  readonly allowsShortLastStep?: boolean;
  /** Factor for the next step after an accepted step of length h with this error. */
  accepted(h: number, error: number): number;
  /** Factor after a rejected step. Not called if the method itself failed (StepFailure). */
  rejected(h: number, error: number): number;
}

/** Work of implicit methods besides evaluations of f. */
export interface ImplicitCosts {
  /** How df/dy is found. */
  readonly jacobianSource: string;
  /** Number of Jacobian evaluations. */
  readonly jacobians: number;
  /** Factorisations of I - alpha df/dy. */
  readonly factorisations: number;
  /** Attempts that failed because the Newton iteration did not converge. */
  readonly convergenceFailures: number;
  /** Evaluations of f that looked for errors hidden by stiffness that ends or begins inside a step. */
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
