// Angles are known up to whole revolutions; these functions determine the revolution at which each starts.

import {
  AngleData,
  CoupleData,
  Sensor,
  SensorEntry,
  SensorKind,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { SimulationError } from "../../../base/errors.js";
import type { UnwrappedAngles } from "../../../interfaces/index.js";
import { couplesSensors } from "../../../model/kinds.js";
import { GROUND, type RowData } from "../../../model/model-data.js";
import { controllerNames, controllerNumbers } from "../plan/carriers.js";
import type { Constants, Plan } from "../plan/plan.js";
import { stiffAdvice } from "./solve-errors.js";

/**
 * A driven angle starts on the revolution prescribed by its drive. Counted from zero it could never become, say, 7:
 * the equivalent angle nearest to zero is 7 - 2 pi.
 */
export function startAnglesAtDrives(plan: Plan, data: Float64Array, t: number): void {
  // The first row of each sensor.
  const prescribed = new Map<number, RowData>();
  for (const { blocks } of plan.model.joints) {
    for (const { rows } of blocks) {
      for (const row of rows) {
        if (row.b < 0 && couplesSensors(row) && !prescribed.has(row.a)) prescribed.set(row.a, row);
      }
    }
  }
  if (prescribed.size === 0) return;
  for (const [sensor, slot] of anglesOf(plan)) {
    const row = prescribed.get(sensor);
    const value = row?.prescribed;
    if (row === undefined || value === undefined) continue;
    const wanted = typeof value === "number" ? value : value.value(t);
    data[slot] = wanted / (row.constants[CoupleData.FACTOR_A] as number);
  }
}

/** Simulations continue from the angles of the assembled initial state. */
export function keepAngles(plan: Plan, data: Float64Array): void {
  for (const [, slot] of anglesOf(plan)) plan.data[slot] = data[slot] as number;
}

/** Largest rotation in a step, in radians: beyond half a revolution the count would be wrong. */
const MAX_STEP_ROTATION_RAD = 2.4;
/** Rotation in a step, in radians, that only diverged mechanisms exceed. */
const DIVERGED_ROTATION_RAD = 1000;

/** Largest rotation of bodies in a step. Joints between two of them can rotate twice as fast. */
export function turnOfStep(plan: Plan): number {
  const { sensors, markers } = plan.model;
  const measured = anglesOf(plan).map(([sensor]) => sensors[sensor]);
  if (measured.length === 0) return Number.POSITIVE_INFINITY;
  const moves = (marker = -1) => markers[marker]?.body !== GROUND;
  return measured.some((sensor) => moves(sensor?.a) && moves(sensor?.b))
    ? MAX_STEP_ROTATION_RAD / 2
    : MAX_STEP_ROTATION_RAD;
}

/**
 * Slots of the values that belong to a state: the reference angles of sensors, coupling offsets, and the data of
 * controllers.
 */
export function continuationSlots(plan: Constants): number[] {
  return [
    ...angleSlots(plan),
    ...plan.couplings.map(({ slot }) => slot),
    ...controllerSlotsOf(plan),
  ];
}

function controllerSlotsOf({ model, controllerSlots }: Constants): number[] {
  return model.controllers.flatMap((controller, i) =>
    controllerNumbers(controller).map((_, k) => controllerSlots[i]! + k),
  );
}

/** Number of angles among these values, which come first. */
export function angleCount(plan: Constants): number {
  return angleSlots(plan).length;
}

/** Copies the controller data of one mechanism to those of another, by name. */
export function carryControllers(from: Constants, to: Constants): void {
  const [names, slots] = [controllerNames(from.model), controllerSlotsOf(from)];
  const own = controllerSlotsOf(to);
  for (const [i, name] of controllerNames(to.model).entries()) {
    const known = names.indexOf(name);
    if (known >= 0) to.data[own[i]!] = from.data[slots[known]!]!;
  }
}

function angleSlots(plan: Constants): number[] {
  return anglesOf(plan).map(([, slot]) => slot);
}

/** Unwrapped angles of a system, and coupling offsets: values among its constants. */
export function unwrappedAnglesOf(plan: Plan, data: () => Float64Array): UnwrappedAngles {
  const slots = continuationSlots(plan);
  return {
    count: slots.length,
    names: [
      ...ownersOf(plan),
      ...plan.couplings.map(({ name }) => name),
      ...controllerNames(plan.model),
    ],
    read(out) {
      const values = data();
      for (let i = 0; i < slots.length; i++) out[i] = values[slots[i] as number] as number;
    },
    write(from) {
      const values = data();
      for (let i = 0; i < slots.length; i++) values[slots[i] as number] = from[i] as number;
    },
  };
}

/** Names of the joints, for each angle; a second angle of a joint is marked as such. */
function ownersOf(plan: Constants): string[] {
  return angleNames(plan).map((name) => name.replace(/: angle 1$/, ""));
}

/** Copies the reference angles of one mechanism to those of another, by name. */
export function carryAngles(from: Constants, to: Constants): void {
  const own = angleNames(to);
  const slots = angleSlots(from);
  const known = new Map(angleNames(from).map((name, i) => [name, slots[i]!]));
  for (const [i, slot] of angleSlots(to).entries()) {
    const same = known.get(own[i]!);
    if (same !== undefined) to.data[slot] = from.data[same] as number;
  }
}

/** Names of the angles: the joint, and which of its angles. */
function angleNames(plan: Constants): string[] {
  const counts = new Map<string, number>();
  return anglesOf(plan).map(([sensor]) => {
    const owner = plan.model.sensors[sensor]?.owner ?? "";
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return `${owner}: angle ${count}`;
  });
}

/** Sensors of angles, each with the slot of its reference angle. */
export function anglesOf(plan: Constants): readonly (readonly [number, number])[] {
  const found = ANGLES.get(plan.sensorList);
  if (found) return found;
  const angles: [number, number][] = [];
  for (const [sensor, { kind }] of plan.model.sensors.entries()) {
    if (kind !== SensorKind.ANGLE) continue;
    angles.push([sensor, plan.sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA]!]);
  }
  ANGLES.set(plan.sensorList, angles);
  return angles;
}

