import { type NodriftError, SimulationError } from "../../../ground/errors.js";
import type { Arena } from "../../../ground/memory/arena.js";
import type { State, System } from "../../../seam/index.js";
import { bindProjector, type Projector } from "../../../seam/projection/projector.js";
import { Impulses, type Strike, type Struck } from "../../held/impulses.js";
import { GivenState, rowsAt } from "../../public/given-state.js";
import { StateView } from "../../public/state-view.js";
import { type Bench, Workbench } from "../../public/workbench.js";
import { InitialMemory } from "../../stepping/initial-memory.js";
import { turnsNow } from "../../stepping/state-options.js";
import { FirstStep } from "../motion/first-step.js";
import { InstabilityCheck } from "../motion/instability-check.js";
import { Motion } from "../motion/motion.js";
import { type Choice, isComplex } from "../setup/method-choice.js";
import type { Tolerance } from "../setup/options.js";
import { START } from "../setup/setup.js";
import { isChangeable, type Source } from "../setup/source.js";
import { legName } from "./leg-name.js";
import { StateViewer } from "./state-viewer.js";
import type { Tally } from "./statistics.js";
import { EXPLICIT, implicitPrices, type Prices } from "./work-prices.js";

const ASSEMBLY = { iterations: 50, tolerance: 1e-13, stoppable: true } as const;

/** Largest constraint error accepted after a projection. */
const CLOSED = 1e-10;

/**
 * Part of the largest impulse that is none: what users see of other coordinates is rounded, and rows that carry nothing
 * in a plane would carry that.
 */
const ROUNDING = 1e-12;

/** What projects states and finds impulses. */
interface LegParts {
  readonly projector: Projector;
  readonly impulses: Impulses;
}

/** The accepted state of a leg, kept for when something fails. */
export interface KeptState {
  readonly numbers: Float64Array;
  readonly turns: Float64Array;
}

