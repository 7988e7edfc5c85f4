// df/dy of the motion in independent coordinates, as implicit methods have it and by differences.

import type { BoundFormulation, ShiftedSolver, System, SystemSource } from "nodrift";
import { stateSpace } from "nodrift/solve";
import { identity, norm } from "./matrix.js";

/**
 * I - alpha J of the stiff models is a few times larger than I: J comes back from it with all but two or three
 * digits of a double.
 */
const ALPHA = 1e-6;
/** Of coordinates in metres, radians and their rates. */
const STEP = 1e-4;
/** Differences of fourth order: multiples of the step, and weights of 1 / (12 step). */
const POINTS = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;

/** Matrices are by columns. */
export class StateSpaceJacobian {
  /** Unknowns: independent positions, then their velocities. */
  readonly size: number;
  /** How implicit methods find it. */
  readonly how: string;
  readonly #system: System;
  readonly #bound: BoundFormulation;
  readonly #evaluate: () => void;
  readonly #solver: ShiftedSolver;
  readonly #rate: number;
  readonly #state: Float64Array;
  readonly #y: Float64Array;
  readonly #trial: Float64Array;
  readonly #out: Float64Array;

  constructor(source: SystemSource) {
    const system = source.system();
    const { workspace, positions, velocities, state } = system;
    const bound = stateSpace().bind(system, {});
    const { ode } = bound;
    const jacobian = ode.jacobian?.();
    if (!jacobian) throw new Error("independent coordinates have a Jacobian");
    const rate = workspace.vector("rate", ode.dimension);
    this.#solver = jacobian.shifted(false);
    this.#evaluate = () => jacobian.evaluate(0, rate);
    const arena = workspace.seal();
    const view = (address: number, slots: number) => arena.floats({ name: "", address, slots });
    this.size = ode.dimension;
    this.how = jacobian.how;
    this.#system = system;
    this.#bound = bound;
    this.#rate = rate;
    this.#state = view(state, positions + velocities);
    this.#y = view(ode.y, ode.dimension);
    this.#trial = view(ode.trial, ode.dimension);
    this.#out = view(rate, ode.dimension);
  }

  /** At a state: chooses the unknowns there. They can be moved after that. */
  begin(q: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
    this.#state.set(q);
    this.#state.set(v, q.length);
    this.#system.beginStep?.(0, 0);
    this.#bound.begin?.(0, 0);
    return this.#y;
  }

  /** As implicit methods have it: J = (I - X^-1) / alpha of the X = (I - alpha J)^-1 they solve with. */
  ofMethods(): Float64Array {
    const n = this.size;
    this.#rateAt(0, 0);
    this.#evaluate();
    if (!this.#solver.factor(ALPHA, 0)) throw new Error("I - alpha J is singular");
    const x = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      this.#out.fill(0);
      this.#out[j] = 1;
      this.#solver.solve(this.#rate, this.#rate);
      x.set(this.#out, n * j);
    }
    return inverse(n, x).map((value, k) => ((k % (n + 1) === 0 ? 1 : 0) - value) / ALPHA);
  }

  /** By differences of f. */
  byDifferences(): Float64Array {
    const n = this.size;
    const matrix = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      for (const [multiple, weight] of POINTS) {
        const rate = this.#rateAt(j, multiple * STEP);
        for (let i = 0; i < n; i++) matrix[i + n * j] += (weight * rate[i]) / (12 * STEP);
      }
    }
    return matrix;
  }

  #rateAt(index: number, by: number): Float64Array {
    this.#trial.set(this.#y);
    this.#trial[index] += by;
    this.#bound.ode.rate(0, this.#rate);
    return this.#out;
  }
}

/** |A - B| / |B| of a block of the accelerations: by the positions, or by the velocities. */
export function blockError(
  size: number,
  a: Float64Array,
  b: Float64Array,
  by: "positions" | "velocities",
): number {
  const half = size / 2;
  const from = by === "positions" ? 0 : half;
  const block = (matrix: Float64Array) =>
    Array.from({ length: half * half }, (_, k) => {
      return matrix[half + (k % half) + size * (from + Math.floor(k / half))];
    });
  const expected = block(b);
  return norm(block(a).map((value, k) => value - expected[k])) / norm(expected);
}

/** By Gauss and Jordan with pivots from columns. */
function inverse(n: number, matrix: Float64Array): Float64Array {
  const a = Float64Array.from(matrix);
  const b = identity(n);
  const swap = (m: Float64Array, i: number, j: number) => {
    for (let k = 0; k < n * n; k += n) [m[i + k], m[j + k]] = [m[j + k], m[i + k]];
  };
  for (let p = 0; p < n; p++) {
    let pivot = p;
    for (let i = p; i < n; i++) {
      if (Math.abs(a[i + n * p]) > Math.abs(a[pivot + n * p])) pivot = i;
    }
    for (const m of [a, b]) swap(m, p, pivot);
    const column = a.slice(n * p, n * (p + 1));
    for (const m of [a, b]) {
      for (let k = 0; k < n * n; k += n) {
        const value = m[p + k] / column[p];
        for (let i = 0; i < n; i++) m[i + k] -= column[i] * value;
        m[p + k] = value;
      }
    }
  }
  return b;
}