/** Angles by the sensors of a plan, which plans with other values share. */
const ANGLES = new WeakMap<readonly number[], readonly (readonly [number, number])[]>();

/** Bodies that rotate by less than this in a step, in radians, leave no doubt about revolutions. */
export const SLOW_ROTATION_RAD = 1;
/** Largest deviation of a rotation from the mean of the rates at both ends: steps with a larger error are invalid. */
const MAX_PREDICTION_ERROR_RAD = 0.5;
/**
 * Largest deviation, as a fraction of the rotation, if angles follow from orientations that are integrated in fixed
 * steps, so that no error control limits their errors. With the fourth-order Runge-Kutta method 2 rad are off by 8e-3,
 * and 50 rad may be off by any equivalent angle. Adaptive steps, and angles that a row prescribes, are accurate at any
 * step length.
 */
const MAX_FIXED_STEP_ERROR = 1e-9;

/** Interface of a prediction to its system. */
interface Predicted {
  readonly plan: Plan;
  readonly arrays: { readonly data: Float64Array; readonly sensors: Float64Array };
  /** Makes the accepted state the trial state. */
  load(t: number): void;
  /** Evaluates all sensors at the trial state. */
  requireSensors(want: number): void;
  /** The largest angular velocity of a body at the accepted state. */
  angularRate(): number;
  /** Returns an upper bound that is cheaper to compute. */
  angularBound?(): number;
}

/**
 * Revolutions of angles that rotate far in one step. Up to a stage they rotate by their rate at the beginning of the
 * step, over the whole step by the mean of their rates at both ends: theta' h + O(h^3). If these two disagree about
 * the revolution, or rates change so much that the mean is inaccurate, the step is rejected. Rejected: the revolution
 * nearest to the angle before the step, which silently loses one beyond half a revolution.
 */
export class AnglePrediction {
  readonly #system: Predicted;
  readonly #sensors: readonly number[];
  readonly #slots: readonly number[];
  /** Rates at the beginning of the step. */
  readonly #rates: Float64Array;
  /** Whether steps are fixed, and orientations are integrated. */
  isStrict = false;
  #begin = 0;
  #h = 0;
  /** Whether angles are predicted in the present step: only then the time of the trial state matters. */
  isFast = false;

  constructor(system: Predicted, isPredicted: (sensor: number) => boolean = () => true) {
    const angles = anglesOf(system.plan).filter(([sensor]) => isPredicted(sensor));
    this.#system = system;
    this.#sensors = angles.map(([sensor]) => sensor);
    this.#slots = angles.map(([, slot]) => slot);
    this.#rates = new Float64Array(angles.length);
  }

