// Nearby states, evaluated in the reader's memory, and directional derivatives.

import { Turn } from "../../../../assembly/layout-bodies.js";
import { POINTS } from "../../../base/algebra/differences.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/** Step of the finite differences, in radians or lengths of the model. */
const DIFFERENCE_STEP = 2 ** -10;

/** A state at a time. */
export interface NearbyState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
}

/** A variation of a state: displacement of the poses, change of the velocities and of time. */
export interface Variation {
  readonly displacement: Float64Array;
  readonly velocity: Float64Array;
  readonly time?: number;
}

export class NearbyStates {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Largest rotation, or translation over the length of the model. */
  sizeOf(x: Float64Array): number {
    const { length } = this.#context.model;
    return x.reduce(
      (most, value, i) => Math.max(most, Math.abs(value) / (i % 6 < 3 ? length : 1)),
      0,
    );
  }

  /** Evaluates at a nearby state, projected onto the joints or unchanged. */
  place({ q, v, time }: NearbyState, way: Variation, h: number, closed: boolean): NearbyState {
    const { probe } = this.#context;
    const { system, arena, vector, projector } = probe;
    const { state } = system;
    const { positions, velocities } = system.coordinates;
    const view = arena.floats({ name: "state", address: state.q, slots: positions + velocities });
    const t = time + h * (way.time ?? 0);
    view.set(q);
    view.set(
      v.map((value, i) => value + h * way.velocity[i]!),
      positions,
    );
    arena.floats(vector).set(way.displacement.map((x) => h * x));
    system.coordinates.displace(state.q, vector.address, Turn.EXPONENTIAL);
    if (closed) {
      projector.positions(t);
      projector.velocities(t);
    }
    system.load(t);
    return { q: view.slice(0, positions), v: view.slice(positions), time: t };
  }

  /** Accelerations of the state placed last. */
  accelerations(): Float64Array {
    const { system, arena, vector } = this.#context.probe;
    system.dynamics.solver("auto").accelerate(system.constraints.gamma(), vector.address);
    return arena.floats(vector).slice();
  }

  /** Errors of the rows, and their rates, of the state placed last. */
  rows(): { readonly phi: Float64Array; readonly phiDot: Float64Array } {
    const { system, arena } = this.#context.probe;
    const read = (address: number) =>
      arena.floats({ name: "rows", address, slots: system.constraints.rows }).slice();
    return { phi: read(system.constraints.phi()), phiDot: read(system.constraints.phiDot()) };
  }

  /**
   * Returns the derivative along a variation of the values that `sample` reads at the placed states, by finite
   * differences of fourth order. The step follows from the size of the variation, unless the size of the changing
   * quantity is given.
   */
  derivative(
    from: NearbyState,
    way: Variation,
    closed: boolean,
    speed: number,
    sample: (place: NearbyState, h: number) => Float64Array,
    given?: number,
  ): Float64Array {
    const size = Math.max(
      this.sizeOf(way.displacement),
      this.sizeOf(way.velocity) / speed,
      Math.abs(way.time ?? 0) * speed,
    );
    // A zero variation has a zero derivative.
    const h =
      given === undefined ? DIFFERENCE_STEP / (size > 0 ? size : 1) : DIFFERENCE_STEP * given;
    let sum: Float64Array | undefined;
    for (const [multiple, weight] of POINTS) {
      const values = sample(this.place(from, way, multiple * h, closed), multiple * h);
      sum ??= new Float64Array(values.length);
      for (let i = 0; i < sum.length; i++) {
        sum[i] = sum[i]! + (weight * values[i]!) / h;
      }
    }
    return sum!;
  }

  /** Restores the reader to the state of the simulation. */
  leave(): void {
    this.#context.probe.forget();
  }
}
