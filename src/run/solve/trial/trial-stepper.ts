import type { Address, Arena } from "../../../base/memory/arena.js";
import type {
  AdaptiveStepper,
  BoundCoupledMethod,
  ConstraintSolver,
  ImplicitCosts,
  Method,
  StepBatch,
  StepRule,
  System,
} from "../../../interfaces/index.js";
import { bindProjector, leftOpen } from "../../../interfaces/projection/projector.js";
import type { PublicView } from "../../public/public-view.js";
import { stabilisationsOf } from "../../stepping/compatibility.js";
import { type BoundMethod, bindMethod } from "../../stepping/stepped-system.js";
import type { Choice } from "../setup/method-choice.js";
import type { Tolerance } from "../setup/options.js";
import { ToleranceWeights, Unknowns } from "./unknowns.js";

/** The polynomial of a step in the coordinates of the state. */
interface StateInterpolant {
  readonly interpolantRows: number;
  /** Coefficients in a row. */
  readonly stride: number;
  /**
   * Writes the rows of the nested form (see AdaptiveStepper) after the error test of the step; `before`: the state at
   * t.
   */
  interpolant(t: number, h: number, before: Address, out: Address): void;
  stiffness?(h: number, least?: number): number;
}

/** Maximum number of rows: more would amplify rounding. */
const MAX_INTERPOLANT_ROWS = 8;

/**
 * Returns the method's own polynomial if its unknowns are q and v. If other unknowns determine q and v, returns the
 * polynomial through states computed from them: `unknowns` are those at the beginning of the step.
 */
function stateInterpolantOf(
  system: System,
  { ode, expandState }: BoundMethod,
  stepper: AdaptiveStepper,
  unknowns: Address,
): StateInterpolant | undefined {
  const stiffness = stepper.stiffness && {
    stiffness: (h: number, least?: number) => stepper.stiffness?.(h, least) ?? 0,
  };
  if (ode === undefined) return undefined;
  if (ode.y === system.state.q) {
    return {
      interpolantRows: stepper.interpolantRows,
      stride: ode.dimension,
      interpolant: (t, h, before, out) => stepper.interpolant(t, h, before, out),
      ...stiffness,
    };
  }
  return (
    expandState && {
      ...sampledInterpolant(system, ode.dimension, expandState, stepper, unknowns),
      ...stiffness,
    }
  );
}

function sampledInterpolant(
  { workspace, coordinates, state }: System,
  dimension: number,
  expand: (t: number, y: Address, out: Address) => void,
  stepper: AdaptiveStepper,
  unknowns: Address,
): StateInterpolant {
  const size = coordinates.positions + coordinates.velocities;
  const ownRows = stepper.interpolantRows;
  const rows = Math.min(Math.max(ownRows + 1, 5), MAX_INTERPOLANT_ROWS);
  const nodes = chebyshevLikeNodes(rows - 2);
  const own = workspace.vector("interpolant of unknowns", ownRows * dimension);
  const at = workspace.vector("unknowns between", dimension);
  const samples = workspace.vector("states between", (rows - 2) * size);
  const zero = workspace.vector("no state", size);
  const weightsOf = nodes.map((s) =>
    workspace.constants("weights of unknowns", nestedBasis(s, ownRows).slice(1)),
  );
  const inverse = inverseOf(nodes.map((s) => nestedBasis(s, rows).slice(2)));
  const weightsOfRows = inverse.map((row) => workspace.constants("weights of states", row));

  return {
    interpolantRows: rows,
    stride: size,
    interpolant(t, h, before, out) {
      const { kernels } = workspace;
      stepper.interpolant(t, h, unknowns, own);
      kernels.copyVector(size, before, out);
      const c1 = out + 8 * size;
      kernels.axpy(size, -1, before, state.q, c1);
      // Backwards from the end, which was evaluated last: each state is near the one before it.
      for (let k = nodes.length - 1; k >= 0; k--) {
        const s = nodes[k]!;
        const sample = samples + 8 * k * size;
        kernels.combine(dimension, ownRows - 1, 1, own, own + 8 * dimension, weightsOf[k]!, at);
        expand(t + s * h, at, sample);
        kernels.axpy(size, -1, before, sample, sample);
        kernels.axpy(size, -s, c1, sample, sample);
      }
      for (let k = 0; k < nodes.length; k++) {
        const row = out + 8 * (k + 2) * size;
        kernels.combine(size, nodes.length, 1, zero, samples, weightsOfRows[k]!, row);
      }
    },
  };
}

