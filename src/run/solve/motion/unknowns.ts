import type { Address, Arena } from "../../../ground/memory/arena.js";
import type { Ode, System } from "../../../seam/index.js";
import type { ToleranceWeights } from "./tolerance-weights.js";

/** What an integrator solves for: q and v of the state, or others. Errors are measured in them. */
export class Unknowns {
  /** They are the state itself. */
  readonly areState: boolean;
  /** At the beginning of the step. */
  readonly before: Address;
  weights: ToleranceWeights;
  readonly #system: System;
  readonly #y: Address;
  readonly #dimension: number;
  /** How many of them are positions. */
  readonly #positions: number;

  /** `before`: where the state at the beginning of a step is kept. */
  constructor(system: System, ode: Ode | undefined, before: Address, allowed: ToleranceWeights) {
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const size = positions + velocities;
    this.#system = system;
    this.weights = allowed;
    this.#y = ode?.y ?? state.q;
    this.#dimension = Math.min(ode?.dimension ?? size, size);
    this.#positions = ode?.positions ?? positions;
    this.areState = this.#y === state.q;
    this.before = this.areState
      ? before
      : workspace.vector("unknowns before an attempt", this.#dimension);
  }

  /** Stores the current unknowns as those at the start of the step. */
  take(): void {
    const { kernels } = this.#system.workspace;
    if (!this.areState) kernels.copyVector(this.#dimension, this.#y, this.before);
  }

  /** An error in units of the tolerance: the worst coordinate counts. */
  measure(error: Address): number {
    const { weights } = this;
    const [from, to] = [this.before, this.#y];
    if (this.areState) return weights.measure(error, from, to);
    // The coordinates these represent change during the run: each has to meet the smallest tolerance.
    const { kernels } = this.#system.workspace;
    const { relative, positions, velocities } = weights;
    const first = this.#positions;
    const offset = 8 * first;
    const rest = this.#dimension - first;
    return Math.max(
      kernels.errorMaximum(first, positions, relative, error, from, to),
      kernels.errorMaximum(rest, velocities, relative, error + offset, from + offset, to + offset),
    );
  }
}

/** The coordinate in which a vector like the state is largest, by name. */
export function largestCoordinate(system: System, vector: Address, arena: Arena): string {
  const {
    positions,
    velocities,
    velocityNames: coordinateNames,
    positionNames,
  } = system.coordinates;
  const slots = positions + velocities;
  const values = arena.floats({ name: "change", address: vector, slots });
  let worst = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(values[i] as number) > Math.abs(values[worst] as number)) worst = i;
  }
  const names = [...(positionNames ?? coordinateNames), ...coordinateNames];
  return names[worst] ?? "?";
}
