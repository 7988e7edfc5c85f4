import type { State, StateData } from "../../seam/index.js";

/**
 * A state of a plain differential equation.
 *
 * @example
 * const { time, y } = solution.at(1);
 */
export class OdeState implements State {
  /** The unknowns. */
  readonly y: Float64Array;
  /** The same numbers: what runs of all kinds of systems have. */
  readonly q: Float64Array;
  /** Empty: what changes is in y. */
  readonly v: Float64Array;
  readonly #data: StateData;

  constructor(data: StateData) {
    this.y = data.q;
    this.q = data.q;
    this.v = data.v;
    this.#data = data;
  }

  /** Its time. */
  get time(): number {
    return this.#data.time;
  }
}
