// One RK4 step with drift elimination (Braun and Goldfarb, eq. 16) in plain JavaScript: the algorithm of the
// package, with the fastest JavaScript kernels of this folder. No allocation in a step.

import { choleskyPlain } from "./cholesky.js";
import { type Cod, codFactor, codSolve, makeCod } from "./cod.js";

/** A system as functions that write into arrays. */
export interface StepModel {
  readonly n: number;
  readonly m: number;
  prepare(q: Float64Array, v: Float64Array): void;
  mass(out: Float64Array): void;
  forces(v: Float64Array, out: Float64Array): void;
  phi(q: Float64Array, out: Float64Array): void;
  jacobian(out: Float64Array): void;
  gamma(v: Float64Array, out: Float64Array): void;
}

export class DriftEliminationStepper {
  readonly y: Float64Array;
  readonly #model: StepModel;
  readonly #trial: Float64Array;
  readonly #slopes: readonly Float64Array[];
  readonly #mass: Float64Array;
  readonly #factor: Float64Array;
  readonly #forces: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #scaled: Float64Array;
  readonly #cod: Cod;
  readonly #phi: Float64Array;
  readonly #phiDot: Float64Array;
  readonly #frozenDot: Float64Array;
  readonly #gamma: Float64Array;
  readonly #right: Float64Array;
  readonly #z: Float64Array;
  readonly #q: Float64Array;
  readonly #v: Float64Array;

  constructor(model: StepModel, q: ArrayLike<number>, v: ArrayLike<number>) {
    const { n, m } = model;
    this.#model = model;
    this.y = Float64Array.of(...Array.from(q), ...Array.from(v));
    this.#trial = new Float64Array(2 * n);
    this.#slopes = Array.from({ length: 4 }, () => new Float64Array(2 * n));
    this.#mass = new Float64Array(n * n);
    this.#factor = new Float64Array(n * n);
    this.#forces = new Float64Array(n);
    this.#jacobian = new Float64Array(m * n);
    this.#scaled = new Float64Array(m * n);
    this.#cod = makeCod(m, n);
    this.#phi = new Float64Array(m);
    this.#phiDot = new Float64Array(m);
    this.#frozenDot = new Float64Array(m);
    this.#gamma = new Float64Array(m);
    this.#right = new Float64Array(m);
    this.#z = new Float64Array(n);
    this.#q = this.#trial.subarray(0, n);
    this.#v = this.#trial.subarray(n);
  }

  step(h: number): void {
    const y = this.y;
    const trial = this.#trial;
    const size = y.length;
    const [k1, k2, k3, k4] = this.#slopes;
    trial.set(y);
    this.#rate(1 / h, true, k1);
    for (let i = 0; i < size; i++) trial[i] = y[i] + 0.5 * h * k1[i];
    this.#rate(1 / h, false, k2);
    for (let i = 0; i < size; i++) trial[i] = y[i] + 0.5 * h * k2[i];
    this.#rate(1 / h, false, k3);
    for (let i = 0; i < size; i++) trial[i] = y[i] + h * k3[i];
    this.#rate(1 / h, false, k4);
    const sixth = h / 6;
    for (let i = 0; i < size; i++) y[i] += sixth * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  }

  #rate(inverse: number, first: boolean, out: Float64Array): void {
    const { n, m } = this.#model;
    const model = this.#model;
    const v = this.#v;
    const jacobian = this.#jacobian;
    model.prepare(this.#q, v);
    model.mass(this.#mass);
    model.forces(v, this.#forces);
    model.jacobian(jacobian);
    model.gamma(v, this.#gamma);
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += jacobian[i * n + j] * v[j];
      this.#phiDot[i] = sum;
    }
    if (first) {
      model.phi(this.#q, this.#phi);
      this.#frozenDot.set(this.#phiDot);
    }
    choleskyPlain(n, this.#mass, this.#factor);
    for (let i = 0; i < m; i++) this.#whiten(jacobian, i * n, this.#scaled, i * n);
    codFactor(this.#scaled, this.#cod);
    this.#velocities(inverse, out);
    this.#accelerations(inverse, out);
  }

  /** q' = v + minnorm(-Phi' - Phi_n / h). */
  #velocities(inverse: number, out: Float64Array): void {
    const { n, m } = this.#model;
    for (let i = 0; i < m; i++) this.#right[i] = -this.#phiDot[i] - inverse * this.#phi[i];
    codSolve(this.#cod, this.#right, this.#z);
    this.#unwhiten(this.#z);
    for (let i = 0; i < n; i++) out[i] = this.#v[i] + this.#z[i];
  }

  /** v' = L^-T (w + C^+ (gamma - Phi'_n / h - C w)), w = L^-1 Q. */
  #accelerations(inverse: number, out: Float64Array): void {
    const { n, m } = this.#model;
    const w = this.#forces;
    this.#whiten(w, 0, w, 0);
    for (let i = 0; i < m; i++) {
      let sum = this.#gamma[i] - inverse * this.#frozenDot[i];
      for (let j = 0; j < n; j++) sum -= this.#scaled[i * n + j] * w[j];
      this.#right[i] = sum;
    }
    codSolve(this.#cod, this.#right, this.#z);
    for (let i = 0; i < n; i++) this.#z[i] += w[i];
    this.#unwhiten(this.#z);
    for (let i = 0; i < n; i++) out[n + i] = this.#z[i];
  }

  /** L^-1 b, with the reciprocals on the diagonal of L. */
  #whiten(b: Float64Array, from: number, x: Float64Array, to: number): void {
    const { n } = this.#model;
    const l = this.#factor;
    for (let i = 0; i < n; i++) {
      let sum = b[from + i];
      for (let k = 0; k < i; k++) sum -= l[i * n + k] * x[to + k];
      x[to + i] = sum * l[i * n + i];
    }
  }

  /** L^-T x in place. */
  #unwhiten(x: Float64Array): void {
    const { n } = this.#model;
    const l = this.#factor;
    for (let i = n - 1; i >= 0; i--) {
      const value = x[i] * l[i * n + i];
      x[i] = value;
      for (let k = 0; k < i; k++) x[k] -= l[i * n + k] * value;
    }
  }
}
