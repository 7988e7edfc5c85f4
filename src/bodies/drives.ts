// Prescribed values and their derivatives, written where the kernels read them. What the user does not
// give is found by central differences of fourth order, with steps that suit the second derivative.

import { SimulationError } from "../errors.js";
import type { Drive } from "../model/description.js";
import type { PlannedDrive } from "./lists.js";

/** Step in time: truncation h^4 / 90 of the sixth derivative against rounding eps / h^2. */
const STEP = 2 ** -10;

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
      const rate = drive.rate ? drive.rate(t) : rateOf(drive.value, t);
      const acceleration = accelerationOf(drive, t);
      if (!Number.isFinite(value + rate + acceleration)) throw this.#failure(name, value, t);
      this.#data[slot] = value;
      this.#data[slot + 1] = rate;
      this.#data[slot + 2] = acceleration;
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
  return rate ? rateOf(rate, t) : secondOf(value, t);
}

/** f'(t) = (f(t - 2h) - 8 f(t - h) + 8 f(t + h) - f(t + 2h)) / 12h + O(h^4). */
function rateOf(f: (t: number) => number, t: number): number {
  const near = f(t + STEP) - f(t - STEP);
  const far = f(t + 2 * STEP) - f(t - 2 * STEP);
  return (8 * near - far) / (12 * STEP);
}

/** f''(t) = (-f(t - 2h) + 16 f(t - h) - 30 f(t) + 16 f(t + h) - f(t + 2h)) / 12 h^2 + O(h^4). */
function secondOf(f: (t: number) => number, t: number): number {
  const h = 4 * STEP;
  const near = f(t + h) + f(t - h);
  const far = f(t + 2 * h) + f(t - 2 * h);
  return (16 * near - far - 30 * f(t)) / (12 * h * h);
}
