import type { Method } from "../contracts.js";
import { NodriftError } from "../errors.js";

export interface SimulationOptions {
  readonly method: Method;
  /** Length of a step. */
  readonly step: number;
  /** Positions at the start. */
  readonly q: ArrayLike<number>;
  /** Velocities at the start. Default: rest. */
  readonly v?: ArrayLike<number>;
  /** Time at the start. Default: 0. */
  readonly time?: number;
  /**
   * "assemble" moves the start to the nearest state that satisfies the constraints, "asGiven" takes it as
   * it is. Default: "assemble".
   */
  readonly start?: "assemble" | "asGiven";
  /**
   * Names of coordinates that stay exactly as given, in q and v, while the others are assembled. Of systems given by
   * equations; bodies are held by `compile`.
   */
  readonly hold?: readonly string[];
}

/** Everything a simulation knows; made by {@link Simulation.save}. */
export interface Snapshot {
  /** System and method it is of. */
  readonly of: string;
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly origin: number;
  readonly steps: number;
  readonly step: number;
}

/** A finite number, or an error that names it. */
export function checked(what: string, value: number): number {
  if (!Number.isFinite(value)) throw new NodriftError("STEP", `${what} is ${value}`);
  return value;
}

/** A positive step, or an error. */
export function checkedStep(step: number): number {
  if (!(Number.isFinite(step) && step > 0)) {
    throw new NodriftError("STEP", `step is ${step}; give a positive number of seconds`);
  }
  return step;
}

/** Refuses positions or velocities of the wrong length, or not finite. */
export function checkState(what: string, given: ArrayLike<number>, names: readonly string[]): void {
  if (given?.length !== names.length) {
    throw new NodriftError(
      "STEP",
      `${what} has ${given?.length ?? "no"} numbers; the system has ${names.length} coordinates`,
    );
  }
  for (let i = 0; i < names.length; i++) {
    if (!Number.isFinite(given[i])) {
      throw new NodriftError("STEP", `${what} of "${names[i]}" is ${given[i]}`);
    }
  }
}
