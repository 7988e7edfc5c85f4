import { power } from "../../../base/algebra/portable-power.js";
import { type NodriftError, SimulationError } from "../../../base/errors.js";
import type { Address, Arena } from "../../../base/memory/arena.js";
import type { State, System } from "../../../interfaces/index.js";
import { bindProjector, type Projector } from "../../../interfaces/projection/projector.js";
import { type ImpactContact, type ImpactResult, Impulses } from "../../contact/impulses.js";
import {
  ASSEMBLY,
  type PublicSystem,
  PublicView,
  publicCoordinates,
  rowsAt,
} from "../../public/public-view.js";
import { InitialMemory } from "../../stepping/snapshot.js";
import { unwrappedAnglesNow } from "../../stepping/state-options.js";
import type { SavedState } from "../../stepping/stepped-system.js";
import { type Choice, isComplex } from "../setup/method-choice.js";
import type { Tolerance } from "../setup/options.js";
import { isChangeable, type Source } from "../setup/options.js";
import { START } from "../setup/setup.js";
import { TrialStepper } from "../trial/trial-stepper.js";
import { StateViewer } from "./state-viewer.js";
import type { Tally } from "./statistics.js";

// Keys of the mode solvers of a run: the mode, the settings changed in it, and the kind of method.

/** Suffix of keys with the method for stiff motion. */
const STIFF = " (implicit)";

