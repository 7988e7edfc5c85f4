import { Status } from "../../../../assembly/layout.js";
import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  BodyFrame,
  BodyTable,
  ForceEntry,
  ForceKind,
  ForcePart,
  MarkerFrame,
  Prescribed,
  Sensor,
  SensorKind,
  Turn,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { rateOf, secondRateOf } from "../../../base/algebra/differences.js";
import { NodriftError, SimulationError } from "../../../base/errors.js";
import { Loaded } from "../../../base/loaded.js";
import type { Address, Arena, Segment } from "../../../base/memory/arena.js";
import { Workspace } from "../../../base/memory/workspace.js";
import type { BodyKernels } from "../../../base/wasm/generated-bodies.js";
import { initSync } from "../../../base/wasm/module.js";
import { failed } from "../../../base/wasm/status.js";
import type { Pushes, StateAddress } from "../../../interfaces/index.js";
import { actsOnSensor, forceMarkers } from "../../../model/kinds.js";
import {
  type ControllerData,
  type ControllerParameterData,
  type Drive,
  type ForceUpdate,
  GROUND,
  type MarkerMotion,
  type StateRates,
  type Vector,
} from "../../../model/model-data.js";
import type { QuantityReader } from "../../../model/quantity-reader.js";
import { stateAt } from "../../system-parts.js";
import type { FormulaLaws, LawFunctions } from "../functions/formula-laws.js";
import type { MechanismFunctions } from "../functions/user-functions.js";
import {
  arraysOf,
  type BodyArrays,
  type BodySegments,
  reserveBodies,
  writeLoads,
} from "../memory/memory.js";
import {
  auxiliaryBodyOf,
  CONTROLLER_OUTPUTS,
  energeticBodies,
  firstState,
  keptSamples,
  movingBodies,
  NOT_APPLIED,
  positionNames,
  velocityNames,
} from "../plan/carriers.js";
import { formulasOf, hasFunctions, hasUserRows, type Plan, readsQuantities } from "../plan/plan.js";
import type { PlannedDrive } from "../plan/table-builder.js";
import { AnglePrediction } from "./angle-continuation.js";
import type { FactorSlot } from "./loop-ranks.js";
import { bodySolveError, MAX_COORDINATE } from "./solve-errors.js";

/** Compiles formulas of laws, rows and rates. */
export const formulaLaws = new Loaded("formulas", () => import("../functions/formula-laws.js"));

/** Calls user functions of forces, rows, rates and controllers. */
export const userFunctions = new Loaded(
  "functions",
  () => import("../functions/user-functions.js"),
);

// Evaluates a single force law: the kernels receive a table with no other force in it.

/** Forces without gravity and gyroscopic torques. */
const LAW_PARTS = ForcePart.CONSERVATIVE | ForcePart.OTHER | ForcePart.WITHOUT_GRAVITY;

/** Fields of the table that are changed. */
const CHANGED_FIELDS = [BodyTable.FORCE_COUNT, BodyTable.FORCE_LIST, BodyTable.BODY_COUNT] as const;

/** Runs an action with one law in the table, or with none; restores the table before it returns. */
function withSingleForce<Result>(
  fields: Int32Array,
  law: number | undefined,
  act: (leaveBodiesOut: () => void) => Result,
): Result {
  const before = CHANGED_FIELDS.map((field) => fields[field]!);
  fields[BodyTable.FORCE_COUNT] = law === undefined ? 0 : 1;
  fields[BodyTable.FORCE_LIST]! += ForceEntry.LENGTH * (law ?? 0);
  try {
    return act(() => {
      fields[BodyTable.BODY_COUNT] = 0;
    });
  } finally {
    CHANGED_FIELDS.forEach((field, i) => {
      fields[field] = before[i]!;
    });
  }
}

// Quantities known at the trial state of bodies: bits.

/** All quantities of rows. */
const ALL_ROWS = Want.PHI | Want.JACOBIAN | Want.RATES;
const FRAME_VELOCITIES = 8;
const FORCES_KNOWN = 16;
const DRIVES_KNOWN = 32;
const FRICTION_KNOWN = 64;

/** A module that exports the function it imports: (import "" "f" (func)) (export "f" (func 0)). */
const RELAY = /* @__PURE__ */ Uint8Array.of(
  ...[
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 6, 1, 0, 1, 102, 0, 0, 7, 5, 1, 1, 102, 0, 0,
  ],
);
let relay: WebAssembly.Module | undefined;

/** Makes a function of JavaScript one that tables of WebAssembly take; undefined if the host forbids compilation. */
function exported(call: () => void): CallableFunction | undefined {
  try {
    relay ??= new WebAssembly.Module(RELAY);
  } catch {
    return undefined;
  }
  const { exports } = new WebAssembly.Instance(relay, { "": { f: call } });
  return exports.f as CallableFunction;
}

