// Angles are known up to whole revolutions; these functions determine the revolution on which each starts.

import {
  AngleData,
  CoupleData,
  Sensor,
  SensorEntry,
  SensorKind,
  Want,
} from "../../../../assembly/layout-bodies.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import { GROUND } from "../../../describe/model/model-data.js";
import { SimulationError } from "../../../ground/errors.js";
import type { Turns } from "../../../seam/index.js";
import { controllerNames, controllerNumbers } from "../plan/controller-slots.js";
import type { Constants } from "../plan/coupling-offsets.js";
import type { Plan } from "../plan/plan.js";
import { stiffAdvice } from "./solve-errors.js";

/**
 * A driven angle starts on the revolution given by its drive. Counted from zero it could never become, say,
 * 7: the nearest to zero of all angles that look like it is 7 - 2 pi.
 */
export function startAnglesAtDrives(plan: Plan, data: Float64Array, t: number): void {
  const prescribed = plan.model.joints.flatMap(({ blocks }) =>
    blocks.flatMap(({ rows }) => rows.filter(({ b }) => b < 0)),
  );
  for (const [sensor, slot] of anglesOf(plan)) {
    const row = prescribed.find((each) => couplesSensors(each) && each.a === sensor);
    const value = row?.prescribed;
    if (row === undefined || value === undefined) continue;
    const wanted = typeof value === "number" ? value : value.value(t);
    data[slot] = wanted / (row.constants[CoupleData.FACTOR_A] as number);
  }
}

/** Simulations continue counting from the angles of the assembled start. */
export function keepAngles(plan: Plan, data: Float64Array): void {
  for (const [, slot] of anglesOf(plan)) plan.data[slot] = data[slot] as number;
}

/** By how much an angle may turn in a step: beyond a half turn the revolution would be counted wrongly. */
const HALF_TURN = 2.4;
/** Radians in a step by which no mechanism turns that has not diverged. */
const DIVERGED = 1000;

/** By how much bodies may turn in a step. Joints between two of them can turn twice as fast. */
export function turnOfStep(plan: Plan): number {
  const { sensors, markers } = plan.model;
  const measured = anglesOf(plan).map(([sensor]) => sensors[sensor]);
  if (measured.length === 0) return Number.POSITIVE_INFINITY;
  const moves = (marker = -1) => markers[marker]?.body !== GROUND;
  return measured.some((sensor) => moves(sensor?.a) && moves(sensor?.b))
    ? HALF_TURN / 2
    : HALF_TURN;
}

