// A simulation of a mechanism that can be changed, pushed and recorded while it runs, and its snapshots.

import { ZERO } from "../../../base/algebra/vectors.js";
import {
  argument,
  locationOf,
  needed,
  optionsOf,
  reading,
  refuseMore,
  type Shape,
} from "../../../base/checking/index.js";
import { hint, show, type VectorLike, vector } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { Loaded } from "../../../base/loaded.js";
import type { CoordinateChoice, Method } from "../../../interfaces/index.js";
import { pseudoinverse } from "../../../methods/formulations/acceleration-level.js";
import { rk4 } from "../../../methods/integrators/index.js";
import { chosenMethod, type MethodOption } from "../../../methods/names/method-rule.js";
import { stagedProjection } from "../../../methods/stabilisations/staged-projection.js";
import {
  type Body,
  type Controller,
  type Force,
  type Joint,
  partName,
  type States,
} from "../../../model/handles.js";
import type { ModelData, Vector } from "../../../model/model-data.js";
import {
  type ModelSettings,
  type NamedNumber,
  NOTHING_SET,
  type SetNumbers,
} from "../../../model/settings.js";
import { withLocked, withUnlocked } from "../../contact/joint-locks.js";
import { rowsAt } from "../../public/public-view.js";
import { fixedStepMethod, stateNumbers, stepLength } from "../../stepping/options.js";
import { Simulation } from "../../stepping/simulation.js";
import type { Snapshot } from "../../stepping/snapshot.js";
import { plainOptions, type StateOptions } from "../../stepping/state-options.js";
import type { SteppedSystem } from "../../stepping/stepped-system.js";
import { type JointValues, jointValues } from "../coordinates/joint-values.js";
import { type JointCoordinateValues, jointCoordinates } from "../coordinates/tree-probe.js";
import type { ExternalLoadsData, GripData, PushData } from "../external-loads/external-loads.js";
import {
  DEFAULT_FREQUENCY,
  GRAB_SHAPE,
  type GrabOptions,
  Grip,
  PUSH_SHAPE,
  type PushOptions,
} from "../external-loads/external-loads.js";
import { driveForces } from "../reactions/drive-forces.js";
import type { ForceReadingOf } from "../reactions/force-reading.js";
import type { JointReadingOf, ReadContext } from "../reactions/joint-reading.js";
import type { MotorReading } from "../reactions/motor-reading.js";
import type { BodyReading } from "../reading/body-reading.js";
import { Readout, type SharedProbe } from "../reading/readout.js";
import type { Impact, ImpactHandler, StopsData } from "./impact-handler.js";
import {
  type BodySource,
  inState,
  isInPlace,
  type Mechanism,
  mechanismOf,
  rebuilt,
} from "./mechanism.js";
import { type NamedState, namedStateOf, stateFromNames } from "./named-state.js";
import {
  type Action,
  RECORD_SHAPE,
  type RecordedRun,
  Recording,
  type RecordOptions,
  RUN_SHAPE,
  replayRun,
} from "./recording.js";

// Options of a simulation of a mechanism.

/** Options of {@link CompiledModel.simulate}. */
export interface BodySimulationOptions {
  /** Default: RK4, projected in every stage: integrates through singular poses, without drift. */
  readonly method?: MethodOption;
  /** Length of a step in seconds. */
  readonly step: number;
}

/** Checked options. */
export interface CheckedBodyOptions extends BodySimulationOptions {
  readonly method?: Method;
}

export const BODY_SIMULATION_SHAPE: Shape<CheckedBodyOptions> = {
  step: needed(stepLength),
  method: fixedStepMethod,
};

/**
 * The default method of {@link CompiledModel.simulate}: RK4, projected in every stage.
 *
 * @example
 * system.simulate({ step: 1e-3, method: { ...defaultMethod(), stabilisation: projection() } });
 */
export function defaultMethod(...more: undefined[]): Method {
  refuseMore("defaultMethod", "METHOD", more);
  return chosenMethod({
    formulation: pseudoinverse(),
    stabilisation: stagedProjection(),
    integrator: rk4(),
  });
}

/** Handles impacts at rigid stops in steps of one length. */
export const impactHandler = new Loaded("stops", () => import("./impact-handler.js"));

// Snapshot data of a mechanism in addition to its memory, as text: settings, external loads and resting contacts.

