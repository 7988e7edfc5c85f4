import type { Address, Arena } from "../../../ground/memory/arena.js";
import type { Ode, PublicCoordinates, System } from "../../../seam/index.js";
import type { StateView } from "../../public/state-view.js";
import { ShownErrors } from "./shown-errors.js";
import type { ToleranceWeights } from "./tolerance-weights.js";

/**
 * What an integrator solves for: q and v of the state, or others. Errors are measured in them; those of a state in what
 * users see of it.
 */
export class Unknowns {
  /** They are the state itself. */
  readonly areState: boolean;
  /** At the beginning of the step. */
  readonly before: Address;
  weights: ToleranceWeights;
  readonly #system: System;
  readonly #view: StateView;
  readonly #y: Address;
  /** How many are measured, and how many there are: algebraic ones are behind the others. */
  readonly #dimension: number;
  readonly #all: number;
  /** Where users see other numbers than the state. */
  readonly #shown: ShownErrors | undefined;
  /** How many of them are positions. */
  readonly #positions: number;

  /** `before`: where the state at the beginning of a step is kept. */
  constructor(
    system: System,
    ode: Ode | undefined,
    before: Address,
    allowed: ToleranceWeights,
    view: StateView,
  ) {
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const size = positions + velocities;
    this.#system = system;
    this.#view = view;
    this.weights = allowed;
    this.#y = ode?.y ?? state.q;
    this.#dimension = Math.min(ode?.dimension ?? size, size);
    this.#all = ode?.dimension ?? size;
    this.#positions = ode?.positions ?? positions;
    this.areState = this.#y === state.q;
    this.#shown = system.publicState && new ShownErrors(system, view);
    this.before = this.areState
      ? before
      : workspace.vector("unknowns before an attempt", this.#all);
  }

  /** Stores the current unknowns as those at the start of the step. */
  take(): void {
    const { kernels } = this.#system.workspace;
    if (!this.areState) kernels.copyVector(this.#all, this.#y, this.before);
  }

  /** The state has changed. */
  forget(): void {
    this.#shown?.forget();
  }

  /** The accepted state itself, in units of the tolerance there. */
  sizeOfState(): number {
    const { q } = this.#system.state;
    const shown = this.#shown?.ofState() ?? q;
    return this.weights.measure(shown, shown, shown);
  }

  /** A rate of change of the accepted state, in units of the tolerance there. */
  sizeOfRate(rate: Address): number {
    const { q } = this.#system.state;
    const shown = this.#shown;
    if (shown === undefined) return this.weights.measure(rate, q, q);
    return this.weights.measure(shown.ofRate(rate), shown.after, shown.after);
  }

  /** The coordinate in which an error of the state is largest, by name. */
  worstCoordinate(error: Address, arena: Arena): string {
    return largestCoordinate(this.#view.coordinates, this.#shown?.ofRate(error) ?? error, arena);
  }

  /** An error in units of the tolerance: the worst coordinate counts. */
  measure(error: Address): number {
    const { weights } = this;
    const [from, to] = [this.before, this.#y];
    if (this.areState) {
      const shown = this.#shown;
      if (shown === undefined) return weights.measure(error, from, to);
      return weights.measure(shown.ofError(error, from), shown.before, shown.after);
    }
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
function largestCoordinate(coordinates: PublicCoordinates, vector: Address, arena: Arena): string {
  const { positions, velocities, velocityNames: coordinateNames, positionNames } = coordinates;
  const slots = positions + velocities;
  const values = arena.floats({ name: "change", address: vector, slots });
  let worst = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(values[i] as number) > Math.abs(values[worst] as number)) worst = i;
  }
  const names = [...(positionNames ?? coordinateNames), ...coordinateNames];
  return names[worst] ?? "?";
}
