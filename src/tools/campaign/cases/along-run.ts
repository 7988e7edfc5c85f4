// Outputs that depend on all of a run: integrals and extrema, by the interpolation of its steps.

import type { BodyState } from "../../../bodies.js";
import type { Solution } from "../../../solve.js";

/** Reads a number from a state. */
export type Reading = (state: BodyState) => number;

/** Nodes and weights of Gauss and Legendre on [0, 1], five of them: exact to order 10, above that of every interpolation there is. */
const ROOT = 2 * Math.sqrt(10 / 7);
const [INNER, OUTER] = [Math.sqrt(5 - ROOT) / 3, Math.sqrt(5 + ROOT) / 3];
const [MIDDLE, NEAR, FAR] = [
  128 / 225,
  (322 + 13 * Math.sqrt(70)) / 900,
  (322 - 13 * Math.sqrt(70)) / 900,
];
const NODES = [-OUTER, -INNER, 0, INNER, OUTER].map((x) => (1 + x) / 2);
const WEIGHTS = [FAR, NEAR, MIDDLE, NEAR, FAR].map((w) => w / 2);

/** What is known of a formula along a run. */
export interface AlongRun {
  readonly integral: number;
  readonly integralOfSquare: number;
  readonly maximum: { readonly value: number; readonly time: number };
  readonly minimum: { readonly value: number; readonly time: number };
}

/** A formula, and which of its extrema are asked for: they cost a dozen states each. */
export interface Asked {
  readonly read: Reading;
  readonly maximum: boolean;
  readonly minimum: boolean;
}

/** One pass over all steps, for all readings: a state at a node is made once. */
export function alongRun(
  solution: Solution<BodyState>,
  asked: readonly Asked[],
): readonly AlongRun[] {
  const tallies = asked.map((one) => new Tally(one));
  const { time, length } = solution;
  return solution.browse((at) => {
    for (let i = 0; i < length; i++) {
      const state = solution.state(i);
      state.readout.pinned(() => {
        for (const tally of tallies) tally.see(state.time, state);
      });
      const [from, to] = [time[i]!, time[i + 1] ?? time[i]!];
      if (from === to) continue;
      for (const [k, node] of NODES.entries()) {
        const now = from + node * (to - from);
        const between = at(now);
        between.readout.pinned(() => {
          for (const tally of tallies) tally.add(now, between, WEIGHTS[k]! * (to - from));
        });
      }
    }
    return tallies.map((tally) => tally.finish(at));
  });
}

class Tally {
  #integral = 0;
  #square = 0;
  /** Largest and smallest so far: value, time, and the times seen before and after. */
  readonly #largest = new Peak(1);
  readonly #smallest = new Peak(-1);

  constructor(readonly asked: Asked) {}

  see(time: number, state: BodyState): number {
    const value = this.asked.read(state);
    this.#largest.see(time, value);
    this.#smallest.see(time, value);
    return value;
  }

  add(time: number, state: BodyState, weight: number): void {
    const value = this.see(time, state);
    this.#integral += weight * value;
    this.#square += weight * value * value;
  }

  finish(at: (time: number) => BodyState): AlongRun {
    const { read, maximum, minimum } = this.asked;
    const value = (time: number) => read(at(time));
    return {
      integral: this.#integral,
      integralOfSquare: this.#square,
      maximum: maximum ? this.#largest.refined(value) : this.#largest.seen,
      minimum: minimum ? this.#smallest.refined(value) : this.#smallest.seen,
    };
  }
}

/** (3 - sqrt(5)) / 2. */
const GOLDEN = (3 - Math.sqrt(5)) / 2;
/** Of the interval: the value is then exact to rounding, since it is level there. */
const CLOSE = 1e-9;
const MOST = 60;

/** The highest of values times a sign, and what lies beside it. */
class Peak {
  #value = Number.NaN;
  #time = Number.NaN;
  #before = Number.NaN;
  #after = Number.NaN;
  #last = Number.NaN;
  #isNew = false;

  constructor(readonly sign: 1 | -1) {}

  see(time: number, value: number): void {
    if (this.#isNew) {
      this.#after = time;
      this.#isNew = false;
    }
    if (Number.isNaN(this.#value) || this.sign * value > this.sign * this.#value) {
      this.#value = value;
      this.#time = time;
      this.#before = this.#last;
      this.#after = Number.NaN;
      this.#isNew = true;
    }
    this.#last = time;
  }

  get seen(): { readonly value: number; readonly time: number } {
    return { value: this.#value, time: this.#time };
  }

  /**
   * Between the neighbours of the best that was seen, by parabolas through the last three points, or golden sections where these
   * do not close in (R. P. Brent, Algorithms for Minimization without Derivatives, 1973, chapter 5).
   */
  refined(at: (time: number) => number): { readonly value: number; readonly time: number } {
    const ends = [this.#before, this.#after].map((end) => (Number.isNaN(end) ? this.#time : end));
    let [low, high] = [Math.min(...ends), Math.max(...ends)];
    const close = CLOSE * (high - low);
    if (!(close > 0)) return this.seen;
    let x = Math.min(Math.max(this.#time, low), high);
    if (x === low || x === high) x = low + GOLDEN * (high - low);
    let fx = -this.#try(x, at);
    let [w, v, fw, fv] = [x, x, fx, fx];
    let [step, before] = [0, 0];
    for (let i = 0; i < MOST; i++) {
      const middle = (low + high) / 2;
      if (Math.abs(x - middle) <= 2 * close - (high - low) / 2) break;
      const r = (x - w) * (fx - fv);
      const q = (x - v) * (fx - fw);
      const p = (x - v) * q - (x - w) * r;
      const bottom = 2 * (q - r);
      const [earlier, parabola] = [before, bottom === 0 ? Number.NaN : -p / bottom];
      before = step;
      const fits =
        Math.abs(parabola) < Math.abs(earlier) / 2 && x + parabola > low && x + parabola < high;
      if (fits) step = parabola;
      else {
        before = x >= middle ? low - x : high - x;
        step = GOLDEN * before;
      }
      const u = x + (Math.abs(step) >= close ? step : Math.sign(step) * close);
      const fu = -this.#try(u, at);
      if (fu <= fx) {
        if (u >= x) low = x;
        else high = x;
        [v, fv, w, fw, x, fx] = [w, fw, x, fx, u, fu];
      } else {
        if (u < x) low = u;
        else high = u;
        if (fu <= fw || w === x) [v, fv, w, fw] = [w, fw, u, fu];
        else if (fu <= fv || v === x || v === w) [v, fv] = [u, fu];
      }
    }
    return this.seen;
  }

  #try(time: number, at: (time: number) => number): number {
    const value = at(time);
    if (this.sign * value > this.sign * this.#value) {
      this.#value = value;
      this.#time = time;
    }
    return this.sign * value;
  }
}
