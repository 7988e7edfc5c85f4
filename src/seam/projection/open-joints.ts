import { SimulationError } from "../../ground/errors.js";
import type { System } from "../index.js";

/**
 * Largest error of a joint that a step may leave, in metres or radians. A thousandth is a joint that comes apart: steps whose
 * corrections converge leave rounding. Rows of equations have units of their own, and no such bound.
 */
const APART = 1e-3;

/** Errors of joints beyond this are those of a motion that diverged: no correction is meant to close them. */
const DIVERGED = 1e6;

/** Refuses steps that leave a joint open, where no correction closes it. */
export class OpenJoints {
  readonly #system: System;
  #memory!: WebAssembly.Memory;

  constructor(system: System) {
    this.#system = system;
    system.workspace.whenSealed(({ memory }) => {
      this.#memory = memory;
    });
  }

  /** Whether an error is that of a joint that comes apart. */
  areOpen(error: number): boolean {
    return error > APART && this.#system.bodies !== undefined;
  }

  /** `error` is the largest at the trial state, at time t. NaN has been named by a solver before. */
  refuse(t: number, error: number): void {
    if (this.areOpen(error)) throw this.#error(t);
  }

  #error(t: number): SimulationError {
    const { constraints, name } = this.#system;
    const phi = new Float64Array(this.#memory.buffer, constraints.phi(), constraints.rows);
    const row = phi.reduce(
      (most, value, i) => (Math.abs(value) > Math.abs(phi[most]!) ? i : most),
      0,
    );
    const error = Math.abs(phi[row]!);
    const size = error.toPrecision(2);
    // The row of a rotor is linear: only numbers that have lost all digits leave it open.
    if (error > DIVERGED || constraints.rowNames[row]!.endsWith(": rotor")) {
      return new SimulationError(
        "STEP",
        t,
        `${name}: the motion diverged: "${constraints.rowNames[row]}" is open by ${size} at t = ${t}. Try a shorter ` +
          `step${this.#system.bodies?.stiffAdvice ?? ""}`,
      );
    }
    return new SimulationError(
      "ASSEMBLY",
      t,
      `${name}: "${constraints.rowNames[row]}" comes apart by ${size} at t = ${t}, and no correction closes it: the pose ` +
        "is singular, the joints of a loop contradict each other there, or the step is too long. Start beside the singular " +
        "pose, try a shorter step, or solve, which controls its error",
    );
  }
}
