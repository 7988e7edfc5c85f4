// A state between two others, for drawing. In TypeScript: it happens once a frame, and lies outside the memory of the
// simulation.

import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import type { Simulation } from "../stepping/simulation.js";

/** What moves: a simulation, or a run. */
export type Drawable = Pick<Simulation, "q" | "v" | "time" | "step" | "rigidBodies">;

/** Where the Euler parameters are among the numbers of a body. */
const TURN = 3;

/** A copy of a state. */
class Copy {
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

/** The last two states of a simulation, and what lies between them. */
export class DrawnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  time = Number.NaN;
  readonly #simulation: Drawable;
  readonly #before: Copy;
  readonly #now: Copy;
  #step = Number.NaN;
  readonly #bodies: number;

  constructor(simulation: Drawable) {
    this.#simulation = simulation;
    this.#before = new Copy(simulation);
    this.#now = new Copy(simulation);
    this.#bodies = simulation.rigidBodies?.length ?? 0;
    this.q = new Float64Array(simulation.q.length);
    this.v = new Float64Array(simulation.v.length);
    this.hold();
  }

  /** The simulation has been moved by others since the last step, or will move in other steps. */
  get isStale(): boolean {
    return this.#simulation.step !== this.#step || !this.#now.isOf(this.#simulation);
  }

  /** Both states become the present one: nothing lies between them. */
  hold(): void {
    this.begin();
    this.end();
  }

  /** Before a step. */
  begin(): void {
    this.#before.take(this.#simulation);
  }

  /** After a step. */
  end(): void {
    this.#now.take(this.#simulation);
    this.#step = this.#simulation.step;
  }

  /** Goes to a fraction of the way from one state to the other. */
  draw(fraction: number): void {
    const before = this.#before;
    const now = this.#now;
    this.time = before.time + fraction * (now.time - before.time);
    mix(before.v, now.v, fraction, this.v);
    mix(before.q, now.q, fraction, this.q);
    for (let body = 0; body < this.#bodies; body++) {
      mixTurns(before.q, now.q, fraction, BODY_POSITIONS * body + TURN, this.q);
    }
  }
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function mix(a: Float64Array, b: Float64Array, fraction: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i]! + fraction * (b[i]! - a[i]!);
}

/**
 * Euler parameters at a place: e and -e are the same rotation, so b is taken with the sign that is
 * nearer to a; the sum is then never shorter than 1 / sqrt(2), and its direction is the result.
 */
function mixTurns(
  a: Float64Array,
  b: Float64Array,
  fraction: number,
  place: number,
  out: Float64Array,
): void {
  let product = 0;
  for (let i = place; i < place + 4; i++) product += a[i]! * b[i]!;
  const sign = product < 0 ? -1 : 1;
  let square = 0;
  for (let i = place; i < place + 4; i++) {
    const sum = a[i]! + fraction * (sign * b[i]! - a[i]!);
    out[i] = sum;
    square += sum * sum;
  }
  const length = Math.sqrt(square);
  for (let i = place; i < place + 4; i++) out[i] = out[i]! / length;
}