/** Start of the settings: plain data, written as JSON. For equations, the settings are the active rows. */
const SETTINGS = / with (?=\{"(?:parameters|acting)":)/;

/** A parsed key. */
export interface ModeKey {
  readonly mode: string;
  /** The mode with its settings: the same mechanism, whatever the method. */
  readonly variant: string;
  /** Settings as JSON; undefined if nothing has been set. */
  readonly settings: string | undefined;
  readonly isStiff: boolean;
}

export function parseModeKey(key: string): ModeKey {
  const isStiff = key.endsWith(STIFF);
  const variant = isStiff ? key.slice(0, -STIFF.length) : key;
  const found = SETTINGS.exec(variant);
  if (!found) return { mode: variant, variant, settings: undefined, isStiff };
  const settings = variant.slice(found.index + found[0].length);
  return { mode: variant.slice(0, found.index), variant, settings, isStiff };
}

/** Returns the name of a mode with settings. */
export function variantName(mode: string, settings: object): string {
  return `${mode} with ${JSON.stringify(settings)}`;
}

/** Returns the key of the mode solver with the method for stiff motion. */
export function stiffName(variant: string): string {
  return `${variant}${STIFF}`;
}

/** Check a step if the rate at its end exceeds that of the step itself by this factor. */
const MIN_RATE_RATIO = 1;
/** Displacement of a finite difference, relative to the state. */
const RELATIVE_DISPLACEMENT = 1e-7;

/**
 * Growth rate of the fast component at the end of a step. Implicit methods step over fast components, whether they
 * decay or grow: the equations of a step can have a second solution, nearer than the tolerance, from which the motion
 * diverges. There f is large along a growing component, with the rate
 *
 *   lambda = f . (df/dy f) / f . f,
 *
 * while near the solution it is large along a decaying one, if at all. Rejected: the sign of det(I - alpha df/dy),
 * which is equivalent, but needs a df/dy at the end of each step.
 */
class InstabilityCheck {
  readonly #trial: TrialStepper;
  readonly #change: Address;
  readonly #probe: Address;
  readonly #other: Address;

  constructor(trial: TrialStepper) {
    const { workspace } = trial.system;
    const { positions, velocities } = trial.system.coordinates;
    const size = positions + velocities;
    this.#trial = trial;
    this.#change = workspace.vector("change in a step", size);
    this.#probe = workspace.vector("state beyond a step", size);
    this.#other = workspace.vector("slopes beyond a step", size);
  }

  /** Returns h lambda at the end of an error-tested step; 0 if no component is fast there. */
  growthOver(t: number, h: number): number {
    const trial = this.#trial;
    const { system, ends, before } = trial;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const size = positions + velocities;
    const slopes = ends.requireAfter(t + h, state.q);
    kernels.axpy(size, -1, before, state.q, this.#change);
    const faster = Math.abs(h) * trial.unknowns.sizeOfRate(slopes);
    if (!(faster > MIN_RATE_RATIO * trial.unknowns.sizeOfRate(this.#change))) return 0;
    const largest = kernels.largestMagnitude(size, slopes);
    const part = (RELATIVE_DISPLACEMENT * (1 + kernels.largestMagnitude(size, state.q))) / largest;
    kernels.axpy(size, part, slopes, state.q, this.#probe);
    ends.evaluate(t + h, this.#probe, this.#other);
    kernels.axpy(size, -1, slopes, this.#other, this.#other);
    system.load(t + h);
    const quotient = kernels.dot(size, slopes, this.#other) / kernels.dot(size, slopes, slopes);
    return (h * quotient) / part;
  }
}

/** Maximum first step, as a fraction of the span. */
const MAX_FIRST_STEP_FRACTION = 0.1;

/**
 * Finds the first step: a step of Euler's method would change the state by one part in a hundred, and its second
 * derivative suggests an error of one part in a hundred of the tolerance (Hairer, Norsett & Wanner, Solving ODEs I,
 * section II.4). Costs two evaluations.
 */
class FirstStep {
  readonly #trial: TrialStepper;
  readonly #probe: Address;
  readonly #change: Address;

  constructor(trial: TrialStepper) {
    const { workspace } = trial.system;
    const { positions, velocities } = trial.system.coordinates;
    this.#trial = trial;
    this.#probe = workspace.vector("state of a first step", positions + velocities);
    this.#change = workspace.vector("change of slopes in a first step", positions + velocities);
  }

  /** Returns the length of a step from t towards the end of the span. */
  find(t: number, end: number): number {
    const { system, ends } = this.#trial;
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { kernels } = workspace;
    const size = positions + velocities;
    const span = Math.abs(end - t);
    const slopes = ends.requireBefore(t, state.q);
    const [d0, d1] = [this.#trial.unknowns.sizeOfState(), this.#trial.unknowns.sizeOfRate(slopes)];
    const least = 1e-6 * Math.min(1, span);
    const guess = Math.min(
      d0 < 1e-5 || d1 < 1e-5 ? least : (0.01 * d0) / d1,
      MAX_FIRST_STEP_FRACTION * span,
    );
    const h = Math.sign(end - t) * guess;
    kernels.axpy(size, h, slopes, state.q, this.#probe);
    const other = ends.requireAfter(t + h, this.#probe);
    kernels.axpy(size, -1, slopes, other, this.#change);
    ends.forgetAfter();
    const d2 = this.#trial.unknowns.sizeOfRate(this.#change) / guess;
    const largest = Math.max(d1, d2);
    const wanted =
      largest <= 1e-15
        ? Math.max(least, guess * 1e-3)
        : power(0.01 / largest, 1 / this.#trial.errorOrder);
    return Math.min(100 * guess, wanted, MAX_FIRST_STEP_FRACTION * span);
  }
}

/**
 * Costs of the parts of a method, in evaluations of the explicit one. The choice between methods depends on counts
 * and these costs, never on a clock, so that all machines take the same steps.
 */
interface CostModel {
  readonly evaluation: number;
  /** df/dy, in addition to evaluations that are counted. */
  readonly jacobian: number;
  readonly factorisation: number;
  /** Approximate cost of a step that begins with df/dy and a factorisation. */
  readonly firstStep: number;
}

const EXPLICIT_COSTS: CostModel = { evaluation: 1, jacobian: 0, factorisation: 0, firstStep: 12 };

/** Typical number of evaluations in a step of an implicit method. */
const EVALUATIONS_PER_IMPLICIT_STEP = 8;

/** Costs of the sparse matrices of long chains, in explicit evaluations. */
const SPARSE_COSTS = { jacobian: 25, real: 12, complex: 40 } as const;

/** Properties of the method that its costs depend on. */
interface MethodProperties {
  /** A complex matrix is factored in addition to the real one. */
  readonly isComplex: boolean;
  /** df/dy is computed by finite differences. */
  readonly usesFiniteDifferences: boolean;
}

/**
 * Returns the cost model of the implicit method for a system. The formulas were fitted to the separate times of each
 * part in Node, on chains of 1 to 40 rods, closed loops, vehicles, systems given by functions and differential
 * equations of 2 to 160 unknowns; they are accurate within a factor of two, and often better.
 */
function implicitCosts(system: System, kind: MethodProperties): CostModel {
  const { velocities } = system.coordinates;
  const { rigidBodies } = publicCoordinates(system);
  const { rows, holonomicRows, degreesOfFreedom } = system.constraints;
  if (system.ode || rows !== holonomicRows) return denseCosts(system, kind);
  const n = 2 * Math.max(degreesOfFreedom ?? velocities - holonomicRows, 1);
  // With closed loops, staged projection makes explicit evaluations more expensive. User functions are called in each
  // iteration for the positions.
  const evaluation = system.loops ? 1.5 : rigidBodies ? 2.5 : 3.5;
  const jacobian = evaluation * (kind.usesFiniteDifferences ? 0.8 * n : 2 + 0.15 * n);
  const dense =
    (evaluation * (kind.isComplex ? 1.8e-4 : 3.6e-5) * n * n * n) / Math.max(velocities, 1);
  if (kind.usesFiniteDifferences || !rigidBodies) {
    return withFirstStep({ evaluation, jacobian, factorisation: dense }, 0);
  }
  // Larger mechanisms are solved by sparse matrices, which take as long as some tens of evaluations.
  const factorisation = Math.min(dense, kind.isComplex ? SPARSE_COSTS.complex : SPARSE_COSTS.real);
  return withFirstStep(
    { evaluation, jacobian: Math.min(jacobian, SPARSE_COSTS.jacobian), factorisation },
    0,
  );
}

/** Costs with all unknowns in dense matrices, as microseconds divided by those of an explicit evaluation. */
function denseCosts(
  system: System,
  { isComplex, usesFiniteDifferences }: MethodProperties,
): CostModel {
  const { ode } = system;
  const { positions, velocities } = system.coordinates;
  const n = positions + velocities;
  const unit = ode ? 0.2 + 0.04 * n : 0.5 + 0.1 * n;
  const [square, cube] = isComplex ? [7e-4, 7e-4] : [2.5e-4, 1.5e-4];
  // Solves, and the size-independent cost of iterations.
  const overhead = (0.5 + square * n * n) / unit;
  const factorisation = (0.3 + cube * n * n * n) / unit;
  // Differences are already counted as evaluations, but need no solve. A given Jacobian costs about one evaluation.
  const jacobian = usesFiniteDifferences ? -n * overhead : 1;
  const unitCosts = { evaluation: 1 + overhead, jacobian, factorisation };
  return withFirstStep(unitCosts, usesFiniteDifferences ? n : 0);
}

function withFirstStep(unitCosts: Omit<CostModel, "firstStep">, differences: number): CostModel {
  const { evaluation, jacobian, factorisation } = unitCosts;
  const evaluations = (EVALUATIONS_PER_IMPLICIT_STEP + differences) * evaluation;
  return { ...unitCosts, firstStep: evaluations + jacobian + factorisation };
}

/** Largest constraint error accepted after a projection. */
const CONSTRAINT_TOLERANCE = 1e-10;

/**
 * Impulses below this fraction of the largest are rounding: in other coordinates the public state is rounded, and
 * rows that carry nothing in a plane would carry that.
 */
const RELATIVE_IMPULSE_TOLERANCE = 1e-12;

/** Parts that project states and find impulses. */
interface SolverParts {
  readonly projector: Projector;
  readonly impulses: Impulses;
}

/** Solver for one mode of a run: its constraints and forces, method and memory. */
export class ModeSolver<T extends State> {
  /** Name of the mode. */
  mode: string;
  /** Key: the mode, the changed values and the kind of method. */
  key: string;
  source: Source;
  readonly choice: Choice;
  readonly system: System;
  readonly trial: TrialStepper;
  /** Views of its states, for user functions and for output. */
  readonly viewer: StateViewer<T>;
  readonly firstStep: FirstStep;
  readonly growth: InstabilityCheck;
  /** The accepted state in public coordinates, which actions may change. */
  readonly view: PublicView<SolverParts>;
  readonly arena: Arena;
  readonly isImplicit: boolean;
  /** Costs of the parts of its method. */
  readonly unitCosts: CostModel;
  /** Cost of a first step of the other kind of method. */
  readonly alternativeCost: number;
  readonly #initialMemory: InitialMemory;

  constructor(
    { mode, key }: { readonly mode: string; readonly key: string },
    source: Source,
    choice: Choice,
    tolerance: Tolerance,
    system: System,
  ) {
    this.mode = mode;
    this.key = key;
    this.source = source;
    this.choice = choice;
    this.system = system;
    this.view = new PublicView(system, ASSEMBLY, (shown) => ({
      impulses: new Impulses(shown, shown === system ? 0 : RELATIVE_IMPULSE_TOLERANCE),
      projector: bindProjector(shown, ASSEMBLY),
    }));
    this.trial = new TrialStepper(system, choice, tolerance, this.view);
    this.viewer = new StateViewer(source, system, this.trial, this.view);
    const { costs } = this.trial;
    this.isImplicit = costs !== undefined;
    const usesFiniteDifferences =
      costs?.jacobianSource.startsWith("by differences") ?? system.ode !== undefined;
    const implicit = implicitCosts(system, { isComplex: isComplex(choice), usesFiniteDifferences });
    this.unitCosts = this.isImplicit ? implicit : EXPLICIT_COSTS;
    this.alternativeCost = this.isImplicit ? EXPLICIT_COSTS.firstStep : implicit.firstStep;
    this.firstStep = new FirstStep(this.trial);
    this.growth = new InstabilityCheck(this.trial);
    this.arena = system.workspace.seal();
    this.#initialMemory = new InitialMemory(this.arena.memory.buffer as ArrayBuffer);
  }

  /** Name of its mode, with the changed values. */
  get variant(): string {
    return parseModeKey(this.key).variant;
  }

  /** Positions of the accepted state, in public coordinates. */
  get q(): Float64Array {
    return this.view.q;
  }

  /** Velocities of the accepted state, in public coordinates. */
  get v(): Float64Array {
    return this.view.v;
  }

  /** Impulses of the public rows. */
  get impulses(): Impulses {
    return this.view.publicSystem.parts.impulses;
  }

  /** Resets it to its initial state for another run, possibly of another source of the same family. */
  renew(source: Source, mode: string, key: string, tolerance: Tolerance): void {
    this.source = source;
    this.viewer.use(source);
    this.mode = mode;
    this.key = key;
    this.trial.setTolerance(tolerance);
    this.trial.resetCounts();
    this.#initialMemory.restore();
    if ("system" in source) source.family?.adopt(this.system);
    this.system.at(Number.NaN);
  }

  /** Projects the state in view onto the constraints, or uses it unchanged. */
  begin(t: number, start: "assemble" | "asGiven"): void {
    const { system } = this;
    // Reset per-step data so that results do not depend on earlier runs.
    system.continuation.beginStep?.(t, 0);
    this.view.take(t, start);
    system.continuation.finaliseState?.(t);
    this.trial.restart(t);
  }

  /**
   * Continues from a changed state in view: projects it onto the constraints and records the impulses. Position errors
   * may be as large as they were before.
   */
  continueFrom(t: number, allowed: number): void {
    this.system.continuation.beginStep?.(t, 0);
    const shown = this.view.open(t);
    const { projector, impulses } = shown.parts;
    const position = projector.positions(t);
    if (!(position <= Math.max(CONSTRAINT_TOLERANCE, allowed)))
      throw this.#openConstraintError(shown, t, "positions", position);
    const velocity = impulses.projectVelocities(t);
    if (!(velocity <= Math.max(CONSTRAINT_TOLERANCE, allowed))) {
      throw this.#openConstraintError(shown, t, "velocities", velocity);
    }
    this.view.takeProjected(t);
    this.system.continuation.finaliseState?.(t);
    this.trial.restart(t);
  }

  /** Copies the state in view of another solver, with its continuation data, into view here. */
  takeStateOf(other: ModeSolver<T>, t: number): void {
    const { source } = this;
    const { q, v } = isChangeable(source) ? source.stateFrom(other.source, other) : other;
    this.q.set(q);
    this.v.set(v);
    this.impulses.clear();
    // Trees differ from mode to mode, so unwrapped angles are transferred by name between the public systems, which
    // match.
    const previous = other.view.open(t).system.continuation;
    this.view.open(t).system.continuation.continueFrom?.(previous, t);
    this.view.showAngles();
  }

  /** Reverses the rate of a function at the state in view: see {@link Impulses.bounce}. */
  bounce(t: number, restitution: number, sign: number, value: (t: number) => number): number {
    const { impulses } = this.view.open(t).parts;
    const shown = (at: number) => {
      this.view.show();
      return value(at);
    };
    const impulse = impulses.bounce(t, restitution, sign, shown);
    this.view.show();
    return impulse;
  }

  /** Applies impacts at the state in view: see {@link Impulses.applyImpacts}. */
  applyImpacts(t: number, contacts: readonly ImpactContact[]): ImpactResult {
    const { impulses } = this.view.open(t).parts;
    const impact = impulses.applyImpacts(t, contacts);
    this.view.show();
    return impact;
  }

  /** Returns a copy of the accepted state. */
  saveState(): SavedState {
    return {
      numbers: this.#numbers.slice(),
      unwrappedAngles: unwrappedAnglesNow(this.system.continuation.unwrappedAngles),
    };
  }

  /** Restores a copy of the accepted state. */
  restoreState({ numbers, unwrappedAngles }: SavedState): void {
    this.#numbers.set(numbers);
    this.system.continuation.unwrappedAngles?.write(unwrappedAngles);
    this.view.refresh();
  }

  /**
   * Records the constraint error and the energy of the accepted state. Methods with an interpolant have already
   * called `at` there for the error test.
   */
  measure(t: number, tally: Tally, announced = this.trial.stateInterpolant !== undefined): void {
    const { system } = this;
    const { workspace } = system;
    const { rows } = system.constraints;
    const { kernels } = workspace;
    if (!announced) {
      system.load(t);
    }
    tally.drift(
      kernels.largestMagnitude(rows, system.constraints.phi()),
      kernels.largestMagnitude(rows, system.constraints.phiDot()),
    );
    if (!system.energy.hasPotential) return;
    tally.energy(
      system.energy.kinetic() + system.energy.potential(),
      system.energy.isConservative === true,
    );
  }

  /** Largest constraint error at the accepted state. */
  positionError(t: number): number {
    return this.phi(t).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  /** Constraint values at the accepted state. */
  phi(t: number): Float64Array {
    const { system, arena } = this;
    system.load(t);
    return rowsAt(arena, system, system.constraints.phi());
  }

  get #numbers(): Float64Array {
    const { state, coordinates } = this.system;
    const slots = coordinates.positions + coordinates.velocities;
    return this.arena.floats({ name: "state", address: state.q, slots });
  }

  /** Error for a state that could not be projected onto the constraints. */
  #openConstraintError(
    { system, arena }: PublicSystem<SolverParts>,
    t: number,
    what: "positions" | "velocities",
    error: number,
  ): NodriftError {
    if (what === "positions") system.load(t);
    const { constraints } = system;
    const address = what === "positions" ? constraints.phi() : constraints.phiDot();
    const values = rowsAt(arena, system, address);
    const worst = values.reduce(
      (most, x, i) => (Math.abs(x) > Math.abs(values[most]!) ? i : most),
      0,
    );
    return new SimulationError(
      "ASSEMBLY",
      t,
      `the ${what} do not satisfy the constraints${this.mode === START ? "" : ` of mode "${this.mode}"`} at t = ${t}, and ` +
        `projection failed: "${system.constraints.rowNames[worst]}" is off by ${error.toExponential(2)}`,
    );
  }
}