/** Slots of what belongs to a state: the angles that sensors count from, what couplings hold, and what controllers do. */
export function turnSlots(plan: Constants): number[] {
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

/** How many of the turns are angles: the first of them. */
export function angleCount(plan: Constants): number {
  return angleSlots(plan).length;
}

/** Writes what the controllers of one mechanism hold into those of another that has them, by name. */
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

/** On which turn each angle of a system is, and what its couplings hold: numbers among its constants. */
export function turnsOf(plan: Plan, data: () => Float64Array): Turns {
  const slots = turnSlots(plan);
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

/** Joints by name, for each angle; the second angle of a joint says so. */
function ownersOf(plan: Constants): string[] {
  return angleNames(plan).map((name) => name.replace(/: angle 1$/, ""));
}

/** Writes the angles one mechanism counts from into those of another that has them, by name. */
export function carryAngles(from: Constants, to: Constants): void {
  const [names, own] = [angleNames(from), angleNames(to)];
  const slots = angleSlots(from);
  for (const [i, slot] of angleSlots(to).entries()) {
    const known = names.indexOf(own[i] as string);
    if (known >= 0) to.data[slot] = from.data[slots[known] as number] as number;
  }
}

/** Names of the angles: the joint, and which of its angles. */
function angleNames(plan: Constants): string[] {
  const owners = anglesOf(plan).map(([sensor]) => plan.model.sensors[sensor]?.owner ?? "");
  return owners.map((owner, i) => {
    const before = owners.slice(0, i).filter((other) => other === owner).length;
    return `${owner}: angle ${before + 1}`;
  });
}

/** Sensors of angles, each with the slot of the angle that it is counted from. */
export function anglesOf({ model, sensorList }: Constants): [number, number][] {
  return model.sensors.flatMap(({ kind }, sensor) => {
    if (kind !== SensorKind.ANGLE) return [];
    return [[sensor, sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA] as number]];
  });
}

/** Bodies that turn by less than this in a step, in radians, leave no doubt about revolutions. */
export const SLOW_TURN = 1;
/** By how much an angle may turn otherwise than its rate at both ends says on average: a step that errs by more is none. */
const MISMATCH = 0.5;
/**
 * The same, as a part of the turn, where angles follow from orientations that are integrated in fixed steps, and nothing else says how large their
 * errors are: by Runge-Kutta's method of fourth order 2 rad are off by 8e-3, and 50 rad may be off by anything that looks like them. Steps
 * whose error is controlled, and angles that a row prescribes, are as exact as they are at any length.
 */
const PHASE = 1e-9;

/** What a prediction needs to know of the system whose angles it predicts. */
interface Predicted {
  readonly plan: Plan;
  readonly arrays: { readonly data: Float64Array; readonly sensors: Float64Array };
  /** Makes the accepted state the trial state. */
  load(t: number): void;
  /** Evaluates all sensors at the trial state. */
  requireSensors(want: number): void;
  /** The largest angular velocity of a body at the accepted state. */
  angularRate(): number;
  /** A bound of it that is found more easily. */
  angularBound?(): number;
}

/**
 * On which revolution angles are that turn far in one step. Up to a stage they turn by their rate where the step begins,
 * over all of it by the mean of their rates at both ends: theta' h + O(h^3). Where these two disagree about the
 * revolution, or rates change so much that the mean says little, the step is refused. Rejected: the revolution nearest to
 * the angle before the step, which loses one without a word beyond half a revolution.
 */
export class AnglePrediction {
  readonly #system: Predicted;
  readonly #sensors: readonly number[];
  readonly #slots: readonly number[];
  /** Rates where the step begins. */
  readonly #rates: Float64Array;
  /** Steps are of a fixed length, and orientations are what is integrated. */
  isStrict = false;
  #begin = 0;
  #h = 0;
  #isFast = false;

  constructor(system: Predicted, isPredicted: (sensor: number) => boolean = () => true) {
    const angles = anglesOf(system.plan).filter(([sensor]) => isPredicted(sensor));
    this.#system = system;
    this.#sensors = angles.map(([sensor]) => sensor);
    this.#slots = angles.map(([, slot]) => slot);
    this.#rates = new Float64Array(angles.length);
  }

  /** A step of length h begins at the accepted state. Returns whether its angles are predicted. */
  begin(t: number, h: number): boolean {
    this.#h = h;
    if (this.#isFast) this.#write(0);
    this.#isFast = this.#slots.length > 0 && h !== 0 && this.#turnsFar(h);
    if (!this.#isFast) return false;
    this.#system.load(t);
    this.#system.requireSensors(Want.RATES);
    const { sensors } = this.#system.arrays;
    for (let i = 0; i < this.#slots.length; i++) {
      this.#rates[i] = sensors[Sensor.LENGTH * this.#sensors[i]! + Sensor.RATE]!;
    }
    this.#begin = t;
    return true;
  }

  /** The trial state is at time t. */
  at(t: number): void {
    if (this.#isFast) this.#write(t - this.#begin);
  }

  /** Throws where sensors, which say the angles of a step's end, may be on another revolution. */
  confirm(t: number): void {
    const h = this.#h;
    const wasFast = this.#isFast;
    this.#h = 0;
    this.#isFast = false;
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
      // Slow rates are not known: up to a radian.
      const allowed = this.isStrict ? PHASE * Math.max(1, Math.abs(turned)) : MISMATCH;
      const isClear = wasFast
        ? mismatch <= allowed && change <= HALF_TURN
        : mismatch <= change + SLOW_TURN && change <= HALF_TURN / 2;
      if (!isClear) {
        this.#write(0);
        const isLost = !(mismatch <= MISMATCH && change <= HALF_TURN);
        this.#refuse(i, t, h, Math.max(Math.abs(before), Math.abs(after)), isLost);
      }
    }
  }

  /** Whether a body may turn by more than {@link SLOW_TURN} in a step of length h from or to the accepted state. */
  #turnsFar(h: number): boolean {
    const system = this.#system;
    const length = Math.abs(h);
    if (system.angularBound && system.angularBound() * length <= SLOW_TURN) return false;
    return system.angularRate() * length > SLOW_TURN;
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
    const turns = fastest * Math.abs(h);
    if (!(turns <= DIVERGED)) {
      const which = `the velocity "${joint} angle" is ${fastest}`;
      const advice = `the motion diverged. Try a shorter step${stiffAdvice(model)}`;
      throw new SimulationError("STEP", t, `${model.name}: ${which} at t = ${t}: ${advice}`);
    }
    const what = isLost
      ? "on which revolution it ends cannot be told"
      : "its angle does not follow its rate: the step is too long for the orientations that are integrated";
    throw new SimulationError(
      "STEP",
      t,
      `${model.name}: the joint "${joint}" turns by about ${turns.toPrecision(3)} rad in a step of ${h} s ` +
        `to t = ${t}, and ${what}. Try steps below ` +
        `${(SLOW_TURN / fastest).toPrecision(2)} s, or relative coordinates, where joints of the tree count their revolutions themselves`,
    );
  }
}