/** Writer of the frames of bodies, if these do not follow from coordinates of bodies. */
interface FrameSource {
  /** Memory to share. */
  readonly workspace: Workspace;
  /** Updates the frames of all bodies, with velocities if `rates`. */
  writeFrames(rates: boolean): void;
}

// Rates of states, as forces on their auxiliary bodies.

/** A set of states in memory. */
interface BoundStates {
  readonly rates: StateRates;
  readonly y: Float64Array;
  readonly out: Float64Array;
  /** Offsets of each state in the frames of bodies, and in the loads on them. */
  readonly places: readonly (readonly [frame: number, load: number])[];
}

class StateRateLoads {
  #bound: readonly BoundStates[] = [];
  /** Index of the first auxiliary body. */
  #first = 0;
  #end = 0;
  #gravity: Vector = [0, 0, 0];

  attach({ model }: Plan): void {
    this.#first = movingBodies(model.bodies);
    this.#end = model.bodies.length;
    this.#gravity = model.gravity;
    this.#bound = model.states.map(({ names, rates }, set) => ({
      rates,
      y: new Float64Array(names.length),
      out: new Float64Array(names.length),
      places: names.map((_, i) => {
        const [body, axis] = auxiliaryBodyOf(model, firstState(model, set) + i);
        return [
          BodyFrame.LENGTH * body + BodyFrame.VELOCITY + axis,
          BODY_VELOCITIES * body + axis,
        ] as const;
      }),
    }));
  }

  /** Adds y' to the loads; auxiliary bodies have the mass 1. */
  add(t: number, read: QuantityReader, frames: Float64Array, loads: Float64Array): void {
    for (let set = 0; set < this.#bound.length; set++) {
      const { rates, y, out, places } = this.#bound[set]!;
      for (let i = 0; i < y.length; i++) y[i] = frames[places[i]![0]]!;
      rates(t, y, read, out);
      for (let i = 0; i < y.length; i++) loads[places[i]![1]] = out[i]!;
    }
  }

  /**
   * Compensates gravity on auxiliary bodies, which have no weight, if gravity is modelled as the acceleration of the
   * ground, as along trees.
   */
  hold(loads: Float64Array): void {
    for (let body = this.#first; body < this.#end; body++) {
      for (let i = 0; i < 3; i++) loads[BODY_VELOCITIES * body + i]! -= this.#gravity[i]!;
    }
  }
}

/** A force law that is a function, with its inputs and outputs. */
interface Bound {
  readonly update: ForceUpdate;
  readonly derive: ForceUpdate | undefined;
  readonly constants: Float64Array;
  readonly motion: readonly MarkerMotion[];
  readonly measured: Float64Array;
  /** Measures length and rate, if no sensor does. */
  readonly measure: (() => void) | undefined;
}

/** Calls the force laws that are functions of time and state. */
class ForceUpdates {
  #bound: readonly Bound[] = [];

  #read!: QuantityReader;

