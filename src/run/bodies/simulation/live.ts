// A mechanism that is changed, pushed and recorded while it runs: what a simulation does with the memory it holds.

import { type Body, type Joint, nameGiven } from "../../../describe/model/handles.js";
import type { Vector } from "../../../describe/model/model-data.js";
import { hint, show, type VectorLike, vector } from "../../../describe/model/option-checks.js";
import type { ModelSettings } from "../../../describe/settings.js";
import { ZERO } from "../../../ground/algebra/vectors.js";
import { argument, locationOf, optionsOf, reading } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Method } from "../../../seam/index.js";
import { locking, unlocking } from "../../held/held-joints.js";
import type { FixedSteps } from "../../stepping/fixed-steps.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import { plainOptions, type StateOptions } from "../../stepping/state-options.js";
import { type JointValues, jointValues } from "../coordinates/joint-values.js";
import {
  DEFAULT_FREQUENCY,
  GRAB_SHAPE,
  type GrabOptions,
  Grip,
  PUSH_SHAPE,
  type PushOptions,
} from "../hands/grip.js";
import type { GripData, PushData } from "../hands/hand.js";
import { jumpImpulses } from "../reactions/jump-impulses.js";
import { Readout, type SharedProbe } from "../reading/readout.js";
import type { BodySource } from "./body-source.js";
import { inState, isInPlace, type Mechanism, mechanismOf, rebuilt } from "./mechanism.js";
import { type NamedState, namedStateOf, numbersFrom } from "./named-state.js";
import {
  type Action,
  RECORD_SHAPE,
  type RecordedRun,
  Recording,
  type RecordOptions,
  RUN_SHAPE,
  replayRun,
} from "./recording.js";
import { carriedIn, settingsIn, written } from "./snapshot-settings.js";
import { type Impact, StopCrossing } from "./stop-crossing.js";

/** Holds a mechanism, and what takes its place when its numbers change. */
export class LiveMechanism {
  readonly readout: Readout;
  readonly #method: Method;
  #mechanism: Mechanism;
  /** What its rigid stops do, where it has some. */
  #stops: StopCrossing | undefined;
  /** Memory of readings while nothing rests at a stop. */
  readonly #shared: SharedProbe = {};
  #recording: Recording | undefined;

  constructor(source: BodySource, method: Method, step: number) {
    this.#method = method;
    this.#mechanism = mechanismOf(source, method, step);
    this.readout = new Readout(
      source,
      () => this.shown.present,
      this.#shared,
      () => this.shown.hand.acting,
    );
    this.#stops = this.#stopsOf(this.#mechanism);
    this.#stops?.requireInside();
  }

  /** The mechanism that is read: with rows where something rests at a stop. */
  get shown(): Mechanism {
    return this.#stops?.rest?.mechanism ?? this.#mechanism;
  }

  /** Rigid stops that were met in the last step. */
  get impacts(): readonly Impact[] {
    return this.#stops?.impacts ?? [];
  }

  get mechanism(): Mechanism {
    return this.#mechanism;
  }

  get steps(): FixedSteps {
    return this.#mechanism.steps;
  }

  get time(): number {
    return this.steps.time;
  }

  get settings(): ModelSettings {
    return this.#mechanism.source.settings;
  }

  set(given: readonly unknown[]): void {
    this.steps.refuseInside("set");
    this.#do({ op: "set", settings: this.#mechanism.source.settingsAfter("set", given) });
  }