/** Values at s of the basis 1, s, s (1 - s), s^2 (1 - s), ... of the nested form. */
function nestedBasis(s: number, rows: number): number[] {
  const basis = [1];
  for (let k = 1; k < rows; k++) basis.push(basis[k - 1]! * (k % 2 === 1 ? s : 1 - s));
  return basis;
}

/**
 * Nodes in [0, 1] that crowd towards the ends like the extrema of a Chebyshev polynomial, (1 - cos(pi t)) / 2: with
 * the ends they interpolate nearly optimally. 3 t^2 - 2 t^3 is close to that, and the same on every engine.
 */
function chebyshevLikeNodes(count: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const t = (k + 1) / (count + 1);
    return t * t * (3 - 2 * t);
  });
}

/** Inverts a matrix by Gauss-Jordan elimination with column pivoting: small matrices of moderate entries. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let k = 0; k < size; k++) {
    const rest = work.slice(k).map((row) => Math.abs(row[k]!));
    const pivot = k + rest.indexOf(Math.max(...rest));
    [work[k], work[pivot]] = [work[pivot]!, work[k]!];
    const top = work[k]!.map((x) => x / work[k]![k]!);
    work.forEach((row, i) => {
      const factor = row[k]!;
      work[i] = i === k ? top : row.map((x, j) => x - factor * top[j]!);
    });
  }
  return work.map((row) => row.slice(size));
}

/** Constraint error that a step may leave, and the error in tolerances assigned if it is exceeded. */
const MAX_OPEN_RESIDUAL = 1e-10;
const OPEN_LOOP_ERROR = 10;
/** Fraction of the irremovable residual of a nearly fitting geometry that appears removable. */
const REMOVABLE_FRACTION = 1e-3;
/** Constraint errors below this many ulps of the positions are rounding, far from the origin. */
const RESIDUAL_TOLERANCE = 16 * Number.EPSILON;

/**
 * In closed loops, corrections may not fully recover from a long step past a singular pose: the remaining gap counts
 * as an error. A residual that no motion could remove does not.
 */
class OpenLoops {
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
  }

  /** Returns the error of the step, at whose end `at` has been called. */
  error(): number {
    const system = this.#system;
    const { kernels } = system.workspace;
    const residual = kernels.largestMagnitude(system.constraints.rows, system.constraints.phi());
    if (residual <= MAX_OPEN_RESIDUAL) return 0;
    const rounding =
      RESIDUAL_TOLERANCE * kernels.largestMagnitude(system.coordinates.positions, system.trial.q);
    if (residual <= rounding) return 0;
    const open = system.loops?.correctableError?.() ?? residual;
    return open <= Math.max(MAX_OPEN_RESIDUAL, rounding, REMOVABLE_FRACTION * residual)
      ? 0
      : OPEN_LOOP_ERROR;
  }
}

/** Whether slopes cannot be reused, because unknowns or corrections are redefined at each step. */
function slopesDependOnStep(method: Method): boolean {
  return (
    ("formulation" in method && method.formulation.changesUnknowns) ||
    stabilisationsOf(method).some(({ actsOn }) => actsOn === "accelerations" || actsOn === "rates")
  );
}

/** Weight of the error component that the constraints remove. */
const CONSTRAINED_ERROR_WEIGHT = 0.1;

/** Errors this many times too large are not examined further. */
const MAX_EXAMINED_ERROR = 1e6;

/**
 * Measures an error e of a state y in closed loops by its projection: y - e is projected onto the constraints as
 * well, and the free component remains. Near singular poses the accelerations of a component about to become free are
 * wrong at any step length, but the constraints undo their effect once the pose is passed. Measured by the full
 * error, no step would be short enough there. The rest counts for a tenth: steps that rely on the constraints too
 * much lose energy (found on N-four-bars with random starts).
 */