  attach(
    { model, forceSlots }: Plan,
    arena: Arena,
    segments: BodySegments,
    read: QuantityReader,
  ): void {
    this.#read = read;
    const data = arena.floats(segments.data);
    const markers = arena.floats(segments.markers);
    const frames = arena.floats(segments.frames);
    const sensors = arena.floats(segments.sensors);
    const motionOf = (marker: number) => {
      const body = model.markers[marker]?.body ?? GROUND;
      const frame = BodyFrame.LENGTH * (body === GROUND ? model.bodies.length : body);
      const omega = frames.subarray(frame + BodyFrame.OMEGA, frame + BodyFrame.OMEGA + 3);
      return motionAt(markers, marker, omega);
    };
    this.#bound = model.forces.flatMap((force, index) => {
      const { update, derive, kind, constants } = force;
      if (!update) return [];
      const slot = forceSlots[index] as number;
      const motion = forceMarkers(force, model.sensors).map(motionOf);
      const measured = actsOnSensor(force)
        ? sensors.subarray(Sensor.LENGTH * force.a, Sensor.LENGTH * force.a + 2)
        : new Float64Array(2);
      const measure = kind === ForceKind.SPRING ? () => measureLength(motion, measured) : undefined;
      const own = data.subarray(slot, slot + constants.length);
      return [{ update, derive, constants: own, motion, measured, measure }];
    });
  }

  run(t: number): void {
    for (let i = 0; i < this.#bound.length; i++) {
      const { update, constants, motion, measured, measure } = this.#bound[i]!;
      measure?.();
      update(constants, motion, measured, t, this.#read);
    }
  }

  /** Writes the derivatives that laws provide. Call after the laws have been evaluated at this state. */
  derive(t: number): void {
    for (let i = 0; i < this.#bound.length; i++) {
      const { derive, constants, motion, measured } = this.#bound[i]!;
      derive?.(constants, motion, measured, t, this.#read);
    }
  }
}

function motionAt(
  markers: Float64Array,
  marker: number,
  angularVelocity: Float64Array,
): MarkerMotion {
  const base = MarkerFrame.LENGTH * marker;
  const part = (field: MarkerFrame, length: number) =>
    markers.subarray(base + field, base + field + length);
  return {
    point: part(MarkerFrame.POINT, 3),
    velocity: part(MarkerFrame.VELOCITY, 3),
    axes: part(MarkerFrame.AXES, 9),
    angularVelocity,
  };
}

/** |d| and its rate. */
function measureLength(motion: readonly MarkerMotion[], measured: Float64Array): void {
  const [a, b] = motion as [MarkerMotion, MarkerMotion];
  let [square, product] = [0, 0];
  for (let i = 0; i < 3; i++) {
    const d = (b.point[i] as number) - (a.point[i] as number);
    square += d * d;
    product += d * ((b.velocity[i] as number) - (a.velocity[i] as number));
  }
  const length = Math.sqrt(square);
  measured[0] = length;
  measured[1] = length > 0 ? product / length : 0;
}

// Prescribed values and their derivatives, written to the data of the kernels. Derivatives that are not given are
// computed by finite differences.

/** Writes value, rate and acceleration of each drive at a time. */
class Drives {
  readonly #drives: readonly PlannedDrive[];
  readonly #name: string;
  #data = new Float64Array(0);

  constructor(name: string, drives: readonly PlannedDrive[]) {
    this.#name = name;
    this.#drives = drives;
  }

  /** Sets the constants of the mechanism. */
  attach(data: Float64Array<ArrayBuffer>): void {
    this.#data = data;
  }

  write(t: number): void {
    const data = this.#data;
    for (let i = 0; i < this.#drives.length; i++) {
      const { slot, drive, name } = this.#drives[i]!;
      data[slot + Prescribed.VALUE] = drive.value(t);
      this.#writeDerivatives(slot, name, drive, t);
      const value = data[slot + Prescribed.VALUE] as number;
      const rate = data[slot + Prescribed.RATE] as number;
      const sum = value + rate + (data[slot + Prescribed.SECOND] as number);
      if (!Number.isFinite(sum)) throw this.#failure(name, value, t);
    }
  }

  /**
   * A function undefined around t has no finite differences; the error explains them, as the user did not request any.
   */
  #writeDerivatives(slot: number, row: string, drive: Drive, t: number): void {
    const { rate, acceleration } = drive;
    if (rate && acceleration) {
      this.#data[slot + Prescribed.RATE] = rate(t);
      this.#data[slot + Prescribed.SECOND] = acceleration(t);
      return;
    }
    try {
      this.#data[slot + Prescribed.RATE] = rate ? rate(t) : rateOf(drive.value, t);
      this.#data[slot + Prescribed.SECOND] = accelerationOf(drive, t);
    } catch (error) {
      throw new SimulationError(
        "EVALUATION",
        t,
        `${this.#name}: cannot differentiate the drive of "${row}" at t = ${t} by finite differences ` +
          `(${(error as Error).message}): give its rate and acceleration`,
      );
    }
  }

  #failure(row: string, value: number, t: number): SimulationError {
    const what = Number.isFinite(value) ? "has a non-finite derivative" : `gave ${value}`;
    return new SimulationError(
      "EVALUATION",
      t,
      `${this.#name}: the drive of "${row}" ${what} at t = ${t}`,
    );
  }
}

function accelerationOf({ value, rate, acceleration }: Drive, t: number): number {
  if (acceleration) return acceleration(t);
  return rate ? rateOf(rate, t) : secondRateOf(value, t);
}

/**
 * Force constants in memory that follow outputs of controllers. Outputs belong to the state. Constants are computed
 * again whenever they do not match the outputs: after a sample, and after a state was set, restored or evaluated in
 * another memory. So snapshots, replays and queries need nothing more. The outputs for which they were computed are in
 * memory too.
 */
class DrivenConstants {
  readonly #driven: ControllerParameterData;
  readonly #outputs: readonly Float64Array[];
  readonly #applied: Float64Array;
  readonly #forces: readonly { readonly name: string; readonly constants: Float64Array }[];
  readonly #names: readonly string[];