interface Carried {
  readonly settings: ModelSettings;
  readonly hand: ExternalLoadsData;
  readonly stops: StopsData;
}

function formatCarried(
  settings: ModelSettings,
  hand: ExternalLoadsData,
  stops: StopsData | undefined,
): string {
  return JSON.stringify({ ...settings, hand, ...(stops && { stops }) });
}

/** Parses the text of a checked snapshot. Without a text there are no settings, loads or contacts. */
function parseCarried(text: string | undefined): Carried {
  const { hand, stops, ...settings } = JSON.parse(text ?? "{}");
  return {
    settings: text === undefined ? NOTHING_SET : settings,
    hand: hand ?? { pushes: [], grips: [] },
    stops: stops ?? { resting: [], caught: [] },
  };
}

/**
 * Returns the settings of a snapshot, or undefined if it is invalid. Other errors in it are found when it is restored.
 */
function settingsIn(snapshot: Snapshot): ModelSettings | undefined {
  const text = reading(
    locationOf("restore", "STEP", "the snapshot"),
    (): unknown => (snapshot as Partial<Snapshot> | undefined)?.settings,
  );
  try {
    return parseCarried(text as string | undefined).settings;
  } catch {
    return undefined;
  }
}

// Impulses of rows after velocities have jumped by d: M d = J^T L has the minimum-norm solution L = S^+ J d,
// S = J M^-1 J^T. The multipliers of the motion are affine in their right-hand side r, S^+ (r - J M^-1 Q): their
// difference for J d and for zero is L.

/** Impulses treated as zero, relative to the largest. */
const IMPULSE_TOLERANCE = 1e-12;

/**
 * Returns the impulses by row name, computed from the velocities before the jump; rows without an impulse are omitted.
 */
function jumpImpulses(
  { probe, model, present }: Pick<ReadContext, "probe" | "model" | "present">,
  before: Float64Array,
): Record<string, number> {
  const { system, arena, rows, otherRows, vector } = probe;
  probe.load();
  const jump = arena.floats(vector);
  const { v } = present();
  for (let i = 0; i < jump.length; i++) jump[i] = v[i]! - before[i]!;
  const found = multipliersFor(() =>
    system.constraints.jacobianTimes(vector.address, rows.address),
  );
  const none = multipliersFor(() => arena.floats(rows).fill(0));
  const impulses = found.map((value, row) => value - none[row]!);
  const threshold =
    IMPULSE_TOLERANCE * impulses.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const named = model.plan.rowNames.map((name, row) => [name, impulses[row]!] as const);
  return Object.fromEntries(named.filter(([, impulse]) => Math.abs(impulse) > threshold));

  function multipliersFor(write: () => void): Float64Array {
    write();
    const solver = system.dynamics.solver("auto");
    solver.factor();
    solver.multipliers(rows.address, otherRows.address);
    return rowsAt(arena, system, otherRows.address).slice();
  }
}

/**
 * A simulation of a mechanism, with bodies and joints by name. Created by {@link CompiledModel.simulate}.
 * @example
 * const simulation = (await compile(m)).simulate({ step: 1e-3 });
 * simulation.runTo(2);
 * console.log(simulation.body("rod").position, simulation.joint("hinge").force());
 */
export class BodySimulation extends Simulation {
  /** Names of the bodies. */
  readonly bodies: readonly string[];
  /** Names of the joints and drives. */
  readonly joints: readonly string[];
  readonly #method: Method;
  readonly #readout: Readout;
  /** Memory of readings while no contact rests. */
  readonly #shared: SharedProbe = {};
  /** The mechanism without resting contacts, replaced when parameters change. */
  #mechanism: Mechanism;
  /** Handler of impacts; undefined without rigid stops. */
  #impactHandler: ImpactHandler | undefined;
  #recording: Recording | undefined;

