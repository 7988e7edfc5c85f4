import { argument, callback, ReentryGuard, whole } from "../../base/checking/index.js";
import { NodriftError, SimulationError, StepFailure } from "../../base/errors.js";
import type { Arena } from "../../base/memory/arena.js";
import type { System } from "../../interfaces/index.js";
import { bindProjector } from "../../interfaces/projection/projector.js";
import { GivenState } from "../public/given-state.js";
import { PublicSystem } from "../public/public-system.js";
import { StateView } from "../public/state-view.js";
import { Backup } from "./backup.js";
import { type BoundMethod, bindMethod } from "./bind.js";
import { methodName, refuseOde } from "./compatibility.js";
import { ASSEMBLY } from "./held-start.js";
import { answerMemory, type ConstraintError, type Energy, Inspection } from "./inspection.js";
import { type CheckedOptions, checked, checkedStep } from "./options.js";
import type { Simulation } from "./simulation.js";
import { checkedSnapshot, identityOf, type Snapshot, sealed } from "./snapshot.js";
import { CorrectionRecord, type StateCorrection } from "./state-correction.js";
import { checkedState, type StateOptions } from "./state-options.js";
import { type OwnState, StateTransfer } from "./state-transfer.js";
import { type DividedSteps, type StepLoads, Substepper } from "./step-walk.js";

/** Rule for a number of steps. */
const STEP_COUNT = whole(0);