  /** `outputs` are views of the outputs of each controller, `constants` of all constants. */
  constructor(
    driven: ControllerParameterData,
    { model, forceSlots, drivenSlot }: Pick<Plan, "model" | "forceSlots" | "drivenSlot">,
    outputs: readonly Float64Array[],
    constants: Float64Array,
  ) {
    this.#driven = driven;
    this.#outputs = outputs;
    this.#names = model.controllers.map(({ name }) => name);
    this.#applied = constants.subarray(drivenSlot, drivenSlot + driven.outputs.length);
    this.#applied.fill(NOT_APPLIED);
    this.#forces = model.forces.map(({ name, constants: own }, i) => ({
      name,
      constants: constants.subarray(forceSlots[i]!, forceSlots[i]! + own.length),
    }));
  }

  settle(t: number): void {
    if (this.#isSettled()) return;
    const values = this.#driven.outputs.map(
      ({ controller, output }) => this.#outputs[controller]![output]!,
    );
    const found = this.#found(values, t);
    for (const { name, constants } of this.#forces) {
      const next = found.get(name);
      if (next) constants.set(next);
    }
    this.#applied.set(values);
  }

  #isSettled(): boolean {
    const { outputs } = this.#driven;
    for (let i = 0; i < outputs.length; i++) {
      const { controller, output } = outputs[i]!;
      if (this.#outputs[controller]![output] !== this.#applied[i]) return false;
    }
    return true;
  }

  #found(values: readonly number[], t: number) {
    try {
      return this.#driven.constants(values);
    } catch (cause) {
      if (!(cause instanceof NodriftError)) throw cause;
      const name = this.#names[this.#driven.outputs[0]!.controller];
      throw new NodriftError(
        cause.code,
        `controller "${name}": what it sets at t = ${t} is refused: ${cause.message}`,
        { cause },
      );
    }
  }
}

// Controllers in memory. Each has data among the constants of the kernels: the index of the next sample, the index of
// the first one, its outputs, its memory, and the outputs of pending samples. They belong to the state, like unwrapped
// angles.

const NEXT_SAMPLE = 0;
const FIRST_SAMPLE = 1;

/** Times closer than this fraction of a period are equal. */
const TIME_TOLERANCE_PERIODS = 1e-9;

interface BoundController {
  readonly data: ControllerData;
  /** Views of its data. */
  readonly counts: Float64Array;
  readonly outputs: Float64Array;
  readonly memory: Float64Array;
  readonly kept: Float64Array;
  readonly scratch: Float64Array;
}

class Controllers {
  #bound: readonly BoundController[] = [];

  #driven: DrivenConstants | undefined;

  attach({ model, controllerSlots: slots, ...plan }: Plan, constants: Float64Array): void {
    const { controllers } = model;
    this.#bound = controllers.map((data, i) => {
      const { start, memoryStart } = data;
      const at = slots[i]!;
      const memory = at + CONTROLLER_OUTPUTS + start.length;
      const kept = memory + memoryStart.length;
      return {
        data,
        counts: constants.subarray(at, at + CONTROLLER_OUTPUTS),
        outputs: constants.subarray(at + CONTROLLER_OUTPUTS, memory),
        memory: constants.subarray(memory, kept),
        kept: constants.subarray(kept, kept + keptSamples(data) * start.length),
        scratch: new Float64Array(start.length),
      };
    });
    const outputs = this.#bound.map((each) => each.outputs);
    this.#driven =
      model.driven && new DrivenConstants(model.driven, { ...plan, model }, outputs, constants);
  }

  /** Updates force constants to the parameters that outputs set. */
  drive(t: number): void {
    this.#driven?.settle(t);
  }

  /** Returns whether an action is due at a time. */
  isDue(t: number): boolean {
    for (let i = 0; i < this.#bound.length; i++) {
      const { data, counts } = this.#bound[i]!;
      if (indexAt(data, t) + 1 !== counts[NEXT_SAMPLE]) return true;
      if (data.delay > 0 && isAt(data, t - data.delay)) return true;
    }
    return false;
  }

  /**
   * Takes the samples that are due, at the state that `read` reads, and applies those whose time has come. Returns
   * whether outputs have changed.
   */
  act(t: number, read: QuantityReader): boolean {
    let changed = false;
    for (const controller of this.#bound) {
      this.#sample(controller, t, read);
      changed = this.#apply(controller, t) || changed;
    }
    return changed;
  }

  /** Returns the next time after t at which a sample is taken or applied. */
  nextBreak(t: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#bound.length; i++) {
      const { data } = this.#bound[i]!;
      next = Math.min(next, timeAfter(data, t));
      if (data.delay > 0) next = Math.min(next, timeAfter(data, t - data.delay) + data.delay);
    }
    return next;
  }

  #sample(
    { data, counts, memory, kept, scratch }: BoundController,
    t: number,
    read: QuantityReader,
  ) {
    const index = indexAt(data, t);
    if (counts[NEXT_SAMPLE] === index + 1) return;
    // Starts again if the state was set at another time: missed samples are not made up for.
    const continues = counts[NEXT_SAMPLE] === index && counts[FIRST_SAMPLE]! < index;
    counts[NEXT_SAMPLE] = index + 1;
    if (!isAt(data, t)) {
      counts[FIRST_SAMPLE] = index + 1;
      return;
    }
    if (!continues) counts[FIRST_SAMPLE] = index;
    data.sample(t, read, memory, scratch);
    kept.set(scratch, slotOf(kept, scratch.length, index));
  }

  #apply({ data, counts, outputs, kept }: BoundController, t: number): boolean {
    const index = indexAt(data, t - data.delay);
    if (index < counts[FIRST_SAMPLE]! || index >= counts[NEXT_SAMPLE]!) return false;
    const from = slotOf(kept, outputs.length, index);
    let changed = false;
    for (let i = 0; i < outputs.length; i++) {
      changed ||= outputs[i] !== kept[from + i];
      outputs[i] = kept[from + i]!;
    }
    return changed;
  }
}