  /** Begins a step of length h at the accepted state. Returns whether its angles are predicted. */
  begin(t: number, h: number): boolean {
    this.#h = h;
    if (this.isFast) this.#write(0);
    this.isFast = this.#slots.length > 0 && h !== 0 && this.#turnsFar(h);
    if (!this.isFast) return false;
    this.#system.load(t);
    this.#system.requireSensors(Want.RATES);
    const { sensors } = this.#system.arrays;
    for (let i = 0; i < this.#slots.length; i++) {
      this.#rates[i] = sensors[Sensor.LENGTH * this.#sensors[i]! + Sensor.RATE]!;
    }
    this.#begin = t;
    return true;
  }

  /** Sets the time of the trial state, if {@link isFast}. */
  at(t: number): void {
    this.#write(t - this.#begin);
  }

  /** Throws if sensors, which determine the angles at the end of a step, may be on another revolution. */
  confirm(t: number): void {
    const h = this.#h;
    const wasFast = this.isFast;
    this.#h = 0;
    this.isFast = false;
    if (this.#slots.length === 0 || h === 0) return;
    if (!wasFast && !this.#turnsFar(h)) return;
    this.#system.requireSensors(Want.PHI | Want.RATES);
    const { sensors, data } = this.#system.arrays;
    for (let i = 0; i < this.#slots.length; i++) {
      const sensor = Sensor.LENGTH * this.#sensors[i]!;
      const before = wasFast ? this.#rates[i]! : 0;
      const after = sensors[sensor + Sensor.RATE]!;
      const turned = sensors[sensor + Sensor.VALUE]! - data[this.#slots[i]! + AngleData.ACCEPTED]!;
      const mismatch = Math.abs(turned - (h * (before + after)) / 2);
      const change = Math.abs(h * (after - before)) / 2;
      // Slow rates are not recorded: up to a radian.
      const allowed = this.isStrict
        ? MAX_FIXED_STEP_ERROR * Math.max(1, Math.abs(turned))
        : MAX_PREDICTION_ERROR_RAD;
      const isClear = wasFast
        ? mismatch <= allowed && change <= MAX_STEP_ROTATION_RAD
        : mismatch <= change + SLOW_ROTATION_RAD && change <= MAX_STEP_ROTATION_RAD / 2;
      if (!isClear) {
        this.#write(0);
        const isLost = !(mismatch <= MAX_PREDICTION_ERROR_RAD && change <= MAX_STEP_ROTATION_RAD);
        this.#refuse(i, t, h, Math.max(Math.abs(before), Math.abs(after)), isLost);
      }
    }
  }

  /**
   * Returns whether a body may rotate by more than {@link SLOW_ROTATION_RAD} in a step of length h from or to the accepted
   * state.
   */
  #turnsFar(h: number): boolean {
    const system = this.#system;
    const length = Math.abs(h);
    if (system.angularBound && system.angularBound() * length <= SLOW_ROTATION_RAD) return false;
    return system.angularRate() * length > SLOW_ROTATION_RAD;
  }

  #write(time: number): void {
    const { data } = this.#system.arrays;
    for (let i = 0; i < this.#slots.length; i++) {
      data[this.#slots[i]! + AngleData.CHANGE] = time * this.#rates[i]!;
    }
  }

  #refuse(index: number, t: number, h: number, fastest: number, isLost: boolean): never {
    const { model } = this.#system.plan;
    const joint = model.sensors[this.#sensors[index]!]?.owner;
    const rotation = fastest * Math.abs(h);
    if (!(rotation <= DIVERGED_ROTATION_RAD)) {
      const which = `the velocity "${joint} angle" is ${fastest}`;
      const advice = `the motion diverged. Try a shorter step${stiffAdvice(model)}`;
      throw new SimulationError("STEP", t, `${model.name}: ${which} at t = ${t}: ${advice}`);
    }
    const what = isLost
      ? "the revolution at its end cannot be determined"
      : "its angle does not follow its rate: the step is too long for the orientations that are integrated";
    throw new SimulationError(
      "STEP",
      t,
      `${model.name}: the joint "${joint}" turns by about ${rotation.toPrecision(3)} rad in a step of ${h} s ` +
        `to t = ${t}, and ${what}. Try steps below ` +
        `${(SLOW_ROTATION_RAD / fastest).toPrecision(2)} s, or relative coordinates, where angles of tree joints are coordinates`,
    );
  }
}
