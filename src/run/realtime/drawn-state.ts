// An interpolated state for drawing. In TypeScript, because it is computed once a frame, outside the memory of the
// simulation.

import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import type { Simulation } from "../stepping/simulation.js";

/** A simulation, or a run. */
export type Drawable = Pick<Simulation, "q" | "v" | "time" | "step" | "rigidBodies">;

/** Offset of the Euler parameters in the coordinates of a body. */
const EULER_OFFSET = 3;

/** A copy of a state. */
class StateCopy {
  readonly q: Float64Array;
  readonly v: Float64Array;
  time = Number.NaN;

  constructor({ q, v }: Drawable) {
    this.q = new Float64Array(q.length);
    this.v = new Float64Array(v.length);
  }

  take({ q, v, time }: Drawable): void {
    this.q.set(q);
    this.v.set(v);
    this.time = time;
  }

  isOf({ q, v, time }: Drawable): boolean {
    return time === this.time && equal(q, this.q) && equal(v, this.v);
  }
}

/** The last two states of a simulation, and an interpolated one. */
export class DrawnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  time = Number.NaN;
  readonly #simulation: Drawable;
  readonly #before: StateCopy;
  readonly #now: StateCopy;
  #step = Number.NaN;
  readonly #bodies: number;

  constructor(simulation: Drawable) {
    this.#simulation = simulation;
    this.#before = new StateCopy(simulation);
    this.#now = new StateCopy(simulation);
    this.#bodies = simulation.rigidBodies?.length ?? 0;
    this.q = new Float64Array(simulation.q.length);
    this.v = new Float64Array(simulation.v.length);
    this.hold();
  }

  /** Whether the simulation was changed from outside since the last step, or its step length has changed. */
  get isStale(): boolean {
    return this.#simulation.step !== this.#step || !this.#now.isOf(this.#simulation);
  }

  /** Makes both states the present one. */
  hold(): void {
    this.begin();
    this.end();
  }

  /** Stores the state before a step. */
  begin(): void {
    this.#before.take(this.#simulation);
  }

  /** Stores the state after a step. */
  end(): void {
    this.#now.take(this.#simulation);
    this.#step = this.#simulation.step;
  }

  /** Interpolates the drawn state at a fraction of the last step. */
  draw(fraction: number): void {
    const before = this.#before;
    const now = this.#now;
    this.time = before.time + fraction * (now.time - before.time);
    interpolate(before.v, now.v, fraction, this.v);
    interpolate(before.q, now.q, fraction, this.q);
    for (let body = 0; body < this.#bodies; body++) {
      interpolateRotation(before.q, now.q, fraction, BODY_POSITIONS * body + EULER_OFFSET, this.q);
    }
  }
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function interpolate(a: Float64Array, b: Float64Array, fraction: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i]! + fraction * (b[i]! - a[i]!);
}

/**
 * Interpolates Euler parameters at an offset: e and -e are the same rotation, so b is taken with the sign that is
 * nearer to a; the sum is then never shorter than 1 / sqrt(2), and its direction is the result.
 */
function interpolateRotation(
  a: Float64Array,
  b: Float64Array,
  fraction: number,
  offset: number,
  out: Float64Array,
): void {
  let product = 0;
  for (let i = offset; i < offset + 4; i++) product += a[i]! * b[i]!;
  const sign = product < 0 ? -1 : 1;
  let square = 0;
  for (let i = offset; i < offset + 4; i++) {
    const sum = a[i]! + fraction * (sign * b[i]! - a[i]!);
    out[i] = sum;
    square += sum * sum;
  }
  const length = Math.sqrt(square);
  for (let i = offset; i < offset + 4; i++) out[i] = out[i]! / length;
}