  /** Locks a joint where it is, or frees it, and gives the impulses of that by the names of rows. */
  hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    this.steps.refuseInside(where);
    const { data } = this.#mechanism.source;
    const { probe } = this.readout;
    probe.load();
    const values = probe.system.quantities.sensorValues(this.time);
    const { q, turns } = this.steps;
    const state = { q, turns, measure: (sensor: number) => values[sensor]! };
    const change = where === "lock" ? locking : unlocking;
    const before = this.steps.v.slice();
    this.#do({ op: "set", settings: change(data, this.settings, joint, state) });
    return jumpImpulses(this.readout, before);
  }

  push(body: string | Body, given: PushOptions): void {
    this.steps.refuseInside("push");
    const options = optionsOf("push", "STEP", given, PUSH_SHAPE);
    const index = this.#movable("push", body);
    const { force, torque, at, for: seconds = this.steps.step } = options;
    if (force === undefined && torque === undefined) {
      throw new NodriftError("STEP", "push: give force or torque");
    }
    const push: PushData = {
      body: index,
      force: [...(force ?? ZERO)],
      torque: [...(torque ?? ZERO)],
      arm: at === undefined ? [...ZERO] : this.#armOf(index, at),
      until: this.time + seconds,
    };
    this.#do({ op: "push", push });
  }

  grab(body: string | Body, point: VectorLike, given: GrabOptions): Grip {
    this.steps.refuseInside("grab");
    const { frequency = DEFAULT_FREQUENCY, maximumForce = Number.MAX_VALUE } = optionsOf(
      "grab",
      "STEP",
      given,
      GRAB_SHAPE,
    );
    const index = this.#movable("grab", body);
    const at = vector("grab", "point", point);
    const id = this.#mechanism.hand.nextId();
    const name = this.#mechanism.source.data.bodies[index]!.name;
    const grip: GripData = {
      id,
      body: index,
      arm: this.#armOf(index, at),
      omega: 2 * Math.PI * frequency,
      limit: maximumForce,
      target: [...this.readout.body(name).point(at)],
      force: [0, 0, 0],
    };
    this.#do({ op: "grab", grip });
    return new Grip(id, {
      find: (own) => this.#mechanism.hand.grips.find((each) => each.id === own),
      move: (own, target) => this.#do({ op: "move", id: own, target: [...target] }),
      release: (own) => this.#do({ op: "release", id: own }),
    });
  }

  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
  ): void {
    this.#placed(() => this.steps.setState(q, v, options));
    this.#recording?.note({
      op: "setState",
      q: Array.from(q),
      v: Array.from(v),
      options: plainOptions(options),
    });
  }

  setCoordinates(given: JointValues): void {
    const joints = argument("setCoordinates", "STEP", "joints", given, jointValues);
    this.#do({ op: "setCoordinates", joints });
  }

  /** The numbers along the tree are taken over where they are integrated. To find them from the bodies again takes longer than all else. */
  #moveJoints(values: JointValues): void {
    const { q, v, turns, along, tree } = this.readout.placed("setCoordinates", values);
    const own = tree === this.#mechanism.source.tree ? along : undefined;
    this.#placed(() => this.steps.setState(q, v, { turns, start: "asGiven" }, own));
  }

  setStep(length: number): void {
    this.steps.setStep(length);
    this.#recording?.note({ op: "setStep", length });
  }

  advance(count?: number): void {
    const recording = this.#recording;
    if (recording === undefined || !(Number.isSafeInteger(count ?? 1) && (count ?? 1) >= 0)) {
      this.steps.advance(count);
      return;
    }
    for (let left = count ?? 1; left > 0; ) {
      const part = Math.min(left, recording.due);
      for (let i = 0; i < part; i++) {
        this.steps.advance();
        recording.count(1);
      }
      left -= part;
    }
  }

  runTo<Owner>(owner: Owner, until: number, each?: (simulation: Owner) => void): void {
    const recording = this.#recording;
    if (recording === undefined) {
      this.steps.runAs(owner, until, each);
      return;
    }
    const count = Math.floor((until - this.time) / this.steps.step + 1e-9);
    for (let i = 0; i < count; i++) {
      this.advance();
      each?.(owner);
    }
    recording.note({ op: "runTo", until });
    this.steps.runAs(owner, until, each);
  }

  save(): Snapshot {
    const hand = this.#mechanism.hand.data();
    const stops = this.#stops?.data();
    return this.steps.save(written(this.settings, hand, stops));
  }

  restore(snapshot: Snapshot): void {
    const before = this.#mechanism;
    const held = settingsIn(snapshot);
    const isOther = JSON.stringify(held?.held) !== JSON.stringify(this.settings.held);
    // Locks are rows: a snapshot with others is of another memory.
    if (held && isOther) this.#take(held);
    try {
      this.#restore(snapshot);
    } catch (error) {
      if (held && isOther) this.#adopt(before);
      throw error;
    }
  }

  #restore(snapshot: Snapshot): void {
    const { settings } = this.steps.checkSnapshot(snapshot);
    this.#recording?.note({ op: "restore", snapshot });
    const { settings: set, hand, stops } = carriedIn(settings);
    if (JSON.stringify(set) !== JSON.stringify(this.settings)) this.#use(set);
    this.steps.restore(snapshot);
    this.#mechanism.hand.restore(hand);
    this.#stops?.restore(stops);
  }

  /** The mechanism with these settings at its own start: the state comes from elsewhere. */
  #take(settings: ModelSettings): void {
    const { source, steps } = this.#mechanism;
    this.#adopt(mechanismOf(source.withSettings(settings).model, this.#method, steps.step));
  }

  #adopt(mechanism: Mechanism): void {
    this.#stops?.clear();
    this.#mechanism = mechanism;
    this.readout.adopt(mechanism.source, "geometry");
    this.#stops = this.#stopsOf(mechanism);
  }

  /** The state is placed elsewhere: what rests there is found in the next step. */
  #placed(place: () => void): void {
    place();
    this.#stops?.clear();
  }

  #stopsOf(mechanism: Mechanism): StopCrossing | undefined {
    const { impulses, steps, source } = mechanism;
    if (impulses === undefined) return undefined;
    const stops = new StopCrossing(mechanism, this.#method, (rest) =>
      this.readout.turnTo(rest?.mechanism.source ?? source, rest?.shared ?? this.#shared),
    );
    steps.walk.crossing = stops;
    return stops;
  }

  record(given: RecordOptions): Recording {
    const options = optionsOf("record", "STEP", given, RECORD_SHAPE);
    if (this.#recording) throw new NodriftError("STEP", "record: it is being recorded already");
    this.#recording = new Recording(this, options, () => {
      this.#recording = undefined;
    });
    return this.#recording;
  }

  replay(given: RecordedRun): void {
    if (this.#recording) throw new NodriftError("STEP", "replay: it is being recorded: stop that");
    replayRun(this, optionsOf("replay", "STEP", given, RUN_SHAPE));
  }

  namedState(): NamedState {
    const { source, steps } = this.#mechanism;
    return namedStateOf(source, this.readout, steps, this.#turnNames());
  }

  setNamedState(given: NamedState): void {
    const { source, steps } = this.#mechanism;
    const { q, v, time, turns } = reading(locationOf("setNamedState", "STEP", "the state"), () =>
      numbersFrom(source, given, steps, this.#turnNames()),
    );
    this.setState(q, v, { time, turns });
  }

  /** Does what a recording has noted. */
  perform(action: Action): void {
    const { hand } = this.#mechanism;
    switch (action.op) {
      case "set":
        this.#use(action.settings as ModelSettings);
        break;
      case "push":
        hand.pushes.push(action.push);
        break;
      case "grab":
        hand.grab(action.grip);
        break;
      case "move":
        hand.move(action.id, action.target);
        break;
      case "release":
        hand.release(action.id);
        break;
      case "setStep":
        this.steps.setStep(action.length);
        break;
      case "runTo":
        this.steps.runTo(action.until);
        break;
      case "restore":
        this.restore(action.snapshot);
        break;
      case "setState":
        this.#placed(() => this.steps.setState(action.q, action.v, action.options as StateOptions));
        break;
      case "setCoordinates":
        this.#moveJoints(action.joints);
        break;
      default:
        throw new NodriftError("STEP", `replay: there is no command ${show(action)}`);
    }
  }

  #do(action: Action): void {
    this.perform(action);
    this.#recording?.note(action);
  }

  /** Goes on with the same mechanism with other numbers. */
  #use(settings: ModelSettings): void {
    const { source, system, steps } = this.#mechanism;
    const { model, difference } = source.withSettings(settings);
    this.#stops?.clear();
    if (isInPlace(this.#method, difference)) {
      steps.change("set", () => model.adjust(system));
      this.#mechanism = inState(model, this.#mechanism);
    } else {
      const sensors = () => {
        const { probe } = this.readout;
        probe.load();
        return probe.system.quantities.sensorValues(this.time);
      };
      this.#mechanism = rebuilt(this.#mechanism, model, this.#method, difference, sensors);
    }
    this.readout.adopt(this.#mechanism.source, difference);
    this.#stops = this.#stopsOf(this.#mechanism);
  }

  #turnNames(): readonly string[] {
    return this.#mechanism.system.continuation.turns?.names ?? [];
  }

  /** The number of a body that can be moved. */
  #movable(where: string, body: string | Body): number {
    const { data } = this.#mechanism.source;
    const names = data.bodies.map((each) => each.name);
    const name = nameGiven(where, data, body, "body");
    const index = names.indexOf(name);
    if (index >= 0) return index;
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: there is no body ${show(name)}${hint(name, names)}`,
    );
  }

  /** From the centre of mass to a point in the body's frame. */
  #armOf(body: number, point: VectorLike | Vector): number[] {
    const { centre } = this.#mechanism.source.data.bodies[body]!;
    return centre.map((c, i) => point[i]! - c);
  }
}
