// The second-order embedding of Welch et al. (scheme 43, one corrector pass) for chains of bodies on
// spherical joints, in plain JavaScript: the algorithm of the package, written for this one kind of
// mechanism. It assumes that S is block tridiagonal, that body axes are principal, and that only gravity
// acts. It evaluates only what the scheme needs and allocates nothing in a step.
//
// Joint i lies between body i - 1 (the ground for i = 0) and body i: at the arm s1 of body i and the arm s2
// of body i - 1, in their own axes. With p = r + R s and C = dp'/dw, whose rows are s x (rows of R),
//
//   J_i = [-1, -C2] on body i - 1,   [1, C1] on body i,
//   S_ii = (1/m + C2 I^-1 C2^T) of body i - 1  +  (1/m + C1 I^-1 C1^T) of body i,
//   S_i+1,i = -(1/m + C2 I^-1 C1^T) of body i.

import type { ChainBody, ChainData } from "./chain-data.js";
import { correctorRight, openings, predictorRight } from "./chain-right.js";
import { factorChain, solveChain } from "./chain-solver.js";
import { Turn, turnArms, turnBodies } from "./chain-turn.js";

export class ChainStepper {
  /** State in the layout of a simulation: r and e of each body; r' and w. */
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #data: ChainData;
  readonly #trialQ: Float64Array;
  readonly #trialV: Float64Array;
  readonly #predicted: Float64Array;
  readonly #a: Float64Array;
  readonly #phi: Float64Array;

  constructor(
    bodies: readonly ChainBody[],
    gravity: readonly number[],
    q: ArrayLike<number>,
    v: ArrayLike<number>,
  ) {
    const n = bodies.length;
    const list = (of: (body: ChainBody) => readonly number[]) =>
      Float64Array.from(bodies.flatMap(of));
    this.q = Float64Array.from(q);
    this.v = Float64Array.from(v);
    this.#data = {
      n,
      inverseMass: list(({ mass }) => [1 / mass]),
      moments: list(({ moments }) => moments),
      inverseMoments: list(({ moments }) => moments.map((moment) => 1 / moment)),
      arms: list(({ first, second }) => [...first, ...second]),
      gravity: Float64Array.from(gravity),
      turning: new Float64Array(24 * n),
      free: new Float64Array(3 * n),
      right: new Float64Array(3 * n),
      factor: new Float64Array(15 * n),
    };
    this.#trialQ = new Float64Array(7 * n);
    this.#trialV = new Float64Array(6 * n);
    this.#predicted = new Float64Array(6 * n);
    this.#a = new Float64Array(6 * n);
    this.#phi = new Float64Array(3 * n);
  }

  step(h: number): void {
    const data = this.#data;
    const { q, v } = this;
    const [trialQ, trialV] = [this.#trialQ, this.#trialV];
    const [predicted, a] = [this.#predicted, this.#a];
    turnArms(data, q);
    predictorRight(data, q, v, h);
    factorChain(data);
    solveChain(data, predicted);
    moved(v, h, predicted, trialV);
    turnBodies(data.n, h, q, trialV, trialQ, Turn.IMPLICIT);
    turnArms(data, trialQ);
    openings(data, trialQ, this.#phi);
    turnBodies(data.n, h / 2, q, trialV, trialQ, Turn.EXPONENTIAL);
    moved(v, h / 2, predicted, trialV);
    turnArms(data, trialQ);
    correctorRight(data, trialV, predicted, this.#phi, h);
    factorChain(data);
    solveChain(data, a);
    moved(v, h / 2, a, trialV);
    turnBodies(data.n, h, q, trialV, q, Turn.CAYLEY);
    moved(v, h, a, v);
  }
}

/** out = v + h a. */
function moved(v: Float64Array, h: number, a: Float64Array, out: Float64Array): void {
  for (let i = 0; i < v.length; i++) out[i] = v[i] + h * a[i];
}