/** Fixed-step simulation of any system. Its interface has the comments. */
export class FixedSteps implements Simulation {
  readonly method: string;
  /** Takes its steps, divided if needed. */
  readonly walk: Substepper;
  /** Transfers its state to and from other simulations. */
  readonly transfer: StateTransfer;
  readonly #system: System;
  readonly #bound: BoundMethod;
  /** Held while user functions are called. */
  readonly #guard = new ReentryGuard("the simulation");
  readonly #view: StateView;
  readonly #given: GivenState;
  readonly #arena: Arena;
  readonly #backup: Backup;
  readonly #inspection: Inspection;
  readonly #correctionRecord: CorrectionRecord;
  readonly #loads: StepLoads | undefined;
  readonly #integrated: OwnState | undefined;
  #origin: number;
  #steps = 0;
  readonly #eachGuard = new ReentryGuard("runTo");
  #step: number;
  /**
   * `given`: the initial state of the user, if the start was computed from it. `makeHand` reserves the memory of
   * loads beyond the model.
   */
  constructor(
    system: System,
    options: CheckedOptions,
    given: Pick<CheckedOptions, "q" | "v"> = options,
    createLoads?: (system: System) => StepLoads | undefined,
  ) {
    const { method, step, q, v, time = 0, start = "assemble" } = options;
    this.#system = system;
    refuseOde(system);
    this.#bound = bindMethod(system, method);
    this.method = methodName(method);
    const projection = { ...ASSEMBLY, stoppable: false };
    this.#view = new StateView(system);
    const publicSystem = new PublicSystem(system, this.#view, (bench) => ({
      projector: bindProjector(bench, projection),
      ...answerMemory(bench),
    }));
    this.#given = new GivenState(system, this.#view, publicSystem, projection);
    this.#backup = new Backup(system, this.#bound);
    this.#inspection = new Inspection(
      system,
      this.#bound,
      publicSystem,
      this.#guard,
      () => this.#now,
    );
    this.#loads = createLoads?.(system);
    const isMultistep = "coupled" in method || method.integrator.isMultistep;
    this.walk = new Substepper(system, this.#bound, { hand: this.#loads, isMultistep });
    this.#arena = system.workspace.seal();
    system.continuation.useFixedSteps?.();
    this.transfer = new StateTransfer(system, this.#bound, {
      view: this.#view,
      given: this.#given,
      arena: this.#arena,
    });
    this.#integrated = system.publicState && this.#integratedState();
    this.#correctionRecord = new CorrectionRecord(system);
    this.#origin = time;
    this.#step = step;
    this.setState(q, v ?? new Float64Array(this.#view.coordinates.velocities), start);
    if (given !== options) this.#correctionRecord.record(given.q, given.v, this.#view);
  }

  get q(): Float64Array<ArrayBuffer> {
    this.#guard.refuse("q");
    return this.#view.shown.q;
  }

  get v(): Float64Array<ArrayBuffer> {
    this.#guard.refuse("v");
    return this.#view.shown.v;
  }

  /** The integrated coordinates if they are not the public ones: views of the accepted state. */
  get integrated(): OwnState | undefined {
    this.#guard.refuse("coordinates");
    return this.#integrated;
  }

  get time(): number {
    this.#guard.refuse("time");
    return this.#now;
  }

  get #now(): number {
    return this.#origin + this.#steps * this.#step;
  }

  get correction(): StateCorrection {
    return this.#correctionRecord.correction();
  }

  get division(): Readonly<DividedSteps> {
    return this.walk.division;
  }

  get step(): number {
    return this.#step;
  }

  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
    own?: OwnState,
  ): void {
    const { start, time, unwrappedAngles } = checkedState(this.#system, q, v, this.time, options);
    const held = this.unwrappedAngles;
    this.#guard.enter("setState");
    this.#backup.save();
    try {
      this.#view.q.set(q);
      this.#view.v.set(v);
      if (unwrappedAngles) this.#system.continuation.unwrappedAngles?.write(unwrappedAngles);
      this.#system.continuation.beginStep?.(time, 0);
      if (own && this.#integrated) this.transfer.take(own);
      else this.#given.take(time, start);
      this.#system.continuation.finaliseState?.(time);
      this.#bound.reset();
      this.#restartCount(time);
      this.#system.load(this.#now);
      this.#bound.restart(time);
      this.#view.refresh();
      this.#correctionRecord.record(q, v, this.#view);
    } catch (error) {
      this.#backup.restore();
      this.#system.continuation.unwrappedAngles?.write(held);
      this.#view.refresh();
      throw error;
    } finally {
      this.#guard.leave();
    }
  }

  advance(count = 1): this {
    // A valid count allocates nothing: live loops call this for every step.
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      argument("advance", "STEP", "the number of steps", count, STEP_COUNT);
    }
    this.#eachGuard.refuse("advance");
    try {
      this.#takeSteps(count);
    } finally {
      this.#view.moved();
    }
    return this;
  }

  runTo(until: number, each?: (simulation: this) => void): this {
    this.runAs(this, until, each);
    return this;
  }

  /** Runs to a time on behalf of another simulation that holds this one; `each` is called with that one. */
  runAs<Owner>(owner: Owner, until: number, each?: (simulation: Owner) => void): void {
    checked("runTo: the time", until);
    if (each !== undefined) argument("runTo", "STEP", "each", each, callback());
    this.#guard.refuse("runTo");
    this.#eachGuard.refuse("runTo");
    const [now, step] = [this.#now, this.#step];
    const refusal = `runTo(${until})`;
    if (until < now)
      throw new NodriftError("STEP", `${refusal} lies before the present time ${now}`);
    if (until > now && until - step === until) {
      const why = `steps of ${step} do not move the time there, by rounding: give longer steps`;
      throw new NodriftError("STEP", `${refusal}: ${why}`);
    }
    try {
      this.#run(owner, until, each);
    } finally {
      this.#view.moved();
    }
  }

  #run<Owner>(owner: Owner, until: number, each?: (simulation: Owner) => void): void {
    const count = Math.floor((until - this.#now) / this.#step + 1e-9);
    if (each === undefined) this.#takeSteps(count);
    else {
      for (let i = 0; i < count; i++) {
        this.#takeSteps(1);
        this.#callEach(owner, each);
      }
    }
    const rest = until - this.#now;
    if (rest > 1e-9 * this.#step) {
      this.#bound.reset();
      this.#takeSteps(1, rest);
      this.#bound.reset();
      this.#restartCount(until);
      this.#callEach(owner, each);
    }
  }

  /** Calls a user function after a step. It may set the state, but must leave stepping to runTo. */
  #callEach<Owner>(owner: Owner, each: ((simulation: Owner) => void) | undefined): void {
    if (each === undefined) return;
    this.#view.moved();
    this.#eachGuard.enter("runTo");
    try {
      each(owner);
    } finally {
      this.#eachGuard.leave();
    }
  }

  setStep(step: number): void {
    const length = checkedStep(step);
    this.#guard.refuse("setStep");
    this.#eachGuard.refuse("setStep");
    this.#restartCount(this.#now);
    this.#bound.reset();
    this.#step = length;
  }

  save(settings?: string): Snapshot {
    this.#guard.refuse("save");
    return sealed({
      ...(settings !== undefined && { settings }),
      identity: identityOf(this.#system, this.method),
      memory: new Uint8Array(this.#arena.memory.buffer as ArrayBuffer).slice(),
      origin: this.#origin,
      steps: this.#steps,
      step: this.#step,
    });
  }

  restore(snapshot: Snapshot): void {
    const { memory, origin, steps, step } = this.checkSnapshot(snapshot);
    new Uint8Array(this.#arena.memory.buffer as ArrayBuffer).set(memory);
    this.#origin = origin;
    this.#steps = steps;
    this.#step = step;
    this.#view.moved();
  }

  /** Throws if a snapshot cannot be restored, or no snapshot can be at present. */
  checkSnapshot(snapshot: Snapshot): Snapshot {
    this.#guard.refuse("restore");
    this.#eachGuard.refuse("restore");
    const { byteLength } = this.#arena.memory.buffer;
    return checkedSnapshot(snapshot, identityOf(this.#system, this.method), byteLength);
  }

  /** Changes values of the system between two steps. The state stays; multistep methods restart. */
  change(where: string, apply: () => void): void {
    this.#guard.refuse(where);
    apply();
    this.#system.continuation.beginStep?.(this.#now, 0);
    this.#bound.reset();
    this.#system.load(this.#now);
    this.#bound.restart(this.#now);
    this.#view.moved();
  }

  /** Moves the accepted state to another time, for state transfers within a step. */
  setTime(time: number): void {
    this.#restartCount(time);
    this.#view.moved();
  }

  /** Time at which the present step began. */
  get stepBegin(): number {
    return this.#now;
  }

  /** Throws while a user function is called. */
  refuseInside(where: string): void {
    this.#guard.refuse(where);
  }

  get rigidBodies(): Simulation["rigidBodies"] {
    return this.#inspection.rigidBodies;
  }

  get unwrappedAngles(): Float64Array {
    return this.#inspection.unwrappedAngles;
  }

  accelerations(): Float64Array {
    return this.#inspection.accelerations();
  }

  multipliers(): Float64Array {
    return this.#inspection.multipliers();
  }

  get partition(): Simulation["partition"] {
    return this.#inspection.partition;
  }

  stepMultipliers(): Float64Array {
    return this.#inspection.stepMultipliers();
  }

  constraintForces(names?: readonly string[]): Float64Array {
    return this.#inspection.constraintForces(names);
  }

  phi(): Float64Array {
    return this.#inspection.phi();
  }

  phiDot(): Float64Array {
    return this.#inspection.phiDot();
  }

  constraintError(): ConstraintError {
    return this.#inspection.constraintError();
  }

  energy(): Energy {
    return this.#inspection.energy();
  }

  rank(): number {
    return this.#inspection.rank();
  }

  degreesOfFreedom(): number {
    return this.#inspection.degreesOfFreedom();
  }

  /** Takes `count` steps, several in one call if possible; `rest` is the length of a last step that is shorter. */
  #takeSteps(count: number, rest?: number): void {
    const { walk } = this;
    for (let left = count; left > 0; left--) {
      walk.span[0] = this.#now;
      walk.span[1] = rest ?? this.#step;
      const done = rest === undefined ? walk.several(left) : 0;
      this.#steps += done;
      left -= done;
      if (left === 0) return;
      this.#guard.enter("advance");
      this.#backup.save();
      walk.interceptor?.keep();
      try {
        walk.span[0] = this.#now;
        walk.take();
      } catch (error) {
        this.#backup.restore();
        walk.interceptor?.restoreStep();
        this.#system.continuation.beginStep?.(this.#now, 0);
        if (!(error instanceof StepFailure)) throw error;
        throw new SimulationError("STEP", this.#now, `at t = ${this.#now}: ${error.message}`);
      } finally {
        this.#guard.leave();
      }
      this.#steps++;
      this.#loads?.end(this.#now);
    }
  }

  #integratedState() {
    const { coordinates, state } = this.#system;
    return {
      q: this.#arena.floats({ name: "q", address: state.q, slots: coordinates.positions }),
      v: this.#arena.floats({ name: "v", address: state.v, slots: coordinates.velocities }),
    };
  }

  /** Starts counting steps from a time. */
  #restartCount(time: number): void {
    this.#origin = time;
    this.#steps = 0;
  }
}
