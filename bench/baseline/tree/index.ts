// Articulated bodies (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3) for trees on hinges, with steps of
// RK4, in plain JavaScript: the recursion of the package, written for this one kind of joint. World axes, bodies referred
// to the material point at their hinge, classical accelerations, angular part first. It allocates nothing in a step.

import { accelerate, inward, outward, treeOf } from "./passes.js";
import type { HingedBody, Tree } from "./tables.js";

export type { HingedBody } from "./tables.js";

export class HingeTree {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #tree: Tree;
  readonly #trialQ: Float64Array;
  readonly #trialV: Float64Array;
  readonly #sumQ: Float64Array;
  readonly #sumV: Float64Array;
  readonly #a: Float64Array;

  /** Bodies, parents first. All angles are zero at the given poses. */
  constructor(bodies: readonly HingedBody[], gravity: readonly number[], rates: readonly number[]) {
    const n = bodies.length;
    this.q = new Float64Array(n);
    this.v = Float64Array.from(rates);
    this.#tree = treeOf(bodies, gravity);
    this.#trialQ = new Float64Array(n);
    this.#trialV = new Float64Array(n);
    this.#sumQ = new Float64Array(n);
    this.#sumV = new Float64Array(n);
    this.#a = new Float64Array(n);
  }

  /** q'' at a state. Returns the same array in every call. */
  accelerations(q = this.q, v = this.v): Float64Array {
    outward(this.#tree, q, v);
    inward(this.#tree);
    accelerate(this.#tree, this.#a);
    return this.#a;
  }

  /** A step of the classical Runge-Kutta method. */
  step(h: number): void {
    const { q, v } = this;
    const [sumQ, sumV, trialQ, trialV] = [this.#sumQ, this.#sumV, this.#trialQ, this.#trialV];
    const n = q.length;
    let a = this.accelerations(q, v);
    for (let i = 0; i < n; i++) {
      sumQ[i] = v[i];
      sumV[i] = a[i];
      trialQ[i] = q[i] + 0.5 * h * v[i];
      trialV[i] = v[i] + 0.5 * h * a[i];
    }
    for (let stage = 1; stage < 3; stage++) {
      const far = stage === 1 ? 0.5 * h : h;
      a = this.accelerations(trialQ, trialV);
      for (let i = 0; i < n; i++) {
        const rate = trialV[i];
        sumQ[i] += 2 * rate;
        sumV[i] += 2 * a[i];
        trialQ[i] = q[i] + far * rate;
        trialV[i] = v[i] + far * a[i];
      }
    }
    a = this.accelerations(trialQ, trialV);
    for (let i = 0; i < n; i++) {
      q[i] += (h / 6) * (sumQ[i] + trialV[i]);
      v[i] += (h / 6) * (sumV[i] + a[i]);
    }
  }
}