function bindFreeNorm(
  system: System,
  measure: (error: Address) => number,
): (t: number, error: Address) => number {
  const { workspace, state, trial } = system;
  const { positions, velocities } = system.coordinates;
  const size = positions + velocities;
  const iterations = { iterations: 10, tolerance: 1e-13 };
  const projector = bindProjector(system, iterations);
  const { closed } = system.dynamics.solver("auto");
  const left = leftOpen(system, { corrections: 1, tolerance: iterations.tolerance });
  const saved = workspace.vector("state kept while its error is judged", size);

  function keepFree(t: number, error: Address): void {
    const { kernels } = workspace;
    kernels.axpy(size, -1, error, state.q, trial.q);
    system.coordinates.normalise?.(trial.q);
    if (!system.loops?.nearlyFits && closed?.close(t, left)) {
      system.coordinates.normalise?.(trial.q);
      kernels.axpy(size, -1, trial.q, state.q, error);
      system.load(t);
      return;
    }
    kernels.copyVector(size, state.q, saved);
    kernels.axpy(size, -1, error, saved, state.q);
    system.coordinates.normalise?.(state.q);
    projector.positions(t);
    projector.velocities(t);
    system.coordinates.normalise?.(state.q);
    kernels.axpy(size, -1, state.q, saved, error);
    kernels.copyVector(size, saved, state.q);
    system.load(t);
  }

  return (t, error) => {
    const all = measure(error);
    if (all <= 1 || !(all < MAX_EXAMINED_ERROR)) return all;
    keepFree(t, error);
    // `all` is an upper bound: if y itself violates the constraints, the projection adds that violation, which is not
    // part of the error.
    return Math.min(all, Math.max(CONSTRAINED_ERROR_WEIGHT * all, measure(error)));
  };
}

/**
 * (q', v') at both ends of a step, evaluated on demand, once. Known slopes are stored in the arena: evaluated again,
 * at another step length, they could differ in the last bit.
 */
class EndSlopes {
  readonly before: Address;
  readonly after: Address;
  /** Evaluations of end slopes. */
  evaluations = 0;
  readonly #system: System;
  readonly #bound: () => BoundMethod;
  #isKnown = new Float64Array(2);

  constructor(system: System, bound: () => BoundMethod) {
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    this.#system = system;
    this.#bound = bound;
    this.before = workspace.vector("slopes before a step", positions + velocities);
    this.after = workspace.vector("slopes after a step", positions + velocities);
    const flags = workspace.reserve("slopes that are known", 2);
    workspace.whenSealed((arena) => {
      this.#isKnown = arena.floats(flags);
    });
  }

  requireBefore(t: number, state: Address): Address {
    return this.#require(0, t, state, this.before);
  }

  requireAfter(t: number, state: Address): Address {
    return this.#require(1, t, state, this.after);
  }

  /** Invalidates the end slope. */
  forgetAfter(): void {
    this.#isKnown[1] = 0;
  }

  /** Makes the slopes at the end those at the beginning of the next step. */
  commit(): void {
    const { workspace } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    if (this.#isKnown[1] === 1) {
      workspace.kernels.copyVector(positions + velocities, this.after, this.before);
    }
    this.#isKnown[0] = this.#isKnown[1] as number;
    this.#isKnown[1] = 0;
  }

  reset(): void {
    this.#isKnown.fill(0);
  }

  #require(index: 0 | 1, t: number, state: Address, out: Address): Address {
    if (this.#isKnown[index] === 1) return out;
    this.evaluate(t, state, out);
    this.#isKnown[index] = 1;
    return out;
  }

  /** Writes (q', v') at a state, which becomes the trial state. */
  evaluate(t: number, state: Address, out: Address): void {
    const system = this.#system;
    const { workspace, trial } = system;
    const { positions, velocities } = system.coordinates;
    workspace.kernels.copyVector(positions + velocities, state, trial.q);
    system.at(t);
    this.#bound().accelerations(out + 8 * positions);
    const v = trial.v;
    system.coordinates.positionRate(v, 0, v, out);
    this.evaluations++;
  }
}

/** Estimates are O(h^errorOrder). */
function coupledErrorOrder(order: number): number {
  return Math.min(order, 2) + 1;
}

