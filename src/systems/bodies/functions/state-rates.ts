// Rates of states, as forces on the bodies that carry them.

import { BODY_VELOCITIES, BodyFrame } from "../../../../assembly/layout-bodies.js";
import type { StateRates, Vector } from "../../../describe/model/model-data.js";
import type { QuantityReader } from "../../../describe/model/quantity-reader.js";
import { carrierOf, firstState, movingBodies } from "../plan/carriers.js";
import type { Plan } from "../plan/plan.js";

/** A set of states in memory. */
interface BoundStates {
  readonly rates: StateRates;
  readonly y: Float64Array;
  readonly out: Float64Array;
  /** Where each is in the frames of bodies, and in the loads on them. */
  readonly places: readonly (readonly [frame: number, load: number])[];
}

export class StateRateLoads {
  #bound: readonly BoundStates[] = [];
  /** Of the carriers among the bodies. */
  #first = 0;
  #end = 0;
  #gravity: Vector = [0, 0, 0];

  attach({ model }: Plan): void {
    this.#first = movingBodies(model.bodies);
    this.#end = model.bodies.length;
    this.#gravity = model.gravity;
    this.#bound = model.states.map(({ names, rates }, set) => ({
      rates,
      y: new Float64Array(names.length),
      out: new Float64Array(names.length),
      places: names.map((_, i) => {
        const [body, axis] = carrierOf(model, firstState(model, set) + i);
        return [
          BodyFrame.LENGTH * body + BodyFrame.VELOCITY + axis,
          BODY_VELOCITIES * body + axis,
        ] as const;
      }),
    }));
  }

  /** Adds y' to the loads; carriers have the mass 1. */
  add(t: number, read: QuantityReader, frames: Float64Array, loads: Float64Array): void {
    for (let set = 0; set < this.#bound.length; set++) {
      const { rates, y, out, places } = this.#bound[set]!;
      for (let i = 0; i < y.length; i++) y[i] = frames[places[i]![0]]!;
      rates(t, y, read, out);
      for (let i = 0; i < y.length; i++) loads[places[i]![1]] = out[i]!;
    }
  }

  /** Carriers have no weight: where gravity is the acceleration of the ground, as along trees, they are held up. */
  hold(loads: Float64Array): void {
    for (let body = this.#first; body < this.#end; body++) {
      for (let i = 0; i < 3; i++) loads[BODY_VELOCITIES * body + i]! -= this.#gravity[i]!;
    }
  }
}
