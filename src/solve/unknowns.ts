import type { Ode, System } from "../contracts.js";
import type { Address, Arena } from "../memory/arena.js";
import type { Tolerance } from "./options.js";

/** What an integrator solves for: q and v of the state, or others. Errors are measured in them. */
export class Unknowns {
  /** They are the state itself. */
  readonly areState: boolean;
  /** At the beginning of the step. */
  readonly before: Address;
  tolerance: Tolerance;
  readonly #system: System;
  readonly #y: Address;
  readonly #dimension: number;
  /** So many of them are positions. */
  readonly #positions: number;

  /** `before`: where the state at the beginning of a step is kept. */
  constructor(system: System, ode: Ode | undefined, before: Address, tolerance: Tolerance) {
    const { workspace, positions, velocities, state } = system;
    const size = positions + velocities;
    this.#system = system;
    this.tolerance = tolerance;
    this.#y = ode?.y ?? state;
    this.#dimension = Math.min(ode?.dimension ?? size, size);
    this.#positions = ode?.positions ?? positions;
    this.areState = this.#y === state;
    this.before = this.areState
      ? before
      : workspace.vector("unknowns before an attempt", this.#dimension);
  }

  /** Takes those of now for those at the beginning. */
  take(): void {
    const { kernels } = this.#system.workspace;
    if (!this.areState) kernels.copyVector(this.#dimension, this.#y, this.before);
  }

  /**
   * An error in units of what is allowed. The worst coordinate counts: one that is wrong is not excused by many
   * that are right.
   */
  measure(error: Address): number {
    const { kernels } = this.#system.workspace;
    const positions = this.#positions;
    const { relative, positions: inPositions, velocities: inVelocities } = this.tolerance;
    const [from, to] = [this.before, this.#y];
    const offset = 8 * positions;
    const rest = this.#dimension - positions;
    return Math.max(
      kernels.errorMaximum(positions, inPositions, relative, error, from, to),
      kernels.errorMaximum(
        rest,
        inVelocities,
        relative,
        error + offset,
        from + offset,
        to + offset,
      ),
    );
  }
}

/** The coordinate in which a vector like the state is largest, by name. */
export function largestCoordinate(system: System, vector: Address, arena: Arena): string {
  const { positions, velocities, coordinateNames, positionNames } = system;
  const slots = positions + velocities;
  const values = arena.floats({ name: "change", address: vector, slots });
  let worst = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(values[i] as number) > Math.abs(values[worst] as number)) worst = i;
  }
  const names = [...(positionNames ?? coordinateNames), ...coordinateNames];
  return names[worst] ?? "?";
}