  constructor(source: BodySource, { method = defaultMethod(), step }: CheckedBodyOptions) {
    const mechanism = mechanismOf(source, method);
    super(mechanism.stepped, step);
    this.#method = method;
    this.#mechanism = mechanism;
    const { data } = source;
    this.bodies = data.bodies.map(({ name }) => name);
    this.joints = data.joints.map(({ name }) => name);
    this.#readout = new Readout(
      source,
      () => this.#shownMechanism.present,
      this.#shared,
      () => this.#shownMechanism.externalLoads.acting,
    );
    this.#impactHandler = this.#createImpactHandler();
    this.#impactHandler?.requireInside();
  }

  /** Coordinates in which the method works, and the reason. */
  get coordinateChoice(): CoordinateChoice {
    return this.#mechanism.coordinateChoice;
  }

  /**
   * Changes values between two steps: parameters and gravity, or those of a body, marker, joint or force, by its handle
   * or its name. A rejected call changes nothing. If joints move, the state moves to the nearest that fits: read `q`
   * again.
   *
   * @example
   * simulation.set({ k: 3e4, gravity: [0, 0, -1.62] });
   * simulation.set(strut, { damping: 800 });
   * simulation.set("crank", { mass: 3 });
   */
  readonly set: SetNumbers<this> = (...given: readonly unknown[]) => {
    this.stepped.guard.refuse("set");
    this.#do({ op: "set", settings: this.#mechanism.source.settingsAfter("set", given) });
    return this;
  };

  /** The model as plain data, with all values that were set. */
  get data(): ModelData {
    return this.#mechanism.source.data;
  }

  /** Parameters of the model with their present values, for example to create sliders. */
  get parameters(): readonly NamedNumber[] {
    return this.#mechanism.source.parameters;
  }

  /** Values that were set, as plain data. */
  get settings(): ModelSettings {
    return this.#mechanism.source.settings;
  }

  /**
   * Pushes a body: a force in the world at a point of it, a torque, or both, for some time.
   *
   * @example
   * simulation.push("rod", { force: [10, 0, 0], at: [0, 0, -0.5], for: 0.1 });
   */
  push(body: string | Body, options: PushOptions): void {
    this.stepped.guard.refuse("push");
    const checked = optionsOf("push", "STEP", options, PUSH_SHAPE);
    const index = this.#movableIndex("push", body);
    const { force, torque, at, for: seconds = this.step } = checked;
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

  /**
   * Grabs a point of a body, given in the body's frame, to drag it: a critically damped pull, scaled with the effective
   * mass at the point, stable at any step. It pulls towards the present position of the point until the grip is moved.
   *
   * @example
   * const grip = simulation.grab("rod", [0, 0, -0.5], { maximumForce: 100 });
   * grip.moveTo([1, 0, 0.3]);
   */
  grab(body: string | Body, point: VectorLike, options: GrabOptions = {}): Grip {
    this.stepped.guard.refuse("grab");
    const checked = optionsOf("grab", "STEP", options, GRAB_SHAPE);
    const { frequency = DEFAULT_FREQUENCY, maximumForce = Number.MAX_VALUE } = checked;
    const index = this.#movableIndex("grab", body);
    const at = vector("grab", "point", point);
    const id = this.#mechanism.externalLoads.nextId();
    const { name } = this.data.bodies[index]!;
    const grip: GripData = {
      id,
      body: index,
      arm: this.#armOf(index, at),
      omega: 2 * Math.PI * frequency,
      limit: maximumForce,
      target: [...this.#readout.body(name).point(at)],
      force: [0, 0, 0],
    };
    this.#do({ op: "grab", grip });
    return new Grip(id, {
      find: (own) => this.#mechanism.externalLoads.grips.find((each) => each.id === own),
      move: (own, target) => this.#do({ op: "move", id: own, target: [...target] }),
      release: (own) => this.#do({ op: "release", id: own }),
    });
  }

  /**
   * Starts recording the actions on the simulation, with snapshots, so that it can be rewound and replayed with the
   * same bits.
   *
   * @example
   * const recording = simulation.record();
   * simulation.advance(1000);
   * recording.rewind(simulation.time - 1);
   */
  record(options: RecordOptions = {}): Recording {
    const checked = optionsOf("record", "STEP", options, RECORD_SHAPE);
    if (this.#recording) throw new NodriftError("STEP", "record: already recording");
    this.#recording = new Recording(this, this.#perform, checked, () => {
      this.#recording = undefined;
      this.observer = undefined;
    });
    this.observer = this.#recording;
    return this.#recording;
  }

  /**
   * Repeats a recorded run, with the same bits, in a simulation of the same model and method.
   *
   * @example
   * other.replay(recording.stop());
   */
  replay(run: RecordedRun): this {
    if (this.#recording) throw new NodriftError("STEP", "replay: stop the recording first");
    replayRun(this, this.#perform, optionsOf("replay", "STEP", run, RUN_SHAPE));
    return this;
  }

  /**
   * Locks a joint at its position, as a latch does. If it moves, an impulse stops it; impulses are returned by row
   * name. The force or torque of the lock is then `joint("lock of hinge").driveForce`.
   *
   * @example
   * const impulse = simulation.lock("hinge")["lock of hinge: angle"];
   */
  lock(joint: string | Joint): Record<string, number> {
    return this.#hold("lock", joint);
  }

  /** Unlocks a joint: `simulation.unlock("hinge")`. */
  unlock(joint: string | Joint): void {
    this.#hold("unlock", joint);
  }

  /**
   * Impacts at rigid stops in the last step, with their impulses. The force of a resting contact is
   * `joint("rest at anvil: upper").driveForce`.
   *
   * @example
   * simulation.runTo(2, ({ impacts }) => impacts.forEach(({ name, time, impulse }) => console.log(name, time, impulse)));
   */
  get impacts(): readonly Impact[] {
    return this.#impactHandler?.impacts ?? [];
  }

  /**
   * Returns the state by the names of bodies and joints, as plain data, for simulations of the same model or of a
   * changed one.
   */
  namedState(): NamedState {
    return namedStateOf(this.#mechanism.source, this.#readout, this, this.#angleNames);
  }

  /**
   * Sets a state by names. Bodies and joints that it does not name keep their state. A state that does not fit the
   * joints is moved to the nearest that does.
   *
   * @example
   * other.setNamedState(simulation.namedState());
   */
  setNamedState(state: NamedState): void {
    const { q, v, time, unwrappedAngles } = reading(
      locationOf("setNamedState", "STEP", "the state"),
      () => stateFromNames(this.#mechanism.source, state, this, this.#angleNames),
    );
    this.setState(q, v, { time, unwrappedAngles });
  }

  /** A body, by its handle or its name: its pose and motion, at the present time whenever they are read. */
  body(body: string | Body): BodyReading {
    return this.#readout.body(body);
  }

  /**
   * A joint or drive, by its handle or its name: its forces and measurements.
   *
   * @example
   * const [x, y, z] = simulation.joint("hinge").force({ on: "door", frame: "joint" });
   */
  joint<Type extends string>(joint: string | Joint<Type>): JointReadingOf<Type> {
    return this.#readout.joint(joint);
  }

  /** A force, by its handle or its name: `simulation.force("strut").force({ on: "wheel" })`, its length, power and energy. */
  force<Type extends string>(force: string | Force<Type>): ForceReadingOf<Type> {
    return this.#readout.force(force);
  }

  /** States added by `states` of the model, by name: `simulation.state("pi").integral`. */
  state(states: string | States): Readonly<Record<string, number>> {
    return this.#readout.state(states);
  }

  /** A motor, by its handle or its name: torque, power, energy; `simulation.motor("elbow").target = 0.3`. */
  motor(motor: string | Force<"motor">): MotorReading {
    return this.#readout.motor(motor, (name, values) => this.set(name, values));
  }

  /** Held outputs of a controller, by name. */
  output(controller: string | Controller): Readonly<Record<string, number>> {
    return this.#readout.output(controller);
  }

  /**
   * Returns the joint coordinates and velocities along the tree, by name: the minimal state. If the simulation
   * integrates them ({@link coordinateChoice}) they are bitwise the integrated values.
   *
   * @example
   * simulation.coordinates().positions["elbow angle"];
   */
  coordinates(): JointCoordinateValues {
    return jointCoordinates(this.#readout);
  }

  /**
   * Moves joints to coordinates given by name. Other joints stay unless a loop has to close. Time does not change.
   *
   * @example
   * simulation.setCoordinates({ elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } });
   */
  setCoordinates(joints: JointValues): void {
    const checked = argument("setCoordinates", "STEP", "joints", joints, jointValues);
    this.#do({ op: "setCoordinates", joints: checked });
  }

  /** Returns the momentum of all bodies together. */
  momentum(): Vector {
    return this.#readout.momentum();
  }

  /** Returns the angular momentum of all bodies together, about the origin of the world or another point. */
  angularMomentum(about?: VectorLike): Vector {
    return this.#readout.angularMomentum(about);
  }

  /** Returns the force or torque of each drive, by name. Its product with the rate of the drive is the power. */
  driveForces(): Record<string, number> {
    return driveForces(this.#readout, this.time);
  }

  /**
   * Returns the loads on the bodies, in addition to the forces of the model, for given accelerations (linear in
   * the world, angular in the body's axes) or the present ones. Six values for each body: a force in the world
   * and a torque about the centre of mass in the body's axes.
   */
  inverseDynamics(accelerations?: ArrayLike<number>): Float64Array {
    const { probe, reactions } = this.#readout;
    const given =
      accelerations === undefined
        ? reactions.accelerations()
        : stateNumbers.read(accelerations, locationOf("inverseDynamics", "STEP", "accelerations"));
    const { system, arena, vector: loads } = probe;
    const { velocities, velocityNames } = system.coordinates;
    if (given.length !== velocities) {
      throw new NodriftError(
        "STEP",
        `inverseDynamics: ${given.length} accelerations are given; the bodies have ${velocities}`,
      );
    }
    const invalid = Array.from(given).findIndex((value) => !Number.isFinite(value));
    if (invalid >= 0) {
      throw new NodriftError(
        "STEP",
        `inverseDynamics: the acceleration of "${velocityNames[invalid]}" is ${show(given[invalid])}`,
      );
    }
    const values = Float64Array.from(given);
    probe.load();
    const view = arena.floats(loads);
    view.set(values);
    system.dynamics.massTimes(loads.address, loads.address);
    arena.kernels.axpy(velocities, -1, system.dynamics.forces(), loads.address, loads.address);
    return view.slice();
  }

  /** @internal The reader of its present state. */
  get readout(): Readout {
    return this.#readout;
  }

  override setState(...given: Parameters<Simulation["setState"]>): void {
    const [q, v, options] = given;
    this.#replaceState(() => super.setState(q, v, options));
    this.#recording?.note({
      op: "setState",
      q: Array.from(q),
      v: Array.from(v),
      options: plainOptions(options),
    });
  }

  override setStep(step: number): void {
    super.setStep(step);
    this.#recording?.note({ op: "setStep", length: step });
  }

  override restore(snapshot: Snapshot): void {
    const before = this.#mechanism;
    const returnToCount = this.keepCount();
    const held = settingsIn(snapshot);
    const isOther = JSON.stringify(held?.held) !== JSON.stringify(this.settings.held);
    // Locks are rows: a snapshot with other locks has another memory layout.
    if (held && isOther) {
      const { model } = before.source.withSettings(held);
      this.#adopt(mechanismOf(model, this.#method));
    }
    try {
      const { settings } = this.checkSnapshot(snapshot);
      this.#recording?.note({ op: "restore", snapshot });
      const { settings: set, hand, stops } = parseCarried(settings);
      if (JSON.stringify(set) !== JSON.stringify(this.settings)) this.applySettings(set);
      super.restore(snapshot);
      this.#mechanism.externalLoads.restore(hand);
      this.stepped.loads = this.#mechanism.externalLoads;
      this.#impactHandler?.restore(stops);
    } catch (error) {
      if (held && isOther) {
        this.#adopt(before);
        returnToCount();
      }
      throw error;
    }
  }

  protected get carried(): string {
    const { externalLoads, source } = this.#mechanism;
    return formatCarried(source.settings, externalLoads.data(), this.#impactHandler?.data());
  }

  /** The mechanism that readings use: the contact mode if contacts rest. */
  get #shownMechanism(): Mechanism {
    return this.#impactHandler?.mode?.mechanism ?? this.#mechanism;
  }

  protected get shown(): SteppedSystem {
    return this.#shownMechanism.stepped;
  }

  get #angleNames(): readonly string[] {
    return this.stepped.system.continuation.unwrappedAngles?.names ?? [];
  }

  #do(action: Action): void {
    this.#perform(action);
    this.#recording?.note(action);
  }

  /** Performs a recorded action. */
  readonly #perform = (action: Action): void => {
    const { externalLoads } = this.#mechanism;
    switch (action.op) {
      case "set":
        this.applySettings(action.settings as ModelSettings);
        break;
      case "push":
        externalLoads.pushes.push(action.push);
        this.stepped.loads = externalLoads;
        break;
      case "grab":
        externalLoads.grab(action.grip);
        this.stepped.loads = externalLoads;
        break;
      case "move":
        externalLoads.move(action.id, action.target);
        break;
      case "release":
        externalLoads.release(action.id);
        break;
      case "setStep":
        super.setStep(action.length);
        break;
      case "runTo":
        this.runTo(action.until);
        break;
      case "restore":
        this.restore(action.snapshot);
        break;
      case "setState":
        this.#replaceState(() =>
          super.setState(action.q, action.v, action.options as StateOptions),
        );
        break;
      case "setCoordinates":
        this.#moveJoints(action.joints);
        break;
      default:
        throw new NodriftError("STEP", `replay: unknown command ${show(action)}`);
    }
  };

  /** @internal Continues with the same mechanism under other settings; `known` is the model that has them. */
  protected applySettings(settings: ModelSettings, known?: BodySource): void {
    const { source, stepped } = this.#mechanism;
    const { model, difference } = known
      ? { model: known, difference: "masses" as const }
      : source.withSettings(settings);
    this.#impactHandler?.clear();
    if (isInPlace(this.#method, difference)) {
      stepped.change("set", () => model.adjust(stepped.system));
      this.#mechanism = inState(model, this.#mechanism);
    } else {
      const sensors = () => this.#sensorValues();
      this.#use(rebuilt(this.#mechanism, model, this.#method, difference, sensors));
    }
    this.#readout.adopt(this.#mechanism.source, difference);
    this.#impactHandler = this.#createImpactHandler();
  }

  /** Continues with another mechanism in memory. */
  #use(mechanism: Mechanism): void {
    this.#mechanism = mechanism;
    this.stepped = mechanism.stepped;
    this.restartCount(mechanism.stepped.time);
  }

  /** Continues with another mechanism, in its own state. */
  #adopt(mechanism: Mechanism): void {
    this.#impactHandler?.clear();
    this.#use(mechanism);
    this.#readout.adopt(mechanism.source, "geometry");
    this.#impactHandler = this.#createImpactHandler();
  }

  #createImpactHandler(): ImpactHandler | undefined {
    const { impulses, stepped, source } = this.#mechanism;
    if (impulses === undefined) return undefined;
    const handler = new impactHandler.code.ImpactHandler(this.#mechanism, this.#method, (mode) =>
      this.#readout.switchTo(mode?.mechanism.source ?? source, mode?.shared ?? this.#shared),
    );
    stepped.interceptor = handler;
    return handler;
  }

  /** Replaces the state. The next step finds the contacts that rest. */
  #replaceState(place: () => void): void {
    place();
    this.#impactHandler?.clear();
  }

  /**
   * Moves joints. If the tree coordinates are integrated they are set directly: finding them from the bodies costs more
   * than all else.
   */
  #moveJoints(values: JointValues): void {
    const { source, stepped } = this.#mechanism;
    const { q, v, unwrappedAngles, along, tree } = this.#readout.placed("setCoordinates", values);
    const own = tree === source.tree ? along : undefined;
    this.#replaceState(() => {
      stepped.setState(q, v, { unwrappedAngles, start: "asGiven" }, own);
      this.restartCount(stepped.time);
    });
  }

  /** Locks or unlocks a joint at its position and returns the impulses by row name. */
  #hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    this.stepped.guard.refuse(where);
    const values = this.#sensorValues();
    const { q, unwrappedAngles } = this;
    const state = { q, unwrappedAngles, measure: (sensor: number) => values[sensor]! };
    const change = where === "lock" ? withLocked : withUnlocked;
    const before = this.v.slice();
    this.#do({ op: "set", settings: change(this.data, this.settings, joint, state) });
    return jumpImpulses(this.#readout, before);
  }

  #sensorValues(): Float64Array {
    const { probe } = this.#readout;
    probe.load();
    return probe.system.sensorValues(this.time);
  }

  /** Returns the index of a body that can be moved. */
  #movableIndex(where: string, body: string | Body): number {
    const names = this.data.bodies.map((each) => each.name);
    const name = partName(where, this.data, body, "body");
    const index = names.indexOf(name);
    if (index >= 0) return index;
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: there is no body ${show(name)}${hint(name, names)}`,
    );
  }

  /** Vector from the centre of mass to a point, in the body's frame. */
  #armOf(body: number, point: VectorLike | Vector): number[] {
    return this.data.bodies[body]!.centre.map((c, i) => point[i]! - c);
  }
}
