// Angles are known up to whole revolutions; these functions determine the revolution on which each starts.

import { CoupleData, SensorEntry, SensorKind } from "../../../../assembly/layout-bodies.js";
import { couplesSensors } from "../../../describe/model/kinds.js";
import { GROUND } from "../../../describe/model/model-data.js";
import type { Turns } from "../../../seam/index.js";
import { controllerNames, controllerNumbers } from "../plan/controller-slots.js";
import type { Constants } from "../plan/coupling-offsets.js";
import type { Plan } from "../plan/plan.js";

/**
 * A driven angle starts on the revolution given by its drive. Counted from zero it could never become, say,
 * 7: the nearest to zero of all angles that look like it is 7 - 2 pi.
 */
export function startAnglesAtDrives(plan: Plan, data: Float64Array, t: number): void {
  const prescribed = plan.model.joints.flatMap(({ blocks }) =>
    blocks.flatMap(({ rows }) => rows.filter(({ b }) => b < 0)),
  );
  for (const [sensor, slot] of angles(plan)) {
    const row = prescribed.find((each) => couplesSensors(each) && each.a === sensor);
    const value = row?.prescribed;
    if (row === undefined || value === undefined) continue;
    const wanted = typeof value === "number" ? value : value.value(t);
    data[slot] = wanted / (row.constants[CoupleData.FACTOR_A] as number);
  }
}

/** Simulations continue counting from the angles of the assembled start. */
export function keepAngles(plan: Plan, data: Float64Array): void {
  for (const [, slot] of angles(plan)) plan.data[slot] = data[slot] as number;
}

/** By how much an angle may turn in a step: beyond a half turn the revolution would be counted wrongly. */
const HALF_TURN = 2.4;

/** By how much bodies may turn in a step. Joints between two of them can turn twice as fast. */
export function turnOfStep(plan: Plan): number {
  const { sensors, markers } = plan.model;
  const measured = angles(plan).map(([sensor]) => sensors[sensor]);
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
  return angles(plan).map(([, slot]) => slot);
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
  const owners = angles(plan).map(([sensor]) => plan.model.sensors[sensor]?.owner ?? "");
  return owners.map((owner, i) => {
    const before = owners.slice(0, i).filter((other) => other === owner).length;
    return `${owner}: angle ${before + 1}`;
  });
}

/** Sensors of angles, each with the slot of the angle that it is counted from. */
function angles({ model, sensorList }: Constants): [number, number][] {
  return model.sensors.flatMap(({ kind }, sensor) => {
    if (kind !== SensorKind.ANGLE) return [];
    return [[sensor, sensorList[SensorEntry.LENGTH * sensor + SensorEntry.DATA] as number]];
  });
}