/**
 * Returns the error estimate of a coupled method, which moves v by h a with one acceleration a, and q by h v and some
 * multiple of h^2 a. With the accelerations a0 and a1 at both ends, computed from the constraints there, a step of
 * order 2 (a belongs to the middle) is compared with Simpson's rule, one of order 1 with the trapezoidal rule:
 *
 *   order 2:  e_v = h (a0 - 2 a + a1) / 6     e_q = h^2 (a0 - a) / 6
 *   order 1:  e_v = h (a0 - 2 a + a1) / 2     e_q = h^2 a / 2
 *
 * e_q is a displacement; it changes q like a velocity during one unit of time. Of both errors only the free component
 * counts, x - minnorm(J x): these methods restore the constraints themselves, by a component of a that alternates and
 * does not get smaller with the step.
 */
function bindCoupledError(
  system: System,
  order: number,
  slopes: EndSlopes,
  own?: BoundCoupledMethod,
) {
  const { workspace } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const a = workspace.vector("acceleration of a coupled step", velocities);
  const errors = workspace.vector("errors of velocity and displacement", 2 * velocities);
  const displacement = errors + 8 * velocities;
  const products = workspace.vector("J times errors", 2 * rows);
  const corrections = workspace.vector("errors that constraints take out", 2 * velocities);
  const zero = workspace.vector("no displacement", velocities);
  const solver = system.dynamics.solver("auto");
  const offset = 8 * positions;
  const divisor = order >= 2 ? 6 : 2;

  /** Removes from both errors the component that the constraints determine, at the end of the step. */
  function keepFree(): void {
    const { kernels } = workspace;
    if (rows === 0) return;
    system.constraints.jacobianTimes(errors, products);
    system.constraints.jacobianTimes(displacement, products + 8 * rows);
    solver.minnorm(2, products, corrections);
    kernels.axpy(2 * velocities, -1, corrections, errors, errors);
  }

  /** Uses the estimate of the method itself, which needs no accelerations at the ends. */
  function byMethod(h: number, out: Address): void {
    own?.estimate?.(h, errors, displacement);
    keepFree();
    workspace.kernels.copyVector(velocities, errors, out + offset);
    system.coordinates.positionRate(zero, 1, displacement, out);
  }

  return (t: number, h: number, before: Address, raw: Address, out: Address): void => {
    const { kernels } = workspace;
    if (own?.estimate) {
      system.load(t + h);
      byMethod(h, out);
      return;
    }
    const a0 = slopes.requireBefore(t, before) + offset;
    const a1 = slopes.requireAfter(t + h, system.state.q) + offset;
    kernels.axpy(velocities, -1, before + offset, raw + offset, a);
    kernels.axpy(velocities, 1 / h - 1, a, a, a);
    kernels.axpy(velocities, -2, a, a0, errors);
    kernels.axpy(velocities, 1, a1, errors, errors);
    if (order >= 2) kernels.axpy(velocities, -1, a, a0, displacement);
    else kernels.copyVector(velocities, a, displacement);
    keepFree();
    kernels.axpy(velocities, h / divisor, errors, zero, out + offset);
    system.coordinates.positionRate(zero, (h * h) / divisor, displacement, out);
  };
}

/**
 * A method bound to a system, for steps that may be rejected: attempt a step, check its error, then commit it or undo
 * it.
 */
