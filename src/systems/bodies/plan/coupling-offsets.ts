// A coupling keeps its sum of angles and displacements at the value at the time when it begins to act.

import { CoupleData, Prescribed } from "../../../../assembly/layout-bodies.js";
import type { Plan } from "./plan.js";

/** Slot of the factors of a coupling's sensors, in order. */
const FACTORS = Prescribed.LENGTH + CoupleData.FACTOR_A;

/** A plan with its constants, or with the constants in the memory of a system. */
export type Constants = Omit<Plan, "data"> & { readonly data: number[] | Float64Array };

/** A system whose sensors can be read. */
interface Sensing {
  readonly plan: Plan;
  readonly arrays: { readonly data: Float64Array };
  sensorValues(t: number): Float64Array;
}

/** Sets the offset of each coupling from the sensor values at the accepted state. */
export function holdCouplings(system: Sensing, t: number): void {
  const { couplings, data } = system.plan;
  if (couplings.length === 0) return;
  const values = system.sensorValues(t);
  for (const { slot, sensors } of couplings) {
    system.arrays.data[slot + Prescribed.VALUE] = sensors.reduce(
      (sum, sensor, i) => sum + (data[slot + FACTORS + i] as number) * (values[sensor] as number),
      0,
    );
  }
}

/** Copies coupling offsets by name from another mechanism, except those with other factors. */
export function carryCouplings(from: Constants, to: Constants): void {
  for (const { slot, name, sensors } of to.couplings) {
    const held = from.couplings.find((each) => each.name === name);
    if (held === undefined) continue;
    const isSame = sensors.every(
      (_, i) => from.data[held.slot + FACTORS + i] === to.data[slot + FACTORS + i],
    );
    if (isSame) to.data[slot] = from.data[held.slot] as number;
  }
}
