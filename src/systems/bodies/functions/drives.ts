// Prescribed values and their derivatives, written where the kernels read them. Derivatives the user does not give are
// computed by finite differences.

import { Prescribed } from "../../../../assembly/layout-bodies.js";
import type { Drive } from "../../../describe/model/model-data.js";
import { rateOf, secondRateOf } from "../../../ground/algebra/time-differences.js";
import { SimulationError } from "../../../ground/errors.js";
import type { PlannedDrive } from "../plan/table-builder.js";

/** Writes value, rate and acceleration of each drive at a time. */
export class Drives {
  readonly #drives: readonly PlannedDrive[];
  readonly #name: string;
  #data = new Float64Array(0);

  constructor(name: string, drives: readonly PlannedDrive[]) {
    this.#name = name;
    this.#drives = drives;
  }

  /** Where the constants of the mechanism are. */
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

  /** A function undefined around t has no differences; the error explains them, as the user did not ask for any. */
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
