import type { CoordinateChoice, ImplicitCosts } from "../../../interfaces/index.js";

/** Work of a run and its constraint error. */
export interface Statistics {
  /** Accepted steps. */
  readonly steps: number;
  /** Rejected steps. */
  readonly rejections: number;
  /** Evaluations of the accelerations. */
  readonly evaluations: number;
  /** Factorisations of the constraints. */
  readonly factorisations: number;
  /** Additional cost of implicit methods; undefined if none was used. */
  readonly implicit: ImplicitCosts | undefined;
  /** The coordinates that were integrated; undefined for systems given by equations. */
  readonly coordinates: CoordinateChoice["kind"] | undefined;
  /** Number of constraint rows in these coordinates: 0 for a tree in joint coordinates. */
  readonly rows: number;
  /** Largest |Phi| and |dPhi/dt| at the ends of steps. */
  readonly maximumDrift: { readonly position: number; readonly velocity: number };
  /**
   * Largest |E - E0| at the ends of steps, where E0 is the energy at the start or after the last event that changed
   * the motion. NaN if the system has no potential.
   */
  readonly energyChange: number;
  /**
   * Energy error: `energyChange` if the system is conservative, else absent, as drives, dampers and loads change the
   * energy.
   */
  readonly energyError?: number;
  /** Length of the shortest accepted step. */
  readonly shortestStep: number;
  /** Length of the longest accepted step. */
  readonly longestStep: number;
  /** Real time in seconds. */
  readonly seconds: number;
}

/** Counts summed over the mode solvers of a run. */
export type Costs = Pick<Statistics, "evaluations" | "factorisations" | "implicit">;

/** Accumulates the statistics of a run. */
export class Tally {
  steps = 0;
  rejections = 0;
  seconds = 0;
  /** Counts before the run was restored, minus what its mode solvers had counted until then. */
  #evaluations = 0;
  #factorisations = 0;
  #position = 0;
  #velocity = 0;
  #energyChange = 0;
  #isConservative = true;
  #energyAtStart = Number.NaN;
  #hasEnergy = false;
  #shortest = Number.POSITIVE_INFINITY;
  #longest = 0;

  step(h: number): void {
    this.steps++;
    const length = Math.abs(h);
    this.#shortest = Math.min(this.#shortest, length);
    this.#longest = Math.max(this.#longest, length);
  }

  /** Adds a batch of steps, given the shortest and the longest of them. */
  addBatch(count: number, shortest: number, longest: number): void {
    this.steps += count;
    this.#shortest = Math.min(this.#shortest, shortest);
    this.#longest = Math.max(this.#longest, longest);
  }

  drift(position: number, velocity: number): void {
    this.#position = Math.max(this.#position, position);
    this.#velocity = Math.max(this.#velocity, velocity);
  }

  energy(value: number, isConservative: boolean): void {
    this.#hasEnergy = true;
    this.#isConservative &&= isConservative;
    if (Number.isNaN(this.#energyAtStart)) this.#energyAtStart = value;
    this.#energyChange = Math.max(this.#energyChange, Math.abs(value - this.#energyAtStart));
  }

  /** Restarts the energy reference. Call after the motion was changed. */
  changed(): void {
    this.#energyAtStart = Number.NaN;
  }

  result(
    { evaluations, factorisations, implicit }: Costs,
    { coordinates, rows }: Pick<Statistics, "coordinates" | "rows">,
  ): Statistics {
    return {
      steps: this.steps,
      rejections: this.rejections,
      evaluations: this.#evaluations + evaluations,
      factorisations: this.#factorisations + factorisations,
      implicit,
      coordinates,
      rows,
      maximumDrift: { position: this.#position, velocity: this.#velocity },
      energyChange: this.#hasEnergy ? this.#energyChange : Number.NaN,
      ...(this.#hasEnergy && this.#isConservative && { energyError: this.#energyChange }),
      shortestStep: this.steps > 0 ? this.#shortest : 0,
      longestStep: this.#longest,
      seconds: this.seconds,
    };
  }

  save({ evaluations, factorisations }: Costs): readonly number[] {
    return [
      this.steps,
      this.rejections,
      this.#evaluations + evaluations,
      this.#factorisations + factorisations,
      this.#position,
      this.#velocity,
      this.#energyChange,
      this.#energyAtStart,
      this.#hasEnergy ? 1 : 0,
      this.#shortest,
      this.#longest,
      this.#isConservative ? 1 : 0,
    ];
  }

  restore(saved: readonly number[], { evaluations, factorisations }: Costs): void {
    const at = (index: number) => saved[index] as number;
    this.steps = at(0);
    this.rejections = at(1);
    this.#evaluations = at(2) - evaluations;
    this.#factorisations = at(3) - factorisations;
    this.#position = at(4);
    this.#velocity = at(5);
    this.#energyChange = at(6);
    this.#energyAtStart = at(7);
    this.#hasEnergy = at(8) === 1;
    this.#shortest = at(9);
    this.#longest = at(10);
    this.#isConservative = at(11) === 1;
  }
}