/** Offset of the stored outputs of a sample. */
function slotOf(kept: Float64Array, count: number, index: number): number {
  const samples = kept.length / count;
  return count * (((index % samples) + samples) % samples);
}

/** Index of the last sample at or before a time. */
function indexAt({ every, offset }: ControllerData, t: number): number {
  const periods = (t - offset) / every;
  return Math.floor(periods + slack(periods));
}

function isAt(data: ControllerData, t: number): boolean {
  const periods = (t - data.offset) / data.every;
  return Math.abs(periods - indexAt(data, t)) <= slack(periods);
}

/** Tolerance of equal times, in periods: times are rounded. */
function slack(periods: number): number {
  return TIME_TOLERANCE_PERIODS + 4 * Number.EPSILON * Math.abs(periods);
}

function timeAfter(data: ControllerData, t: number): number {
  return data.offset + (indexAt(data, t) + 1) * data.every;
}

/** State and memory of a mechanism, and its quantities, each evaluated on first use. */
export class BodyQuantities {
  readonly workspace: Workspace;
  /** The plan; values, but not the structure, may change: see {@link adopt}. */
  plan: Plan;
  readonly name: string;
  readonly positions: number;
  readonly velocities: number;
  /** Number of velocities with energy, those of bodies and rotors; the velocities after them are states. */
  readonly movingVelocities: number;
  readonly rows: number;
  readonly holonomicRows: number;
  readonly rowNames: readonly string[];
  readonly segments: BodySegments;
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly table: Address;
  /** A zero vector with as many elements as there are positions. */
  readonly zero: Address;
  /** Whether no row depends explicitly on time. */
  readonly areRowsTimeless: boolean;
  /** Whether the Jacobian of some rows depends on velocities. */
  readonly areRowsNonlinear: boolean;
  /** The factor in memory, which all sparse solvers share. */
  readonly factor: FactorSlot = { owner: undefined, generation: -1, isKept: false };
  /** Kernels of mechanisms. Read them at each call. */
  kernels!: BodyKernels & { readonly table: WebAssembly.Table };
  arrays!: BodyArrays;
  /** Prediction of all angles, or of those that are not coordinates of a tree. */
  prediction: AnglePrediction;
  /** Friction that follows reactions, if there is any. */
  reactionLoads: { settle(): void } | undefined;
  /** Loads that act in addition to those of the model. */
  pushes: Pushes | undefined;
  time = 0;
  generation = 0;
  factorisations = 0;

  readonly #drives: Drives;
  readonly #updates: ForceUpdates;
  /** Functions of the user; undefined if no part of the model calls any. */
  #user: MechanismFunctions | undefined;
  /** Laws and rows given by formulas. */
  readonly formulas: FormulaLaws | undefined;
  readonly #states: StateRateLoads;
  readonly controllers = new Controllers();
  readonly #hasSensors: boolean;
  readonly #hasAngles: boolean;
  readonly #frames: FrameSource | undefined;
  #known = 0;
  /** Binds the user functions to memory, and writes constants there. */
  #attach: () => void = () => {};
  #rewrite: () => void = () => {};
  #tableFields = new Int32Array(0);
  /** Loads on all bodies, including the ground. */
  #allLoads = new Float64Array(0);

