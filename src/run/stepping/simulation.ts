import type { Inspection } from "./inspection.js";
import type { Snapshot } from "./snapshot.js";
import type { StateCorrection } from "./state-correction.js";
import type { StateOptions } from "./state-options.js";
import type { DividedSteps } from "./step-walk.js";

// Queries about the state are documented where they are answered. An interface that extended the class itself would
// require its private members, which simulations of bodies do not have.

/**
 * A system, a method and a state that advances in time. Made by `simulate`. Simulations of compiled models also read
 * bodies and joints by name.
 */
export interface Simulation extends Pick<Inspection, keyof Inspection> {
  /** Name of the method. */
  readonly method: string;
  /** The positions: a live view. Copy it to keep it. */
  readonly q: Float64Array<ArrayBuffer>;
  /** The velocities: a live view. */
  readonly v: Float64Array<ArrayBuffer>;
  /** The time of the state. */
  readonly time: number;
  /**
   * Change of the last given state (initial state or {@link setState}) by projection onto the constraints.
   *
   * @example
   * const { positions } = simulate(pendulum, { method, step: 1e-3, q: [1.1, 0] }).correction;
   * console.log(positions.x);   // -0.1
   */
  readonly correction: StateCorrection;
  /**
   * Counts of steps divided by a method that does so, such as `ros3`, and of the shortest pieces that were damped.
   *
   * @example
   * if (simulation.division.damped > 0) console.log("contacts are stiffer than these steps resolve");
   */
  readonly division: Readonly<DividedSteps>;
  /** Length of the coming steps. */
  readonly step: number;

  /**
   * Replaces the state and restarts multistep methods. If projection fails, the old state is kept.
   *
   * @example
   * const { q, v, time, unwrappedAngles } = solution.at(2);
   * simulation.setState(q, v, { time, unwrappedAngles, start: "asGiven" });
   */
  setState(
    q: ArrayLike<number>,
    v: ArrayLike<number>,
    options?: StateOptions | StateOptions["start"],
  ): void;

  /**
   * Takes `count` steps. If one fails, throws and leaves the state before that step.
   *
   * @example
   * simulation.advance();      // one step
   * simulation.advance(1000);
   */
  advance(count?: number): this;

  /**
   * Runs to a time in full steps plus one shorter last step if needed. `each` is called after every step.
   *
   * @example
   * simulation.runTo(10, ({ time, q }) => console.log(time, q[0]));
   */
  runTo(until: number, each?: (simulation: this) => void): this;

  /** Changes the length of the coming steps. */
  setStep(step: number): void;

  /** Returns a copy of everything: {@link restore} continues from it bitwise identically. */
  save(): Snapshot;

  /** Restores a saved state of this simulation, or of one created in the same way. */
  restore(snapshot: Snapshot): void;
}
