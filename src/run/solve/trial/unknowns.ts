import type { Address, Arena } from "../../../base/memory/arena.js";
import type { Ode, PublicCoordinates, System } from "../../../interfaces/index.js";
import type { PublicView } from "../../public/public-view.js";
import type { ToleranceWeights } from "./tolerance-weights.js";

/** Displacement, relative to the state, for the change of the public state: a root of the rounding. */
const RELATIVE_DISPLACEMENT = 2 ** -24;

/**
 * Errors of states in public coordinates, if the method integrates others: x becomes w(y) - w(y - x), where w is the
 * public state of a state y. So a tolerance means the same in all coordinates: an error of an angle counts by how far
 * it moves the bodies outboard of it, and not by its number of revolutions. Rejected: tolerances of the other
 * coordinates themselves; a relative one would grow with every revolution of a wheel.
 */
class PublicErrors {
  /** Public state before the attempt. */
  readonly before: Address;
  readonly after: Address;
  readonly #system: System;
  readonly #view: PublicView;
  readonly #moved: Address;
  readonly #difference: Address;
  readonly #size: number;
  /** The public states before and after are up to date. */
  #isKnown = false;

  /** Reserves memory: call before the memory of the system is sealed. */
  constructor(system: System, view: PublicView) {
    const { workspace, coordinates } = system;
    this.#system = system;
    this.#view = view;
    this.#size = coordinates.positions + coordinates.velocities;
    this.before = workspace.vector("seen before an attempt", view.size);
    this.after = workspace.vector("seen after an attempt", view.size);
    this.#difference = workspace.vector("seen of an error", view.size);
    this.#moved = workspace.vector("state without its error", this.#size);
  }

  /** Invalidates the stored public state. Call after the accepted state has changed. */
  invalidate(): void {
    this.#isKnown = false;
  }

  /**
   * Returns an error of the accepted state in public coordinates; `before` is the state at the beginning of the step.
   */
  fromError(error: Address, before: Address): Address {
    if (!this.#isKnown) {
      this.#view.write(before, this.before);
      this.#view.write(this.#system.state.q, this.after);
      this.#isKnown = true;
    }
    this.#change(error, 1);
    return this.#difference;
  }

  /** Returns the accepted state in public coordinates. */
  fromState(): Address {
    this.#isKnown = false;
    this.#view.write(this.#system.state.q, this.after);
    return this.after;
  }

  /**
   * Returns a rate of change at the accepted state in public coordinates, by a finite difference: only its size
   * matters.
   */
  fromRate(rate: Address): Address {
    const { kernels } = this.#system.workspace;
    const { q } = this.#system.state;
    const size = kernels.largestMagnitude(this.#size, rate);
    this.fromState();
    const part =
      size > 0 ? (RELATIVE_DISPLACEMENT * (1 + kernels.largestMagnitude(this.#size, q))) / size : 1;
    this.#change(rate, part);
    kernels.axpy(
      this.#view.size,
      1 / part - 1,
      this.#difference,
      this.#difference,
      this.#difference,
    );
    return this.#difference;
  }

  #change(x: Address, part: number): void {
    const { workspace, coordinates, state } = this.#system;
    const { kernels } = workspace;
    kernels.axpy(this.#size, -part, x, state.q, this.#moved);
    coordinates.normalise?.(this.#moved);
    this.#view.write(this.#moved, this.#difference);
    kernels.axpy(this.#view.size, -1, this.#difference, this.after, this.#difference);
  }
}

/**
 * The unknowns of an integrator: q and v of the state, or others. Errors are measured in them; errors of a state in
 * public coordinates.
 */
export class Unknowns {
  /** Whether the unknowns are the state itself. */
  readonly areState: boolean;
  /** Unknowns at the beginning of the step. */
  readonly before: Address;
  weights: ToleranceWeights;
  readonly #system: System;
  readonly #view: PublicView;
  readonly #y: Address;
  /** Number of unknowns in the error norm; algebraic unknowns come last and are not measured. */
  readonly #dimension: number;
  readonly #total: number;
  /** Errors in public coordinates, if these differ from the state. */
  readonly #publicErrors: PublicErrors | undefined;
  /** Number of unknowns that are positions. */
  readonly #positions: number;

  /** `before`: address of the state at the beginning of a step. */
  constructor(
    system: System,
    ode: Ode | undefined,
    before: Address,
    allowed: ToleranceWeights,
    view: PublicView,
  ) {
    const { workspace, state } = system;
    const { positions, velocities } = system.coordinates;
    const size = positions + velocities;
    this.#system = system;
    this.#view = view;
    this.weights = allowed;
    this.#y = ode?.y ?? state.q;
    this.#dimension = Math.min(ode?.dimension ?? size, size);
    this.#total = ode?.dimension ?? size;
    this.#positions = ode?.positions ?? positions;
    this.areState = this.#y === state.q;
    this.#publicErrors = system.publicState && new PublicErrors(system, view);
    this.before = this.areState
      ? before
      : workspace.vector("unknowns before an attempt", this.#total);
  }

  /** Stores the current unknowns as those at the start of the step. */
  take(): void {
    const { kernels } = this.#system.workspace;
    if (!this.areState) kernels.copyVector(this.#total, this.#y, this.before);
  }

  /** Invalidates stored public states. Call after the state has changed. */
  invalidate(): void {
    this.#publicErrors?.invalidate();
  }

  /** Size of the accepted state, in units of the tolerance there. */
  sizeOfState(): number {
    const { q } = this.#system.state;
    const inPublic = this.#publicErrors?.fromState() ?? q;
    return this.weights.measure(inPublic, inPublic, inPublic);
  }

  /** Size of a rate of change of the accepted state, in units of the tolerance there. */
  sizeOfRate(rate: Address): number {
    const { q } = this.#system.state;
    const inPublic = this.#publicErrors;
    if (inPublic === undefined) return this.weights.measure(rate, q, q);
    return this.weights.measure(inPublic.fromRate(rate), inPublic.after, inPublic.after);
  }

  /** Name of the coordinate in which an error of the state is largest. */
  worstCoordinate(error: Address, arena: Arena): string {
    return largestCoordinate(
      this.#view.coordinates,
      this.#publicErrors?.fromRate(error) ?? error,
      arena,
    );
  }

  /** Size of an error in units of the tolerance: that of the worst coordinate. */
  measure(error: Address): number {
    const { weights } = this;
    const [from, to] = [this.before, this.#y];
    if (this.areState) {
      const inPublic = this.#publicErrors;
      if (inPublic === undefined) return weights.measure(error, from, to);
      return weights.measure(inPublic.fromError(error, from), inPublic.before, inPublic.after);
    }
    // The coordinates that these unknowns represent change during the run: each has to meet the smallest tolerance.
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

/** Name of the coordinate in which a vector like the state is largest. */
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