  constructor(plan: Plan, module: WebAssembly.Module, frames?: FrameSource) {
    const { model, rows, holonomicRows, rowNames } = plan;
    this.workspace = frames?.workspace ?? new Workspace(initSync);
    this.#frames = frames;
    this.plan = plan;
    this.name = model.name;
    this.positions = BODY_POSITIONS * model.bodies.length;
    this.velocities = BODY_VELOCITIES * model.bodies.length;
    this.movingVelocities = BODY_VELOCITIES * energeticBodies(model.bodies);
    this.rows = rows;
    this.holonomicRows = holonomicRows;
    this.rowNames = rowNames;
    this.segments = reserveBodies(plan, this.workspace);
    this.state = stateAt(this.segments.state.address, this.positions, this.velocities);
    this.trial = stateAt(this.segments.trial.address, this.positions, this.velocities);
    this.table = this.segments.table.address;
    this.zero = this.workspace.vector("zeros", this.positions);
    this.#drives = new Drives(model.name, plan.drives);
    this.#updates = new ForceUpdates();
    this.formulas =
      formulasOf(model).length > 0
        ? new formulaLaws.code.FormulaLaws(plan, this.workspace, this.segments)
        : undefined;
    this.#states = new StateRateLoads();
    this.areRowsTimeless = plan.drives.length === 0 && !hasUserRows(model);
    this.areRowsNonlinear = plan.blocks.some(({ block }) => block.user?.areNonlinear);
    this.#hasSensors = model.forces.some(actsOnSensor) || readsQuantities(model);
    this.#hasAngles = model.sensors.some(({ kind }) => kind === SensorKind.ANGLE);
    this.prediction = new AnglePrediction(this);
    this.workspace.whenSealed((arena) => {
      this.kernels = arena.instantiate<typeof this.kernels>(module);
      this.arrays = arraysOf(arena, this.segments, this.positions, this.velocities);
      arena.integers(this.segments.table)[BodyTable.FRAMES_GIVEN] = frames ? 1 : 0;
      this.#drives.attach(this.arrays.data);
      this.#attach = () => {
        if (this.#user || hasFunctions(this.plan.model)) {
          this.#user ??= new userFunctions.code.MechanismFunctions();
          this.#user.attach(this.plan, arena, this.segments, this.arrays);
          this.#updates.attach(this.plan, arena, this.segments, this.#user.reader);
        }
        this.#states.attach(this.plan);
        this.controllers.attach(this.plan, this.arrays.data);
      };
      this.#attach();
      this.#tableFields = arena.integers(this.segments.table);
      this.#allLoads = arena.floats(this.segments.forces);
      this.#rewrite = () => writeLoads(this.plan, this.segments, arena);
    });
  }

  // Names are computed on first use: most systems are examined and dropped.

  get velocityNames(): readonly string[] {
    return velocityNames(this.plan.model);
  }

  get positionNames(): readonly string[] {
    return positionNames(this.plan.model);
  }

  /** Adopts the masses, gravity and forces of a plan that is otherwise equal. */
  adopt(plan: Plan): void {
    this.plan = plan;
    this.#rewrite();
    this.#attach();
    this.formulas?.adopt(plan);
    this.factor.owner = undefined;
    this.factor.isKept = false;
    this.at(this.time);
  }

  load(t: number): void {
    const { state, trial, positions, velocities } = this;
    this.workspace.kernels.copyVector(positions + velocities, state.q, trial.q);
    this.factor.isKept = false;
    this.at(t);
  }

  store(): void {
    const { workspace, positions, velocities, state, trial } = this;
    workspace.kernels.copyVector(positions + velocities, trial.q, state.q);
  }

  at(t: number): void {
    this.time = t;
    this.generation++;
    this.#known = 0;
    if (this.prediction.isFast) this.prediction.at(t);
    this.controllers.drive(t);
  }

  /** The largest angular velocity at the accepted state. */
  angularRate(): number {
    return this.kernels.bodyAngularRate(this.table, this.state.v);
  }

  /** Only velocities have changed: drives and phi stay, and the Jacobian does if it does not depend on them. */
  atVelocity(): void {
    if (this.areRowsNonlinear) this.at(this.time);
    else this.#known &= Want.PHI | Want.JACOBIAN | DRIVES_KNOWN;
  }

  phi(): Address {
    this.require(Want.PHI);
    return this.segments.phi.address;
  }

  phiDot(): Address {
    this.require(ALL_ROWS);
    return this.segments.phiDot.address;
  }

  gamma(): Address {
    this.require(ALL_ROWS);
    return this.segments.gamma.address;
  }

  /** Evaluates the quantities that are not yet known. */
  require(want: number): void {
    const withRates = this.areRowsNonlinear && want & Want.JACOBIAN ? Want.RATES : 0;
    const missing = (want | withRates) & ~this.#known;
    if (missing === 0) return;
    // Frames written for phi suffice for phi; those with velocities suffice for all.
    const framed = (missing & Want.RATES) === 0 ? Want.PHI | FRAME_VELOCITIES : FRAME_VELOCITIES;
    const isPosed = (this.#known & framed) !== 0;
    if ((this.#known & DRIVES_KNOWN) === 0) this.#drives.write(this.time);
    this.#known |= missing | DRIVES_KNOWN | (missing & Want.RATES ? FRAME_VELOCITIES : 0);
    if (!isPosed) this.#frames?.writeFrames((missing & Want.RATES) !== 0);
    const frames = isPosed ? Want.FRAMES_KNOWN : 0;
    this.#check(this.kernels.bodyEvaluate(this.table, missing | frames));
    if (this.#user?.hasRows || this.formulas?.hasRows) this.#evaluateRows(missing);
  }

  #evaluateRows(missing: number): void {
    try {
      const jacobian = (missing & Want.JACOBIAN) !== 0;
      const rates = (missing & Want.RATES) !== 0;
      this.#user?.evaluateRows(this.time, jacobian, rates);
      this.formulas?.evaluateRows(this.time, jacobian, rates);
    } catch (error) {
      throw this.#blownUp() ?? error;
    }
  }

  /** Whether all quantities of {@link require} are known at the trial state. */
  get areRowsKnown(): boolean {
    return (this.#known & ALL_ROWS) === ALL_ROWS;
  }

  /** Records that kernels have evaluated the rows at the trial state. */
  setRowsKnown(): void {
    this.#known = ALL_ROWS | DRIVES_KNOWN | FRAME_VELOCITIES;
  }

  /** The error for a diverged motion; user functions are not to blame. */
  #blownUp(): Error | undefined {
    const { kernels } = this.workspace;
    const size = kernels.largestMagnitude(this.positions + this.velocities, this.trial.q);
    return size < MAX_COORDINATE ? undefined : this.errorFor(Status.NON_FINITE, "");
  }

  /** Evaluates frames with velocities, and sensors if forces use them. */
  requireFrames(): void {
    if (this.#hasSensors) this.require(ALL_ROWS);
    if (this.#known & FRAME_VELOCITIES) return;
    this.#known |= FRAME_VELOCITIES;
    this.#frames?.writeFrames(true);
    this.#check(this.kernels.bodyKinematics(this.table, Want.RATES));
  }

  /** Evaluates all sensors, including those that are only read. */
  requireSensors(want: number): void {
    this.#frames?.writeFrames((want & Want.RATES) !== 0);
    this.#check(this.kernels.bodyKinematics(this.table, want | Want.ALL_SENSORS));
    this.kernels.bodySensors(this.table, want | Want.ALL_SENSORS);
  }

  /** Values and rates of all sensors at the trial state, with their Jacobians on request. */
  sensorRecords(withJacobians: boolean): Float64Array {
    this.requireSensors(Want.PHI | Want.RATES | (withJacobians ? Want.JACOBIAN : 0));
    return this.arrays.sensors;
  }

  forces(): Address {
    if ((this.#known & FORCES_KNOWN) === 0) {
      this.loads(ForcePart.ALL);
      this.#known |= FORCES_KNOWN;
    }
    return this.segments.forces.address;
  }

  /**
   * Lets controllers that are due act at time t at the accepted state. `load` makes it the trial state, first and
   * after outputs have changed. Returns whether they have.
   */
  arrive(t: number, load: () => void): boolean {
    load();
    this.forces();
    const changed = this.#user !== undefined && this.controllers.act(t, this.#user.reader);
    if (changed) load();
    return changed;
  }

  /** Moves the q at an address by a displacement. */
  displace(q: Address, displacement: Address, turn: Turn = Turn.EXPONENTIAL): void {
    this.#check(this.kernels.bodyDisplace(this.table, q, 1, displacement, turn));
  }

  massTimes(x: Address, out: Address): void {
    this.kernels.bodyMassTimes(this.table, x, out);
  }

  /** Evaluates the forces, and writes the derivatives of user functions to their constants. */
  deriveForces(): void {
    this.forces();
    this.#updates.derive(this.time);
  }

  /**
   * Functions of forces for kernels: formulas, and functions of the user. These get the time from the first slot of a
   * segment, and set it to NaN if they fail: evaluated again by {@link loads} they throw. Undefined if the host forbids
   * compilation.
   */
  lawFunctions(spare: Segment, arena: Arena): LawFunctions | undefined {
    const compiled = this.formulas?.kernelFunctions();
    if (this.formulas && !compiled) return undefined;
    const { time } = compiled ?? { time: spare };
    const { forces, userForces } = this.plan.model;
    const clock = arena.floats(time);
    const calling = (act: (t: number) => void) =>
      exported(() => {
        try {
          act(clock[0]!);
        } catch {
          clock[0] = Number.NaN;
        }
      });
    const hasUpdates = forces.some(({ update }) => update !== undefined);
    const laws = hasUpdates ? [calling((t) => this.#updates.run(t))] : [];
    const loads = userForces.map(({ formulas }, index) =>
      formulas ? compiled!.loads[index] : calling((t) => this.#user!.addForce(t, index)),
    );
    const all = [...laws, ...loads];
    if (all.includes(undefined)) return undefined;
    return {
      laws: [...laws, ...(compiled?.laws ?? [])] as CallableFunction[],
      loads: loads as CallableFunction[],
      values: compiled?.values ?? [],
      time,
    };
  }

  /** Adds the loads of user forces, or of one of them. */
  #addUserForces(only?: number): void {
    const { length } = this.plan.model.userForces;
    for (let force = only ?? 0; force < (only === undefined ? length : only + 1); force++) {
      if (!this.formulas?.addForce(force, this.time)) this.#user?.addForce(this.time, force);
    }
  }

  /** Invalidates the forces after constants of laws have changed. */
  forgetForces(): void {
    this.#known &= ~FORCES_KNOWN;
  }

  /** Updates the magnitudes of friction that follows reactions to the trial state. */
  #settle(): void {
    if (this.reactionLoads === undefined || this.#known & FRICTION_KNOWN) return;
    this.#known |= FRICTION_KNOWN;
    this.reactionLoads.settle();
  }

  /** Returns some parts of the forces, written to the address of their sum. */
  loads(parts: number): Address {
    this.#settle();
    const isPushed = this.pushes !== undefined;
    const { states } = this.plan.model;
    const hasUserForces = this.#user?.hasForces === true;
    const hasForces = this.plan.forceList.length > 0 || hasUserForces || states.length > 0;
    if (hasForces || isPushed) this.requireFrames();
    this.#known &= ~FORCES_KNOWN;
    try {
      this.#updates.run(this.time);
      this.formulas?.run(this.time);
      this.kernels.bodyForces(this.table, parts);
      if (hasUserForces && parts & ForcePart.OTHER) this.#addUserForces();
      if (this.#user && states.length > 0 && parts & ForcePart.OTHER) {
        this.#states.add(this.time, this.#user.reader, this.arrays.frames, this.arrays.loads);
      }
      if (parts & ForcePart.WITHOUT_GRAVITY) this.#states.hold(this.arrays.loads);
      if (parts & ForcePart.OTHER) this.pushes?.(this.arrays.frames, this.arrays.loads);
    } catch (error) {
      throw this.#blownUp() ?? error;
    }
    return this.segments.forces.address;
  }

  /**
   * Loads of one force, six values for each body and then those of the ground, and its potential: the kernels receive
   * a table with no other force in it.
   */
  loadsOf(
    list: "forces" | "userForces",
    index: number,
  ): { readonly loads: Float64Array; readonly potential: number } {
    this.#settle();
    this.requireFrames();
    this.#updates.run(this.time);
    this.formulas?.run(this.time);
    this.#known &= ~FORCES_KNOWN;
    const { table, kernels } = this;
    const law = list === "forces" ? index : undefined;
    return withSingleForce(this.#tableFields, law, (leaveBodiesOut) => {
      kernels.bodyForces(table, LAW_PARTS);
      if (law === undefined) this.#addUserForces(index);
      const loads = this.#allLoads.slice();
      // Without bodies in the table nothing has weight.
      leaveBodiesOut();
      return { loads, potential: law === undefined ? 0 : kernels.bodyPotential(table) };
    });
  }

  /**
   * Normalises Euler parameters and continues angles. Throws for a diverged state, so that the previous state remains
   * the last.
   */
  finaliseState(t: number): void {
    const { state, positions, velocities } = this;
    this.factor.isKept = false;
    const { largestMagnitude } = this.workspace.kernels;
    if (!(largestMagnitude(positions + velocities, state.q) < MAX_COORDINATE)) {
      this.load(t);
      throw this.errorFor(Status.NON_FINITE, "");
    }
    this.#check(this.kernels.bodyNormalise(this.table, state.q));
    if (!this.#hasAngles) return;
    this.load(t);
    this.requireSensors(Want.PHI);
    this.prediction.confirm(t);
    this.kernels.bodyContinue(this.table);
  }

  /** Sensor values at the accepted state. */
  sensorValues(t: number): Float64Array {
    this.load(t);
    this.requireSensors(Want.PHI);
    return this.arrays.sensors.filter((_, slot) => slot % Sensor.LENGTH === Sensor.VALUE);
  }

  /** Returns the error for a kernel's status: names the body or the joint. */
  errorFor(status: number, advice: string): Error {
    const { name, time, rowNames, plan, arrays } = this;
    return bodySolveError({ name, time, rowNames, model: plan.model, ...arrays }, status, advice);
  }

  #check(status: number): void {
    if (failed(status)) throw this.errorFor(status, "");
  }
}
