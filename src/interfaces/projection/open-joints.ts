import { SimulationError } from "../../base/errors.js";
import type { System } from "../index.js";

/**
 * Largest error of a joint that a step may leave, in metres or radians. Steps whose corrections converge leave
 * rounding errors, so a thousandth is a separated joint. Rows of equations have their own units, and no such bound.
 */
const MAX_JOINT_ERROR = 1e-3;

/**
 * Joint errors above this bound, in metres or radians, belong to a motion that diverged, not to a failed correction.
 */
const DIVERGED_JOINT_ERROR = 1e6;

/** Rejects steps that leave a joint open because no correction closes it. */
export class OpenJoints {
  readonly #system: System;
  #memory!: WebAssembly.Memory;

  constructor(system: System) {
    this.#system = system;
    system.workspace.whenSealed(({ memory }) => {
      this.#memory = memory;
    });
  }

  /** Returns whether an error is that of a separated joint. */
  areOpen(error: number): boolean {
    return error > MAX_JOINT_ERROR && this.#system.bodies !== undefined;
  }

  /**
   * Throws if the largest error at the trial state, at time t, is that of a separated joint. NaN was reported by a
   * solver before.
   */
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
    // The row of a rotor is linear: it stays open only if the coordinates have lost all digits.
    if (error > DIVERGED_JOINT_ERROR || constraints.rowNames[row]!.endsWith(": rotor")) {
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
      `${name}: "${constraints.rowNames[row]}" is open by ${size} at t = ${t}, and no correction closes it: the pose ` +
        "is singular, the joints of a loop contradict each other there, or the step is too long. Start away from the singular " +
        "pose, try a shorter step, or solve, which controls its error",
    );
  }
}
