// One step of Welch's second-order embedding (Welch et al. 2007, eq. 44: two passes) in plain JavaScript, for a constant
// diagonal mass matrix: the algorithm of the package with what is fastest in JavaScript here, the Cholesky factor of
// J M^-1 J^T. No allocation in a step.

/** A system as functions that write into arrays. */
export interface EmbeddedModel {
  readonly n: number;
  readonly m: number;
  readonly masses: Float64Array;
  /** Constant. */
  readonly forces: Float64Array;
  phi(q: Float64Array, out: Float64Array): void;
  jacobian(q: Float64Array, out: Float64Array): void;
}

export class WelchStepper {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly #model: EmbeddedModel;
  readonly #inverse: Float64Array;
  readonly #free: Float64Array;
  readonly #place: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #factor: Float64Array;
  readonly #phi: Float64Array;
  readonly #right: Float64Array;
  readonly #predicted: Float64Array;
  readonly #a: Float64Array;

  constructor(model: EmbeddedModel, q: ArrayLike<number>) {
    const { n, m } = model;
    this.#model = model;
    this.q = Float64Array.from(q);
    this.v = new Float64Array(n);
    this.#inverse = model.masses.map((mass) => 1 / mass);
    this.#free = model.forces.map((force, i) => force / model.masses[i]);
    this.#place = new Float64Array(n);
    this.#jacobian = new Float64Array(m * n);
    this.#factor = new Float64Array(m * m);
    this.#phi = new Float64Array(m);
    this.#right = new Float64Array(m);
    this.#predicted = new Float64Array(n);
    this.#a = new Float64Array(n);
  }

  step(h: number): void {
    const { n, m } = this.#model;
    const { q, v } = this;
    const model = this.#model;
    const jacobian = this.#jacobian;
    const right = this.#right;
    const phi = this.#phi;
    model.phi(q, phi);
    model.jacobian(q, jacobian);
    for (let k = 0; k < m; k++) {
      let rate = 0;
      for (let j = 0; j < n; j++) rate += jacobian[k * n + j] * v[j];
      right[k] = -phi[k] / (h * h) - rate / h;
    }
    this.#solve(this.#predicted);
    const place = this.#place;
    const predicted = this.#predicted;
    for (let i = 0; i < n; i++) place[i] = q[i] + h * (v[i] + h * predicted[i]);
    model.phi(place, phi);
    for (let i = 0; i < n; i++) place[i] = q[i] + (h / 2) * (v[i] + h * predicted[i]);
    for (let pass = 0; pass < 2; pass++) {
      model.jacobian(place, jacobian);
      for (let k = 0; k < m; k++) {
        let product = 0;
        for (let j = 0; j < n; j++) product += jacobian[k * n + j] * predicted[j];
        right[k] = 2 * product - (2 * phi[k]) / (h * h);
      }
      this.#solve(this.#a);
    }
    const a = this.#a;
    for (let i = 0; i < n; i++) {
      q[i] += h * (v[i] + (h / 2) * a[i]);
      v[i] += h * a[i];
    }
  }

  /** a = free + M^-1 J^T lambda with J a = right. */
  #solve(a: Float64Array): void {
    const { n, m } = this.#model;
    const jacobian = this.#jacobian;
    const inverse = this.#inverse;
    const factor = this.#factor;
    const right = this.#right;
    const free = this.#free;
    for (let k = 0; k < m; k++) {
      let rest = right[k];
      for (let j = 0; j < n; j++) rest -= jacobian[k * n + j] * free[j];
      for (let l = 0; l <= k; l++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += jacobian[k * n + j] * inverse[j] * jacobian[l * n + j];
        for (let i = 0; i < l; i++) sum -= factor[k * m + i] * factor[l * m + i];
        factor[k * m + l] = l === k ? Math.sqrt(sum) : sum / factor[l * m + l];
      }
      for (let l = 0; l < k; l++) rest -= factor[k * m + l] * right[l];
      right[k] = rest / factor[k * m + k];
    }
    for (let k = m - 1; k >= 0; k--) {
      let rest = right[k];
      for (let l = k + 1; l < m; l++) rest -= factor[l * m + k] * right[l];
      right[k] = rest / factor[k * m + k];
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < m; k++) sum += jacobian[k * n + i] * right[k];
      a[i] = free[i] + inverse[i] * sum;
    }
  }
}

/** The double pendulum of Welch et al., written out. */
export function doublePendulumModel(): EmbeddedModel {
  const HALF = 5 / 2;
  const INERTIA = 25 / 12;
  return {
    n: 6,
    m: 4,
    masses: Float64Array.of(1, 1, INERTIA, 1, 1, INERTIA),
    forces: Float64Array.of(10, 0, 0, 10, 0, 0),
    phi(q, out) {
      const s1 = HALF * Math.sin(q[2]);
      const c1 = HALF * Math.cos(q[2]);
      out[0] = q[0] - s1;
      out[1] = q[1] - c1;
      out[2] = q[3] - q[0] - s1 - HALF * Math.sin(q[5]);
      out[3] = q[4] - q[1] - c1 - HALF * Math.cos(q[5]);
    },
    jacobian(q, out) {
      out[0] = out[7] = out[15] = out[22] = 1;
      out[12] = out[19] = -1;
      out[2] = out[14] = -HALF * Math.cos(q[2]);
      out[8] = out[20] = HALF * Math.sin(q[2]);
      out[17] = -HALF * Math.cos(q[5]);
      out[23] = HALF * Math.sin(q[5]);
    },
  };
}