export class TrialStepper {
  readonly system: System;
  readonly bound: BoundMethod;
  /** The step as a polynomial in the coordinates of the state, if the method has one. */
  readonly stateInterpolant: StateInterpolant | undefined;
  readonly order: number;
  readonly estimates: boolean;
  /** Attempts so far. */
  attempts = 0;
  /** (q', v') at both ends of the step. */
  readonly ends: EndSlopes;
  /** State before the attempt. */
  readonly before: Address;
  /** The unknowns of the method, and the tolerance of each coordinate. */
  readonly unknowns: Unknowns;
  /** Unwrapped angles before the attempt. */
  readonly anglesBefore: Float64Array;
  readonly #span = new Float64Array(2);
  readonly #raw: Address;
  readonly #difference: Address;
  readonly #stepper: AdaptiveStepper | undefined;
  readonly #coupledError: ReturnType<typeof bindCoupledError> | undefined;
  readonly #errorOrder: number;
  readonly #freshSlopes: boolean;
  /** Some unknowns are algebraic: they were evaluated before corrections moved the state. */
  readonly #hasAlgebraic: boolean;
  readonly #stagesOfCoupled: number;
  readonly #hasFixedSteps: boolean;
  readonly #norm = (error: Address): number => {
    this.#lastError = error;
    return this.#freeNorm?.(this.#errorTime, error) ?? this.unknowns.measure(error);
  };
  #lastError: Address;
  readonly #freeNorm: ReturnType<typeof bindFreeNorm> | undefined;
  #errorTime = 0;
  readonly #openLoops: OpenLoops;
  readonly #solver: ConstraintSolver;
  /** Whether corrections of the end of a step change the public state: the length of Euler parameters does not. */
  readonly #isMoved: boolean;
  #evaluations = 0;
  /** A step has been attempted, but neither committed nor undone. */
  #isOpen = false;

  constructor(system: System, choice: Choice, tolerance: Tolerance, view: PublicView) {
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
    this.#openLoops = new OpenLoops(system);
    this.ends = new EndSlopes(system, () => this.bound);
    this.bound = bindMethod(system, method, {
      evaluated: (times) => {
        this.#evaluations += times;
      },
      began: () => {
        if (this.bound.expandState) this.unknowns.take();
      },
      ended: () => workspace.kernels.copyVector(size - 1, system.state.q, this.#raw),
    });
    const { stepper, ode } = this.bound;
    this.unknowns = new Unknowns(
      system,
      ode,
      this.before,
      new ToleranceWeights(system, tolerance),
      view,
    );
    this.#stepper = "interpolant" in stepper ? (stepper as AdaptiveStepper) : undefined;
    this.stateInterpolant =
      this.#stepper && stateInterpolantOf(system, this.bound, this.#stepper, this.unknowns.before);
    this.anglesBefore = new Float64Array(system.continuation.unwrappedAngles?.count ?? 0);
    this.#hasAlgebraic = ode?.algebraic !== undefined;
    if ("coupled" in method) {
      const { order, stages } = method.coupled;
      this.order = order;
      this.#coupledError = bindCoupledError(
        system,
        order,
        this.ends,
        stepper as BoundCoupledMethod,
      );
      this.#errorOrder = method.coupled.errorOrder || coupledErrorOrder(order);
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
    const measuresFree =
      this.#stepper !== undefined && this.unknowns.areState && system.loops !== undefined;
    this.#freeNorm = measuresFree
      ? bindFreeNorm(system, (error) => this.unknowns.measure(error))
      : undefined;
    if (measuresFree && system.loops) system.loops.controlsError = true;
    this.estimates = this.#stepper !== undefined || this.#coupledError !== undefined;
    this.setTolerance(tolerance);
  }

  setTolerance(tolerance: Tolerance): void {
    const allowed = new ToleranceWeights(this.system, tolerance);
    this.unknowns.weights = allowed;
    const { positions, velocities } = allowed;
    this.#stepper?.setTolerance(allowed, this.#hasFixedSteps);
    this.bound.ode?.tolerate(Math.min(positions, velocities));
  }

  /** Passes the length of the run to the method: see AdaptiveStepper. */
  watch(span: number): void {
    this.#stepper?.watch?.(span);
  }

  /** The method's own rules for steps. */
  get rule(): StepRule | undefined {
    return this.#stepper?.rule;
  }

  /** Costs of an implicit method; undefined for explicit ones. */
  get costs(): ImplicitCosts | undefined {
    return (this.bound.stepper as AdaptiveStepper | BoundCoupledMethod).costs;
  }

  /** The error of a step is O(h^errorOrder). */
  get errorOrder(): number {
    const order = this.#stepper?.currentOrder;
    return order === undefined ? this.#errorOrder : order + 1;
  }

  /**
   * Takes a step that can be undone. Returns its error in units of the tolerance: the maximum of the method's own
   * estimate and the distance by which the constraints had to move the end of the step. Returns 0 without an
   * estimate.
   */
  attempt(t: number, h: number): number {
    const { system } = this;
    const { kernels } = system.workspace;
    const size = system.coordinates.positions + system.coordinates.velocities;
    kernels.copyVector(size + 1, system.state.q, this.before);
    system.continuation.unwrappedAngles?.read(this.anglesBefore);
    this.attempts++;
    this.#isOpen = true;
    this.ends.forgetAfter();
    if (this.#freshSlopes) this.bound.reset();
    this.#evaluations += this.#stagesOfCoupled;
    this.#span[0] = t;
    this.#span[1] = h;
    this.bound.step(this.#span);
    if (!this.estimates) return 0;
    this.#errorTime = t + h;
    this.unknowns.invalidate();
    kernels.axpy(size, -1, this.#raw, system.state.q, this.#difference);
    // In coupled methods and near singular poses, the component that the constraints determine is corrected anyway.
    if (this.#coupledError) return this.#estimate(t, h);
    if (this.#freeNorm) return Math.max(this.#estimate(t, h), this.#openLoops.error());
    if (this.bound.expandState) return this.#estimate(t, h);
    const moved = this.#isMoved ? this.#norm(this.#difference) : 0;
    // So far from the constraints the estimate is meaningless, and costs an evaluation.
    if (!(moved <= MAX_CORRECTION_TOLERANCES)) return moved;
    return Math.max(moved, this.#estimate(t, h));
  }

  /** Takes steps that are not observed: see AdaptiveStepper. */
  stepBatch(batch: StepBatch, count: number): number {
    const { time, next } = batch;
    this.system.continuation.beginStep?.(time, next);
    const steps = this.#stepper?.stepBatch?.(batch, count) ?? 0;
    if (steps === 0) return 0;
    this.attempts += steps;
    this.ends.reset();
    return steps;
  }

  /** Whether the method can take a batch of steps. */
  get canTakeBatches(): boolean {
    return this.#stepper?.stepBatch !== undefined && this.#stepper.stiffness === undefined;
  }

  commit(t: number, h: number): void {
    this.#span[0] = t;
    this.#span[1] = h;
    this.bound.commit(this.#span);
    this.ends.commit();
    this.#isOpen = false;
  }

  /** Restarts the method at the same state with changed slopes. */
  forgetSlopes(t: number): void {
    this.bound.reset();
    this.ends.reset();
    this.system.load(t);
  }

  /** Restarts the method. Call after the state was set. */
  restart(t: number): void {
    this.bound.reset();
    this.ends.reset();
    this.system.load(t);
    this.bound.restart(t);
  }

  get evaluations(): number {
    return this.#evaluations + this.ends.evaluations;
  }

  /** Resets the counts to zero. */
  resetCounts(): void {
    this.#evaluations = 0;
    this.ends.evaluations = 0;
    this.system.dynamics.factorisations = 0;
  }

  /** Restores the state before the attempt. */
  undo(): void {
    const { system } = this;
    const size = system.coordinates.positions + system.coordinates.velocities + 1;
    system.workspace.kernels.copyVector(size, this.before, system.state.q);
    system.continuation.unwrappedAngles?.write(this.anglesBefore);
    this.#isOpen = false;
  }

  /** Rolls back an uncommitted step after a failure. */
  rollBack(): void {
    if (this.#isOpen) this.undo();
  }

  /** Drops the factor kept by an evaluation outside of a step: later evaluations are at other states. */
  dropFactor(): void {
    this.#solver.dropFactor?.();
  }

  /** Name of the coordinate with the largest last error. */
  worstCoordinate(arena: Arena): string {
    const error = this.unknowns.areState ? this.#lastError : this.#difference;
    return this.unknowns.worstCoordinate(error, arena);
  }

  #estimate(t: number, h: number): number {
    if (this.#coupledError) {
      this.#coupledError(t, h, this.before, this.#raw, this.#difference);
      return this.#norm(this.#difference);
    }
    // If unknowns are redefined in each step, they can only be compared with those at its end.
    if (!this.bound.expandState) this.unknowns.take();
    const error = this.#stepper?.error(t, h, this.#norm) ?? 0;
    if (this.#stepper?.skipsEndEvaluation || this.#hasAlgebraic) this.system.load(t + h);
    else this.dropFactor();
    return error;
  }
}

/** Corrections beyond this many tolerances reject the step. */
const MAX_CORRECTION_TOLERANCES = 100;
