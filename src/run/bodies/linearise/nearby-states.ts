// Nearby states, evaluated in the reader's memory, and directional derivatives.

import { Turn } from "../../../../assembly/layout-bodies.js";
import { POINTS } from "../../../ground/algebra/differences.js";
import type { ReadContext } from "../reactions/joint-reading.js";

/** How far differences go, in radians or lengths of the model. */
const STEP = 2 ** -10;

/** A state at a time. */
export interface NearbyState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
}

/** A way away from a state: displacement of the poses, change of the velocities and of time. */
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

  /** Largest turn, or slide over the length of the model. */
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

  /** Accelerations where it was placed last. */
  accelerations(): Float64Array {
    const { system, arena, vector } = this.#context.probe;
    system.dynamics.solver("auto").accelerate(system.constraints.gamma(), vector.address);
    return arena.floats(vector).slice();
  }

  /** Errors of the rows where it was placed last, and their rates. */
  rows(): { readonly phi: Float64Array; readonly phiDot: Float64Array } {
    const { system, arena } = this.#context.probe;
    const read = (address: number) =>
      arena.floats({ name: "rows", address, slots: system.constraints.rows }).slice();
    return { phi: read(system.constraints.phi()), phiDot: read(system.constraints.phiDot()) };
  }

  /**
   * Derivative along a way of what `sample` reads where it is placed: differences of fourth order. Their step follows from the size of the way,
   * unless the size of what changes is given.
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
    const h = given === undefined ? STEP / (size > 0 ? size : 1) : STEP * given;
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

  /** Restores the reader to the simulation's state. */
  leave(): void {
    this.#context.probe.forget();
  }
}