/** One mode (set of constraints and forces) with its method and memory: a part of a run, or all of it. */
export class Leg<T extends State> {
  /** Name of its constraints and forces in the run. */
  mode: string;
  /** That name, with the kind of method. */
  key: string;
  source: Source;
  readonly choice: Choice;
  readonly system: System;
  readonly motion: Motion;
  /** Its states, for user functions and for output. */
  readonly look: StateViewer<T>;
  readonly firstStep: FirstStep;
  readonly growth: InstabilityCheck;
  /** What users see of the accepted state, and change in actions. */
  readonly view: StateView;
  readonly arena: Arena;
  readonly isImplicit: boolean;
  /** What the parts of its method cost, and what a step of the implicit method would. */
  readonly prices: Prices;
  readonly rivalPrice: number;
  readonly #workbench: Workbench<LegParts>;
  readonly #given: GivenState;
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
    this.source = source;
    this.choice = choice;
    this.system = system;
    this.view = new StateView(system);
    this.motion = new Motion(system, choice, tolerance, this.view);
    this.look = new StateViewer(source, system, this.motion, this.view);
    const { costs } = this.motion;
    this.isImplicit = costs !== undefined;
    const isDifferenced =
      costs?.jacobianSource.startsWith("by differences") ?? system.ode !== undefined;
    const implicit = implicitPrices(system, { isComplex: isComplex(choice), isDifferenced });
    this.prices = this.isImplicit ? implicit : EXPLICIT;
    this.rivalPrice = this.isImplicit ? EXPLICIT.firstStep : implicit.firstStep;
    this.firstStep = new FirstStep(this.motion);
    this.growth = new InstabilityCheck(this.motion);
    this.#workbench = new Workbench(system, this.view, (bench) => ({
      impulses: new Impulses(bench, bench === system ? 0 : ROUNDING),
      projector: bindProjector(bench, ASSEMBLY),
    }));
    this.#given = new GivenState(system, this.view, this.#workbench, ASSEMBLY);
    this.arena = system.workspace.seal();
    this.#fresh = new InitialMemory(this.arena.memory.buffer as ArrayBuffer);
  }

  /** Its mode, with what has been set of its numbers. */
  get variant(): string {
    return legName(this.key).variant;
  }

  /** Positions of the accepted state, as users see them. */
  get q(): Float64Array {
    return this.view.q;
  }

  /** Velocities. */
  get v(): Float64Array {
    return this.view.v;
  }

  /** Impulses of the rows that users see. */
  get impulses(): Impulses {
    return this.#workbench.bench.parts.impulses;
  }

  /** Resets it to its initial state, for another run, perhaps of another source of the same family. */
  renew(source: Source, mode: string, key: string, tolerance: Tolerance): void {
    this.source = source;
    this.look.use(source);
    this.mode = mode;
    this.key = key;
    this.motion.setTolerance(tolerance);
    this.motion.resetCounts();
    this.#fresh.restore();
    if ("system" in source) source.adopt?.(this.system);
    this.system.at(Number.NaN);
  }

  /** Projects the state in view onto the constraints, or uses it unchanged. */
  begin(t: number, start: "assemble" | "asGiven"): void {
    const { system } = this;
    // Reset per-step data so that results do not depend on earlier runs.
    system.continuation.beginStep?.(t, 0);
    this.#given.take(t, start);
    system.continuation.finaliseState?.(t);
    this.motion.restart(t);
  }

  /**
   * Continues from a changed state in view: projects it onto the constraints and records the impulses. Position errors
   * may be as large as they were before.
   */
  continueFrom(t: number, allowed: number): void {
    this.system.continuation.beginStep?.(t, 0);
    const bench = this.#workbench.open(t);
    const { projector, impulses } = bench.parts;
    const position = projector.positions(t);
    if (!(position <= Math.max(CLOSED, allowed))) throw this.#open(bench, t, "positions", position);
    const velocity = impulses.projectVelocities(t);
    if (!(velocity <= Math.max(CLOSED, allowed))) {
      throw this.#open(bench, t, "velocities", velocity);
    }
    this.#given.takeProjected(t);
    this.system.continuation.finaliseState?.(t);
    this.motion.restart(t);
  }

  /** Brings the state in view of another leg, and what belongs to it, into view here. */
  takeStateOf(other: Leg<T>, t: number): void {
    const { source } = this;
    const { q, v } = isChangeable(source) ? source.stateFrom(other.source, other) : other;
    this.q.set(q);
    this.v.set(v);
    this.impulses.clear();
    // Trees differ from mode to mode: turns are carried by name on the benches, which are alike.
    const previous = other.#workbench.open(t).system.continuation;
    this.#workbench.open(t).system.continuation.continueFrom?.(previous, t);
    this.#workbench.showTurns();
  }

  /** Turns the rate of a function around at the state in view: see {@link Impulses.bounce}. */
  bounce(t: number, restitution: number, way: number, value: (t: number) => number): number {
    const { impulses } = this.#workbench.open(t).parts;
    const shown = (at: number) => {
      this.#workbench.show();
      return value(at);
    };
    const impulse = impulses.bounce(t, restitution, way, shown);
    this.#workbench.show();
    return impulse;
  }

  /** Strikes contacts at the state in view: see {@link Impulses.strike}. */
  strike(t: number, contacts: readonly Struck[]): Strike {
    const { impulses } = this.#workbench.open(t).parts;
    const struck = impulses.strike(t, contacts);
    this.#workbench.show();
    return struck;
  }

  /** A copy of the accepted state. */
  copyState(): KeptState {
    return { numbers: this.#numbers.slice(), turns: turnsNow(this.system.continuation.turns) };
  }

  /** Goes back to a copy. */
  putBack({ numbers, turns }: KeptState): void {
    this.#numbers.set(numbers);
    this.system.continuation.turns?.write(turns);
    this.view.refresh();
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
    const { system, arena } = this;
    system.load(t);
    return rowsAt(arena, system, system.constraints.phi());
  }

  get #numbers(): Float64Array {
    const { state, coordinates } = this.system;
    const slots = coordinates.positions + coordinates.velocities;
    return this.arena.floats({ name: "state", address: state.q, slots });
  }

  /** The error for a state that could not be projected onto the constraints. */
  #open(
    { system, arena }: Bench<LegParts>,
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
