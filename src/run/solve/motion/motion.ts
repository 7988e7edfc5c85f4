import type { Address, Arena } from "../../../ground/memory/arena.js";
import type {
  AdaptiveStepper,
  BoundCoupledMethod,
  ConstraintSolver,
  ImplicitCosts,
  Sprint,
  StepRule,
  System,
} from "../../../seam/index.js";
import type { StateView } from "../../public/state-view.js";
import { type BoundMethod, bindMethod } from "../../stepping/bind.js";
import type { Choice } from "../setup/method-choice.js";
import type { Tolerance } from "../setup/options.js";
import { bindCoupledError, coupledErrorOrder } from "./coupled-error.js";
import { EndSlopes } from "./end-slopes.js";
import { bindFreeNorm } from "./free-error.js";
import { instrumented, slopesDependOnStep } from "./instrumented-method.js";
import { OpenLoops } from "./open-loops.js";
import { type StateInterpolant, stateInterpolantOf } from "./state-interpolant.js";
import { ToleranceWeights } from "./tolerance-weights.js";
import { Unknowns } from "./unknowns.js";

/**
 * A method bound to a system, for steps that may be rejected: attempt a step, check its error, then commit it or undo
 * it.
 */
export class Motion {
  readonly system: System;
  readonly bound: BoundMethod;
  /** The step as a polynomial in the coordinates of the state, where the method has one. */
  readonly stateInterpolant: StateInterpolant | undefined;
  readonly order: number;
  readonly estimates: boolean;
  /** Attempts so far. */
  attempts = 0;
  /** (q', v') at both ends of the step, for what needs them. */
  readonly ends: EndSlopes;
  /** State before the attempt; the state as the integrator left it, before it was corrected. */
  readonly before: Address;
  /** On which turn angles were before the attempt. */
  readonly turnsBefore: Float64Array;
  readonly #span = new Float64Array(2);
  readonly #raw: Address;
  readonly #difference: Address;
  readonly #stepper: AdaptiveStepper | undefined;
  readonly #coupledError: ReturnType<typeof bindCoupledError> | undefined;
  readonly #errorOrder: number;
  readonly #freshSlopes: boolean;
  /** Unknowns have been evaluated as they are: corrections have moved the state since. */
  readonly #hasAlgebraic: boolean;
  readonly #stagesOfCoupled: number;
  readonly #hasFixedSteps: boolean;
  readonly #norm = (error: Address): number => {
    this.#lastError = error;
    return this.#freeNorm?.(this.#judgedAt, error) ?? this.#unknowns.measure(error);
  };
  #lastError: Address;
  readonly #freeNorm: ReturnType<typeof bindFreeNorm> | undefined;
  #judgedAt = 0;
  readonly #open: OpenLoops;
  readonly #solver: ConstraintSolver;
  readonly #unknowns: Unknowns;
  /** Whether what users see changes when the end of a step is corrected: not by the length of Euler parameters. */
  readonly #isMoved: boolean;
  #evaluations = 0;
  /** A step has been attempted, and neither been committed nor undone. */
  #isOpen = false;

  constructor(system: System, choice: Choice, tolerance: Tolerance, view: StateView) {
    const { workspace } = system;
    const { method } = choice;
    this.#hasFixedSteps = choice.hasFixedSteps ?? false;
    const { positions, velocities } = system.coordinates;
    const size = positions + velocities + 1;
    this.system = system;
    this.#isMoved = system.constraints.rows > 0 || system.publicState === undefined;
    this.#solver = system.dynamics.solver("auto");
    this.before = workspace.vector("state before an attempt", size);
    this.#raw = workspace.vector("end of an attempt, not corrected", size);
    this.#difference = workspace.vector("change by corrections", size);
    this.#lastError = this.#difference;
    this.#open = new OpenLoops(system);
    this.ends = new EndSlopes(system, () => this.bound);
    this.bound = bindMethod(
      system,
      instrumented(method, this.#raw, {
        evaluated: (times) => {
          this.#evaluations += times;
        },
        began: () => {
          if (this.bound.expandState) this.#unknowns.take();
        },
      }),
    );
    const { stepper, ode } = this.bound;
    this.#unknowns = new Unknowns(
      system,
      ode,
      this.before,
      new ToleranceWeights(system, tolerance),
      view,
    );
    this.#stepper = "interpolant" in stepper ? (stepper as AdaptiveStepper) : undefined;
    this.stateInterpolant =
      this.#stepper && stateInterpolantOf(system, this.bound, this.#stepper, this.#unknowns.before);
    this.turnsBefore = new Float64Array(system.continuation.turns?.count ?? 0);
    this.#hasAlgebraic = ode?.differential !== undefined;
    if ("coupled" in method) {
      const { order, stages } = method.coupled;
      this.order = order;
      this.#coupledError = bindCoupledError(
        system,
        order,
        this.ends,
        stepper as BoundCoupledMethod,
      );
      this.#errorOrder = method.coupled.errorOrder ?? coupledErrorOrder(order);
      this.#freshSlopes = false;
      this.#stagesOfCoupled = stages;
    } else {
      const { integrator } = method;
      this.order = integrator.order;
      this.#errorOrder =
        "errorOrder" in integrator ? (integrator.errorOrder as number) : integrator.order + 1;
      this.#freshSlopes = !integrator.isMultistep && slopesDependOnStep(method);
      this.#stagesOfCoupled = 0;
    }
    const judgesFree =
      this.#stepper !== undefined && this.#unknowns.areState && system.loops !== undefined;
    this.#freeNorm = judgesFree
      ? bindFreeNorm(system, (error) => this.#unknowns.measure(error))
      : undefined;
    if (judgesFree && system.loops) system.loops.controlsError = true;
    this.estimates = this.#stepper !== undefined || this.#coupledError !== undefined;
    this.setTolerance(tolerance);
  }

  /** The accepted state in units of the tolerance: its largest number. */
  sizeOfState(): number {
    return this.#unknowns.sizeOfState();
  }

  /** A rate of change of the accepted state likewise. */
  sizeOfRate(rate: Address): number {
    return this.#unknowns.sizeOfRate(rate);
  }

  /** The tolerance of each coordinate. */
  get weights(): ToleranceWeights {
    return this.#unknowns.weights;
  }

  setTolerance(tolerance: Tolerance): void {
    const allowed = new ToleranceWeights(this.system, tolerance);
    this.#unknowns.weights = allowed;
    const { relative, positions, velocities } = allowed;
    this.#stepper?.setTolerance?.(relative, positions, velocities, this.#hasFixedSteps);
    this.bound.ode?.tolerate?.(Math.min(positions, velocities));
  }

  /** Says how long the run is: see AdaptiveStepper. */
  watch(span: number): void {
    this.#stepper?.watch?.(span);
  }

  /** The method's own rules for steps. */
  get rule(): StepRule | undefined {
    return this.#stepper?.rule;
  }

  /** What an implicit method has cost. */
  get costs(): ImplicitCosts | undefined {
    return (this.bound.stepper as AdaptiveStepper | BoundCoupledMethod).costs;
  }

  /** The error of a step is O(h^errorOrder). */
  get errorOrder(): number {
    const order = this.#stepper?.currentOrder;
    return order === undefined ? this.#errorOrder : order + 1;
  }

  /**
   * Takes a step that can be undone. Gives its error in units of the tolerance: that of the method, and
   * how far the constraints had to move the end of the step, whichever is more. 0 without an estimate.
   */
  attempt(t: number, h: number): number {
    const { system } = this;
    const { kernels } = system.workspace;
    const size = system.coordinates.positions + system.coordinates.velocities;
    kernels.copyVector(size + 1, system.state.q, this.before);
    system.continuation.turns?.read(this.turnsBefore);
    this.attempts++;
    this.#isOpen = true;
    this.ends.forgetAfter();
    if (this.#freshSlopes) this.bound.reset();
    this.#evaluations += this.#stagesOfCoupled;
    this.#span[0] = t;
    this.#span[1] = h;
    this.bound.step(this.#span);
    if (!this.estimates) return 0;
    this.#judgedAt = t + h;
    this.#unknowns.forget();
    kernels.axpy(size, -1, this.#raw, system.state.q, this.#difference);
    // Of coupled methods, and near singular poses, what the constraints do not leave free is corrected anyway.
    if (this.#coupledError) return this.#estimate(t, h);
    if (this.#freeNorm) return Math.max(this.#estimate(t, h), this.#open.error());
    if (this.bound.expandState) return this.#estimate(t, h);
    const moved = this.#isMoved ? this.#norm(this.#difference) : 0;
    // This far off the estimate is meaningless, and costs an evaluation.
    if (!(moved <= TOO_FAR)) return moved;
    return Math.max(moved, this.#estimate(t, h));
  }

  /** Takes steps that nobody has to see: see AdaptiveStepper. */
  sprint(sprint: Sprint, count: number): number {
    const { time, next } = sprint;
    this.system.continuation.beginStep?.(time, next);
    const steps = this.#stepper?.sprint?.(sprint, count) ?? 0;
    if (steps === 0) return 0;
    this.attempts += steps;
    this.ends.reset();
    return steps;
  }

  /** Whether the method takes steps by itself. */
  get sprints(): boolean {
    return this.#stepper?.sprint !== undefined && this.#stepper.stiffness === undefined;
  }

  commit(t: number, h: number): void {
    this.#span[0] = t;
    this.#span[1] = h;
    this.bound.commit(this.#span);
    this.ends.commit();
    this.#isOpen = false;
  }

  /** The state is what it was, but not the slopes there. */
  forgetSlopes(t: number): void {
    this.bound.reset();
    this.ends.reset();
    this.system.load(t);
  }

  /** The state has been set again. */
  restart(t: number): void {
    this.bound.reset();
    this.ends.reset();
    this.system.load(t);
    this.bound.restart(t);
  }

  get evaluations(): number {
    return this.#evaluations + this.ends.evaluations;
  }

  /** Counts from zero. */
  resetCounts(): void {
    this.#evaluations = 0;
    this.ends.evaluations = 0;
    this.system.dynamics.factorisations = 0;
  }

  /** Goes back to the state before the attempt. */
  undo(): void {
    const { system } = this;
    const size = system.coordinates.positions + system.coordinates.velocities + 1;
    system.workspace.kernels.copyVector(size, this.before, system.state.q);
    system.continuation.turns?.write(this.turnsBefore);
    this.#isOpen = false;
  }

  /** Rolls back an uncommitted step after a failure. */
  rollBack(): void {
    if (this.#isOpen) this.undo();
  }

  /** An evaluation outside of a step may keep the factor of its state: what follows is at other states. */
  dropFactor(): void {
    this.#solver.dropFactor?.();
  }

  /** Worst coordinate of the last error, by name. */
  worstCoordinate(arena: Arena): string {
    const error = this.#unknowns.areState ? this.#lastError : this.#difference;
    return this.#unknowns.worstCoordinate(error, arena);
  }

  /** The trial state has moved since `at` was called at the end of the step: calls it again. */
  announceEnd(t: number): void {
    this.system.load(t);
  }

  #estimate(t: number, h: number): number {
    if (this.#coupledError) {
      this.#coupledError(t, h, this.before, this.#raw, this.#difference);
      return this.#norm(this.#difference);
    }
    // If unknowns are redefined in each step, they are compared only with those at its end.
    if (!this.bound.expandState) this.#unknowns.take();
    const error = this.#stepper?.error(t, h, this.#norm) ?? 0;
    if (this.#stepper?.skipsEndEvaluation || this.#hasAlgebraic) this.system.load(t + h);
    else this.dropFactor();
    return error;
  }
}

/** Corrections beyond this many tolerances reject the step. */
const TOO_FAR = 100;
