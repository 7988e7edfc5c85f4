import type { State, StateData } from "../../interfaces/index.js";

/**
 * A state of a plain differential equation.
 *
 * @example
 * const { time, y } = solution.at(1);
 */
export class OdeState implements State {
  /** The unknowns. */
  readonly y: Float64Array;
  /** The unknowns under the name that runs use for all kinds of systems. */
  readonly q: Float64Array;
  /** Empty: the unknowns are in y. */
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
