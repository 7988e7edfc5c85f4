import type { Address } from "../../../ground/memory/arena.js";
import { writeHermite } from "../../../methods/integrators/hermite.js";
import type { System } from "../../../seam/index.js";
import type { Motion } from "./motion.js";

/** A step as a polynomial: rows of its nested form (see AdaptiveStepper), copied. */
export interface Piece {
  readonly from: number;
  readonly h: number;
  readonly rows: Float64Array;
  /** On which turn angles are at its beginning, then at its end. */
  readonly turns: Float64Array;
}

/**
 * What the state was within the last step: by the method's own polynomial where it has one in the
 * coordinates of the state, else by the cubic with the values and slopes of both ends.
 */
export class Interpolation {
  readonly #motion: Motion;
  readonly #system: System;
  readonly #rows: number;
  readonly #stride: number;
  readonly #coefficients: Address;
  readonly #weights: Address;
  #weight = new Float64Array(0);
  #all = new Float64Array(0);
  #from = 0;
  #h = 0;
  /** The attempt that is interpolated. */
  #attempt = -1;
  readonly #turns: Float64Array;
  /** The second half of them. */
  readonly #turnsAfter: Float64Array;

  constructor(motion: Motion) {
    const { system, stateInterpolant } = motion;
    const { workspace } = system;
    const { positions, velocities } = system.coordinates;
    this.#motion = motion;
    this.#system = system;
    this.#turns = new Float64Array(2 * motion.turnsBefore.length);
    this.#turnsAfter = this.#turns.subarray(motion.turnsBefore.length);
    this.#rows = stateInterpolant?.interpolantRows ?? 4;
    this.#stride = stateInterpolant?.stride ?? positions + velocities;
    const all = workspace.reserve("interpolant", this.#rows * this.#stride);
    const weights = workspace.reserve("weights of the interpolant", this.#rows);
    this.#coefficients = all.address;
    this.#weights = weights.address;
    workspace.whenSealed((arena) => {
      this.#weight = arena.floats(weights);
      this.#all = arena.floats(all);
    });
  }

  /** Interpolates the step from t that has been taken, but not been committed, from now on. */
  prepare(t: number, h: number): void {
    const { stateInterpolant, before, attempts } = this.#motion;
    if (attempts === this.#attempt) return;
    this.#attempt = attempts;
    this.#from = t;
    this.#h = h;
    this.#turns.set(this.#motion.turnsBefore);
    this.#system.continuation.turns?.read(this.#turnsAfter);
    if (stateInterpolant) stateInterpolant.interpolant(t, h, before, this.#coefficients);
    else this.#hermite(t, h);
    this.#motion.dropFactor();
  }

  /** Writes q and v, and the work after them where it is counted, at a time within the step. */
  at(t: number, out: Address): void {
    const s = this.#part(t);
    let product = 1;
    for (let k = 1; k < this.#rows; k++) {
      product *= k % 2 === 1 ? s : 1 - s;
      this.#weight[k] = product;
    }
    const { kernels } = this.#system.workspace;
    const c0 = this.#coefficients;
    const c1 = c0 + 8 * this.#stride;
    kernels.combine(this.#stride, this.#rows - 1, 1, c0, c1, this.#weights + 8, out);
  }

  /** Writes about where angles are at a time within the step: near enough to know on which turn. */
  turnsAt(t: number, out: Float64Array): void {
    const s = this.#part(t);
    const turns = this.#turns;
    for (let i = 0; i < out.length; i++) {
      out[i] = (1 - s) * turns[i]! + s * turns[out.length + i]!;
    }
  }

  /** A copy of the present step. */
  copy(): Piece {
    return {
      from: this.#from,
      h: this.#h,
      rows: this.#all.slice(),
      turns: this.#turns.slice(),
    };
  }

  /** Interpolates a step that was copied from now on. */
  load({ from, h, rows, turns }: Piece): void {
    this.#attempt = -1;
    this.#from = from;
    this.#h = h;
    this.#all.set(rows);
    this.#turns.set(turns);
  }

  #part(t: number): number {
    return this.#h === 0 ? 0 : (t - this.#from) / this.#h;
  }

  #hermite(t: number, h: number): void {
    const { before, ends } = this.#motion;
    const { state, workspace } = this.#system;
    const first = ends.requireBefore(t, before);
    const last = ends.requireAfter(t + h, state.q);
    writeHermite(workspace, this.#stride, h, before, state.q, first, last, this.#coefficients);
  }
}
