// df/dy of the motion in independent coordinates, from implicit methods and by finite differences.

import { none, type ShiftedSolver, type System } from "../../../src/index.js";
import { stateSpace } from "../../../src/solve.js";

/**
 * I - alpha J of the stiff models is a few times larger than I: J is recovered from it with all but
 * two or three digits of a double.
 */
const ALPHA = 1e-6;
/** Step of finite differences, for coordinates in metres, radians and their rates. */
const STEP = 1e-4;
/** Finite differences of fourth order: multiples of the step, and weights of 1 / (12 step). */
const POINTS = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;

/** df/dy of a system in independent coordinates. Matrices are column-major. */
export class StateSpaceJacobian {
  /** Number of unknowns: independent positions, then their velocities. */
  readonly size: number;
  /** Source of the Jacobian in implicit methods. */
  readonly how: string;
  readonly #system: System;
  readonly #bound: ReturnType<ReturnType<typeof stateSpace>["bind"]>;
  readonly #evaluate: () => void;
  readonly #solver: ShiftedSolver;
  readonly #rate: number;
  readonly #state: Float64Array;
  /** Location of the public state, to which an initial state is written. */
  readonly #seen: number;
  readonly #y: Float64Array;
  readonly #trial: Float64Array;
  readonly #out: Float64Array;

  constructor(source: { system(): System }) {
    const made = source.system();
    // The papers partition the coordinates of bodies.
    const system = made.publicState?.maximal() ?? made;
    const { workspace, state } = system;
    const bound = stateSpace().bind(system, none().bind(system));
    const { ode } = bound;
    const jacobian = ode.jacobian?.();
    if (!jacobian) throw new Error("independent coordinates have a Jacobian");
    const rate = workspace.vector("rate", ode.dimension);
    const shown = system.publicState?.coordinates ?? system.coordinates;
    const numbers = shown.positions + shown.velocities;
    this.#seen = system.publicState ? workspace.vector("public state", numbers) : state.q;
    this.#solver = jacobian.shifted(false);
    this.#evaluate = () => jacobian.evaluate(0, rate);
    const arena = workspace.seal();
    const view = (address: number, slots: number) => arena.floats({ name: "", address, slots });
    this.size = ode.dimension;
    this.how = jacobian.source;
    this.#system = system;
    this.#bound = bound;
    this.#rate = rate;
    this.#state = view(this.#seen, numbers);
    this.#y = view(ode.y, ode.dimension);
    this.#trial = view(ode.trial, ode.dimension);
    this.#out = view(rate, ode.dimension);
  }

  /** Chooses the unknowns at a state and returns them. They can be changed afterwards. */
  begin(q: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
    this.#state.set(q);
    this.#state.set(v, q.length);
    this.#system.publicState?.read(this.#seen, this.#system.state.q);
    this.#system.continuation.beginStep(0, 0);
    this.#bound.beginStep(0, 0);
    return this.#y;
  }

  /**
   * The Jacobian of implicit methods: J = (I - X^-1) / alpha of the X = (I - alpha J)^-1 they solve
   * with.
   */
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

  /** The Jacobian by finite differences of f, with `times` the usual step. */
  byDifferences(times = 1): Float64Array {
    const n = this.size;
    const step = times * STEP;
    const matrix = new Float64Array(n * n);
    for (let j = 0; j < n; j++) {
      for (const [multiple, weight] of POINTS) {
        const rate = this.#rateAt(j, multiple * step);
        for (let i = 0; i < n; i++) {
          const before = matrix[i + n * j] as number;
          matrix[i + n * j] = before + (weight * (rate[i] as number)) / (12 * step);
        }
      }
    }
    return matrix;
  }

  #rateAt(index: number, by: number): Float64Array {
    this.#trial.set(this.#y);
    this.#trial[index] = (this.#y[index] as number) + by;
    this.#bound.ode.rate(0, this.#rate);
    return this.#out;
  }
}

/** The inverse by Gauss-Jordan elimination with partial pivoting. */
function inverse(n: number, matrix: Float64Array): Float64Array {
  const a = Float64Array.from(matrix);
  const b = new Float64Array(n * n).map((_, k) => (k % (n + 1) === 0 ? 1 : 0));
  const at = (m: Float64Array, k: number) => m[k] as number;
  const swap = (m: Float64Array, i: number, j: number) => {
    for (let k = 0; k < n * n; k += n) [m[i + k], m[j + k]] = [at(m, j + k), at(m, i + k)];
  };
  for (let p = 0; p < n; p++) {
    let pivot = p;
    for (let i = p; i < n; i++) {
      if (Math.abs(at(a, i + n * p)) > Math.abs(at(a, pivot + n * p))) pivot = i;
    }
    for (const m of [a, b]) swap(m, p, pivot);
    const column = a.slice(n * p, n * (p + 1));
    for (const m of [a, b]) {
      for (let k = 0; k < n * n; k += n) {
        const value = at(m, p + k) / at(column, p);
        for (let i = 0; i < n; i++) m[i + k] = at(m, i + k) - at(column, i) * value;
        m[p + k] = value;
      }
    }
  }
  return b;
}
