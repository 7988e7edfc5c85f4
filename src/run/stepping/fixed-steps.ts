import { argument, callback, ReentryGuard, whole } from "../../ground/checking/index.js";
import { NodriftError, SimulationError, StepFailure } from "../../ground/errors.js";
import type { Arena } from "../../ground/memory/arena.js";
import type { System } from "../../seam/index.js";
import { bindProjector } from "../../seam/projection/projector.js";
import { GivenState } from "../public/given-state.js";
import { StateView } from "../public/state-view.js";
import { Workbench } from "../public/workbench.js";
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
import { type DividedSteps, type StepHand, StepWalk } from "./step-walk.js";

/** How many steps are taken at once. */
const COUNT = whole(0);

/** The simulation of any system: a state that moves by steps of the same length. Its interface has the comments. */
export class FixedSteps implements Simulation {
  readonly method: string;
  /** How its steps are taken. */
  readonly walk: StepWalk;
  /** For what hands its state on. */
  readonly transfer: StateTransfer;
  readonly #system: System;
  readonly #bound: BoundMethod;
  /** Taken while user functions are called. */
  readonly #turn = new ReentryGuard("the simulation");
  readonly #view: StateView;
  readonly #given: GivenState;
  readonly #arena: Arena;
  readonly #backup: Backup;
  readonly #inspection: Inspection;
  readonly #beginning: CorrectionRecord;
  readonly #hand: StepHand | undefined;
  readonly #integrated: OwnState | undefined;
  #origin: number;
  #steps = 0;
  readonly #telling = new ReentryGuard("runTo");
  #step: number;
  /** `given`: what the user gave, if the start was made from it. `makeHand` reserves memory of what acts beside the model. */
  constructor(
    system: System,
    options: CheckedOptions,
    given: Pick<CheckedOptions, "q" | "v"> = options,
    makeHand?: (system: System) => StepHand | undefined,
  ) {
    const { method, step, q, v, time = 0, start = "assemble" } = options;
    this.#system = system;
    refuseOde(system);
    this.#bound = bindMethod(system, method);
    this.method = methodName(method);
    const projection = { ...ASSEMBLY, stoppable: false };
    this.#view = new StateView(system);
    const workbench = new Workbench(system, this.#view, (bench) => ({
      projector: bindProjector(bench, projection),
      ...answerMemory(bench),
    }));
    this.#given = new GivenState(system, this.#view, workbench, projection);
    this.#backup = new Backup(system, this.#bound);
    this.#inspection = new Inspection(system, this.#bound, workbench, this.#turn, () => this.#now);
    this.#hand = makeHand?.(system);
    const isMultistep = "coupled" in method || method.integrator.isMultistep;
    this.walk = new StepWalk(system, this.#bound, { hand: this.#hand, isMultistep });
    this.#arena = system.workspace.seal();
    system.continuation.useFixedSteps?.();
    this.transfer = new StateTransfer(system, this.#bound, {
      view: this.#view,
      given: this.#given,
      arena: this.#arena,
    });
    this.#integrated = system.publicState && this.#ownNumbers();
    this.#beginning = new CorrectionRecord(system);
    this.#origin = time;
    this.#step = step;
    this.setState(q, v ?? new Float64Array(this.#view.coordinates.velocities), start);
    if (given !== options) this.#beginning.record(given.q, given.v, this.#view);
  }

  get q(): Float64Array<ArrayBuffer> {
    this.#turn.refuse("q");
    return this.#view.shown.q;
  }

  get v(): Float64Array<ArrayBuffer> {
    this.#turn.refuse("v");
    return this.#view.shown.v;
  }

  /** The numbers that the method integrates, where users see others: views of the accepted state. */
  get integrated(): OwnState | undefined {
    this.#turn.refuse("coordinates");
    return this.#integrated;
  }

  get time(): number {
    this.#turn.refuse("time");
    return this.#now;
  }

  get #now(): number {
    return this.#origin + this.#steps * this.#step;
  }

  get correction(): StateCorrection {
    return this.#beginning.correction();
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
    const { start, time, turns } = checkedState(this.#system, q, v, this.time, options);
    const held = this.turns;
    this.#turn.enter("setState");
    this.#backup.keep();
    try {
      this.#view.q.set(q);
      this.#view.v.set(v);
      if (turns) this.#system.continuation.turns?.write(turns);
      this.#system.continuation.beginStep?.(time, 0);
      if (own && this.#integrated) this.transfer.take(own);
      else this.#given.take(time, start);
      this.#system.continuation.finaliseState?.(time);
      this.#bound.reset();
      this.#restart(time);
      this.#system.load(this.#now);
      this.#bound.restart(time);
      this.#view.refresh();
      this.#beginning.record(q, v, this.#view);
    } catch (error) {
      this.#backup.goBack();
      this.#system.continuation.turns?.write(held);
      this.#view.refresh();
      throw error;
    } finally {
      this.#turn.leave();
    }
  }

  advance(count = 1): this {
    // Where it is right nothing is made: live loops call this for every step.
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      argument("advance", "STEP", "the number of steps", count, COUNT);
    }
    this.#telling.refuse("advance");
    try {
      this.#take(count);
    } finally {
      this.#view.moved();
    }
    return this;
  }

  runTo(until: number, each?: (simulation: this) => void): this {
    this.runAs(this, until, each);
    return this;
  }

  /** The same for another simulation that holds this one: that is what `each` is called with. */
  runAs<Owner>(owner: Owner, until: number, each?: (simulation: Owner) => void): void {
    checked("runTo: the time", until);
    if (each !== undefined) argument("runTo", "STEP", "each", each, callback());
    this.#turn.refuse("runTo");
    this.#telling.refuse("runTo");
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
    if (each === undefined) this.#take(count);
    else {
      for (let i = 0; i < count; i++) {
        this.#one(this.#step);
        this.#tell(owner, each);
      }
    }
    const rest = until - this.#now;
    if (rest > 1e-9 * this.#step) {
      this.#bound.reset();
      this.#one(rest);
      this.#bound.reset();
      this.#restart(until);
      this.#tell(owner, each);
    }
  }

  /** Calls a user function after a step. It may set the state, but must leave the steps to runTo. */
  #tell<Owner>(owner: Owner, each: ((simulation: Owner) => void) | undefined): void {
    if (each === undefined) return;
    this.#view.moved();
    this.#telling.enter("runTo");
    try {
      each(owner);
    } finally {
      this.#telling.leave();
    }
  }

  setStep(step: number): void {
    const length = checkedStep(step);
    this.#turn.refuse("setStep");
    this.#telling.refuse("setStep");
    this.#restart(this.#now);
    this.#bound.reset();
    this.#step = length;
  }

  save(settings?: string): Snapshot {
    this.#turn.refuse("save");
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

  /** Refuses a snapshot that cannot be put back, and all of them where none can. */
  checkSnapshot(snapshot: Snapshot): Snapshot {
    this.#turn.refuse("restore");
    this.#telling.refuse("restore");
    const { byteLength } = this.#arena.memory.buffer;
    return checkedSnapshot(snapshot, identityOf(this.#system, this.method), byteLength);
  }

  /** Changes numbers of the system between two steps. The state stays, and methods that remember earlier steps begin anew. */
  change(where: string, apply: () => void): void {
    this.#turn.refuse(where);
    apply();
    this.#system.continuation.beginStep?.(this.#now, 0);
    this.#bound.reset();
    this.#system.load(this.#now);
    this.#bound.restart(this.#now);
    this.#view.moved();
  }

  /** The accepted state is at another time: for what hands it on inside of a step. */
  standAt(time: number): void {
    this.#restart(time);
    this.#view.moved();
  }

  /** Where the step that is being taken began. */
  get stepBegin(): number {
    return this.#now;
  }

  /** Throws while a user function is called, or `runTo` calls one and `alone` is asked for. */
  refuseInside(where: string): void {
    this.#turn.refuse(where);
  }

  get rigidBodies(): Simulation["rigidBodies"] {
    return this.#inspection.rigidBodies;
  }

  get turns(): Float64Array {
    return this.#inspection.turns;
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

  /** So many steps, those in one that can be. */
  #take(count: number): void {
    for (let left = count; left > 0; ) {
      this.#place(this.#step);
      const done = this.walk.several(left);
      this.#steps += done;
      left -= done;
      if (left === 0) return;
      this.#one(this.#step);
      left--;
    }
  }

  /** A step of length h from now on. */
  #place(h: number): void {
    this.walk.span[0] = this.#now;
    this.walk.span[1] = h;
  }

  #one(h: number): void {
    this.#turn.enter("advance");
    this.#backup.keep();
    this.walk.crossing?.keep();
    try {
      this.#place(h);
      this.walk.take();
    } catch (error) {
      this.#backup.goBack();
      this.walk.crossing?.goBack();
      this.#system.continuation.beginStep?.(this.#now, 0);
      if (!(error instanceof StepFailure)) throw error;
      throw new SimulationError("STEP", this.#now, `at t = ${this.#now}: ${error.message}`);
    } finally {
      this.#turn.leave();
    }
    this.#steps++;
    this.#hand?.end(this.#now);
  }

  #ownNumbers() {
    const { coordinates, state } = this.#system;
    return {
      q: this.#arena.floats({ name: "q", address: state.q, slots: coordinates.positions }),
      v: this.#arena.floats({ name: "v", address: state.v, slots: coordinates.velocities }),
    };
  }

  /** Counts steps from a time. */
  #restart(time: number): void {
    this.#origin = time;
    this.#steps = 0;
  }
}
