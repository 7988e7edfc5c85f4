// Prescribed values and their derivatives, written where the kernels read them. What the user does not
// give is found by differences.

import { SimulationError } from "../errors.js";
import type { Drive } from "../model/description.js";
import { rateOf, secondRateOf } from "./differences.js";
import type { PlannedDrive } from "./lists.js";

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
    for (const { slot, drive, name } of this.#drives) {
      const value = drive.value(t);
      const [rate, acceleration] = this.#derivatives(name, drive, t);
      if (!Number.isFinite(value + rate + acceleration)) throw this.#failure(name, value, t);
      this.#data[slot] = value;
      this.#data[slot + 1] = rate;
      this.#data[slot + 2] = acceleration;
    }
  }

  /** A function that is not defined around t has no differences, and the user does not know of them. */
  #derivatives(row: string, drive: Drive, t: number): [number, number] {
    if (drive.rate && drive.acceleration) return [drive.rate(t), drive.acceleration(t)];
    try {
      return [drive.rate ? drive.rate(t) : rateOf(drive.value, t), accelerationOf(drive, t)];
    } catch (error) {
      throw new SimulationError(
        "EVALUATION",
        t,
        `${this.#name}: derivatives of the drive of "${row}" at t = ${t} are found by differences, and ` +
          `that failed (${(error as Error).message}): give its rate and acceleration as well`,
      );
    }
  }

  #failure(row: string, value: number, t: number): SimulationError {
    const what = Number.isFinite(value) ? "has a derivative that is not a number" : `gave ${value}`;
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
