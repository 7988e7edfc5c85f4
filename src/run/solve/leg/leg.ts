import { type NodriftError, SimulationError } from "../../../ground/errors.js";
import type { Address, Arena, Segment } from "../../../ground/memory/arena.js";
import type { State, System } from "../../../seam/index.js";
import { assemble } from "../../../seam/projection/assemble-start.js";
import { bindProjector, type Projector } from "../../../seam/projection/projector.js";
import { FirstStep } from "../motion/first-step.js";
import { InstabilityCheck } from "../motion/instability-check.js";
import { Motion } from "../motion/motion.js";
import { type Choice, isComplex } from "../setup/method-choice.js";
import type { Tolerance } from "../setup/options.js";
import { START } from "../setup/setup.js";
import type { Source } from "../setup/source.js";
import { Impulses } from "./impulses.js";
import { InitialMemory } from "./initial-memory.js";
import { StateViewer } from "./state-viewer.js";
import type { Tally } from "./statistics.js";
import { EXPLICIT, implicitPrices, type Prices } from "./work-prices.js";

const ASSEMBLY = { iterations: 50, tolerance: 1e-13, stoppable: true } as const;

/** Largest constraint error accepted after a projection. */
const CLOSED = 1e-10;

/** One mode (set of constraints and forces) with its method and memory: a part of a run, or all of it. */
export class Leg<T extends State> {
  /** Name of its constraints and forces in the run. */
  mode: string;
  /** That name, with the kind of method. */
  key: string;
  readonly choice: Choice;
  readonly system: System;
  readonly motion: Motion;
  /** Its states, for user functions and for output. */
  readonly look: StateViewer<T>;
  readonly firstStep: FirstStep;
  readonly growth: InstabilityCheck;
  readonly impulses: Impulses;
  readonly arena: Arena;
  readonly projector: Projector;
  readonly isImplicit: boolean;
  /** What the parts of its method cost, and what a step of the implicit method would. */
  readonly prices: Prices;
  readonly rivalPrice: number;
  /** The accepted state. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #rows: Segment;
  readonly #fresh: InitialMemory;

  constructor(
    { mode, key }: { readonly mode: string; readonly key: string },
    source: Source,
    choice: Choice,
    tolerance: Tolerance,
    system: System,
  ) {
    this.mode = mode;
    this.key = key;
    this.choice = choice;
    this.system = system;
    this.motion = new Motion(system, choice.method, tolerance);
    this.look = new StateViewer(source, system, this.motion);
    const { costs } = this.motion;
    this.isImplicit = costs !== undefined;
    const isDifferenced =
      costs?.jacobianSource.startsWith("by differences") ?? system.ode !== undefined;
    const implicit = implicitPrices(system, { isComplex: isComplex(choice), isDifferenced });
    this.prices = this.isImplicit ? implicit : EXPLICIT;
    this.rivalPrice = this.isImplicit ? EXPLICIT.firstStep : implicit.firstStep;
    this.firstStep = new FirstStep(this.motion);
    this.growth = new InstabilityCheck(this.motion);
    this.impulses = new Impulses(system);
    this.projector = bindProjector(system, ASSEMBLY);
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#rows = workspace.reserve("rows that are looked at", rows);
    this.arena = workspace.seal();
    this.#fresh = new InitialMemory(this.arena.memory.buffer as ArrayBuffer);
    this.q = this.arena.floats({ name: "q", address: state.q, slots: positions });
    this.v = this.arena.floats({ name: "v", address: state.v, slots: velocities });
  }

  /** Resets it to its initial state, for another run. */
  renew(mode: string, key: string, tolerance: Tolerance): void {
    this.mode = mode;
    this.key = key;
    this.motion.setTolerance(tolerance);
    this.motion.resetCounts();
    this.#fresh.restore(this.arena.memory.buffer as ArrayBuffer);
    this.system.at(Number.NaN);
  }

  /** Projects a state onto the constraints, or uses it unchanged. */
  begin(t: number, start: "assemble" | "asGiven"): void {
    const { system } = this;
    // Reset per-step data so that results do not depend on earlier runs.
    system.continuation.beginStep?.(t, 0);
    if (start === "assemble") assemble(system, this.projector, t, (rows) => this.rowsAt(rows));
    system.continuation.finaliseState?.(t);
    this.motion.restart(t);
  }

  /**
   * Continues from a changed state: projects it onto the constraints and records the impulses. Position errors may be
   * as large as they were before.
   */
  continueFrom(t: number, allowed: number): void {
    this.system.continuation.beginStep?.(t, 0);
    const position = this.projector.positions(t);
    if (!(position <= Math.max(CLOSED, allowed))) throw this.#open(t, "positions", position);
    const velocity = this.impulses.projectVelocities(t);
    if (!(velocity <= Math.max(CLOSED, allowed))) throw this.#open(t, "velocities", velocity);
    this.system.continuation.finaliseState?.(t);
    this.motion.restart(t);
  }

  /** Takes the accepted state of another leg, and what belongs to it. */
  takeStateOf(other: Leg<T>, t: number): void {
    this.q.set(other.q);
    this.v.set(other.v);
    this.impulses.clear();
    this.system.continuation.continueFrom?.(other.system.continuation, t);
  }

  /** The memory has been replaced by that of a snapshot. */
  resume(t: number): void {
    this.system.at(t);
  }

  /** Records the constraint error of the accepted state. Native methods have called `at` there when they judge it. */
  measure(t: number, tally: Tally, announced = this.motion.stateInterpolant !== undefined): void {
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
    this.system.load(t);
    return this.rowsAt(this.system.constraints.phi());
  }

  rowsAt(address: Address): Float64Array {
    return this.arena.floats({ ...this.#rows, address });
  }

  /** The error for a state that could not be projected onto the constraints. */
  #open(t: number, what: "positions" | "velocities", error: number): NodriftError {
    const { system } = this;
    const values = what === "positions" ? this.phi(t) : this.rowsAt(system.constraints.phiDot());
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
