// User rows: values by the user's function, derivatives by central differences, of order 6 and, along the motion, of
// order 8.

import { BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { ORDER_8, POINTS } from "../../../base/algebra/differences.js";
import type { Floats } from "../../../base/memory/arena.js";
import type { BodyPose, UserRowFunction } from "../../../model/model-data.js";

/**
 * Steps of first derivatives (radians, or fractions of the size) and of both along the motion. For rows that vary over
 * a tenth of the size the truncation errors are 3e-11 and 1e-10, and the rounding errors 5e-14 and 2e-12.
 */
const DIFFERENCE_STEP = 2 ** -8;
const LINE_STEP = 2 ** -6;

/** For rows that depend on time: the maximum number of steps tried, and the agreement of two that suffices. */
const MAX_LEVELS = 6;
const AGREEMENT_TOLERANCE = 1e-10;
const SECOND_AGREEMENT_TOLERANCE = 1e-8;

/** A pose that can be moved and restored, and passed to a function as a copy. */
interface Displaceable {
  readonly given: BodyPose;
  give(): void;
  fill(): void;
  displace(d: Floats, turn: Floats, scale: number): void;
}

/** Memory that a block reads and writes. */
export interface UserRowPlaces {
  readonly views: readonly Displaceable[];
  /** Six values per body. */
  readonly velocities: readonly Floats[];
  readonly phi: Floats;
  readonly phiDot: Floats;
  readonly gamma: Floats;
  /** Rows of six values, one block per body. */
  readonly blocks: readonly Floats[];
}

const NO_DISPLACEMENT = new Float64Array(3);
const UNITS = [0, 1, 2].map((i) => Float64Array.from([0, 1, 2], (j) => (i === j ? 1 : 0)));

/** One block of such rows. */
export class UserRowDifferences {
  readonly #value: UserRowFunction;
  readonly #poses: readonly BodyPose[];
  /** Whether the function depends on time: it declares its third parameter. */
  readonly #timed: boolean;
  readonly #size: number;
  readonly #places: UserRowPlaces;
  readonly #linear: readonly Floats[];
  readonly #angular: readonly Floats[];
  readonly #scratch: Floats;
  readonly #rate: Floats;
  readonly #second: Floats;

  constructor(value: UserRowFunction, rows: number, size: number, places: UserRowPlaces) {
    this.#value = value;
    this.#timed = value.length > 2;
    this.#size = size;
    this.#places = places;
    this.#poses = Object.freeze(places.views.map(({ given }) => given));
    this.#linear = places.velocities.map((v) => v.subarray(0, 3));
    this.#angular = places.velocities.map((v) => v.subarray(3));
    this.#scratch = new Float64Array(rows);
    this.#rate = new Float64Array(rows);
    this.#second = new Float64Array(rows);
  }

  evaluate(t: number, jacobian: boolean, rates: boolean): void {
    const { views, phi } = this.#places;
    for (const view of views) view.fill();
    this.#call(phi, t);
    if (jacobian) this.#jacobian(t);
    if (rates) this.#rates(t);
    for (const view of views) view.fill();
  }

  #jacobian(t: number): void {
    const { views, blocks } = this.#places;
    const value = this.#scratch;
    for (let body = 0; body < views.length; body++) {
      const view = views[body] as Displaceable;
      const block = blocks[body] as Floats;
      block.fill(0);
      for (let j = 0; j < BODY_VELOCITIES; j++) {
        const step = j < 3 ? DIFFERENCE_STEP * this.#size : DIFFERENCE_STEP;
        const along = UNITS[j % 3] as Floats;
        for (let k = 0; k < POINTS.length; k++) {
          const [multiple, weight] = POINTS[k] as (typeof POINTS)[number];
          const scale = multiple * step;
          if (j < 3) view.displace(along, NO_DISPLACEMENT, scale);
          else view.displace(NO_DISPLACEMENT, along, scale);
          this.#call(value, t);
          const factor = weight / step;
          for (let row = 0; row < value.length; row++) {
            const place = BODY_VELOCITIES * row + j;
            block[place] = (block[place] as number) + factor * (value[row] as number);
          }
        }
      }
      view.fill();
    }
  }

  /**
   * Computes rate and second rate along the motion with constant velocities. The step is a time in which bodies move
   * by a small fraction of their size. The time scale of rows that depend on time is unknown: their step shrinks until
   * two results agree.
   */
  #rates(t: number): void {
    const { phi, phiDot, gamma } = this.#places;
    const speed = this.#speed();
    if (!this.#timed) {
      // At rest any step will do.
      this.#line(t, speed > 0 ? LINE_STEP / speed : LINE_STEP, phiDot, gamma);
      return;
    }
    let h = LINE_STEP / Math.max(1, speed);
    this.#line(t, h, phiDot, gamma);
    const size = this.#size + largest(phi);
    let [apart, secondApart] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let level = 1; level < MAX_LEVELS && (apart > 0 || secondApart > 0); level++) {
      h /= 4;
      this.#line(t, h, this.#rate, this.#second);
      apart = refined(phiDot, this.#rate, apart, AGREEMENT_TOLERANCE, size);
      secondApart = refined(gamma, this.#second, secondApart, SECOND_AGREEMENT_TOLERANCE, size);
    }
  }

  #speed(): number {
    let speed = 0;
    for (let body = 0; body < this.#linear.length; body++) {
      const moving = largest(this.#linear[body] as Floats) / this.#size;
      speed = Math.max(speed, moving, largest(this.#angular[body] as Floats));
    }
    return speed;
  }

  #line(t: number, h: number, rate: Floats, gamma: Floats): void {
    const { phi } = this.#places;
    const value = this.#scratch;
    rate.fill(0);
    gamma.fill(0);
    for (let k = 1; k <= ORDER_8.length; k++) {
      const weight = ORDER_8[k - 1] as number;
      for (let side = 1; side >= -1; side -= 2) {
        this.#move(t, side * k * h);
        for (let row = 0; row < value.length; row++) {
          const x = (value[row] as number) - (phi[row] as number);
          rate[row] = (rate[row] as number) + (side * weight * x) / (2 * k * h);
          gamma[row] = (gamma[row] as number) - (weight * x) / (k * h * (k * h));
        }
      }
    }
  }

  /** Evaluates the rows after a time, at constant velocities. */
  #move(t: number, after: number): void {
    const { views } = this.#places;
    for (let body = 0; body < views.length; body++) {
      const view = views[body] as Displaceable;
      view.displace(this.#linear[body] as Floats, this.#angular[body] as Floats, after);
    }
    this.#call(this.#scratch, t + after);
  }

  #call(out: Floats, t: number): void {
    const { views } = this.#places;
    for (let body = 0; body < views.length; body++) (views[body] as Displaceable).give();
    this.#value(this.#poses, out, t);
  }
}

/** Accepts the result of a shorter step if it is better. Returns the difference of the two, 0 to stop. */
function refined(best: Floats, next: Floats, apart: number, agreed: number, size: number): number {
  if (apart === 0) return 0;
  let change = 0;
  for (let row = 0; row < best.length; row++) {
    change = Math.max(change, Math.abs((next[row] as number) - (best[row] as number)));
  }
  if (change <= agreed * (largest(next) + size) || !(change < apart)) return 0;
  best.set(next);
  return change;
}

function largest(values: Floats): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] as number));
  return most;
}
