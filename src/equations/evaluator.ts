import type { Input } from "./description.js";
import { differentiate, differentiateTwice, lineStep, stepFor, TIME_STEP } from "./differences.js";
import type { Equations } from "./equations.js";
import type { UserFunctions } from "./functions.js";

/**
 * The constraints of a system and their derivatives at any state: given by the user, or else found by
 * differences. Holds its own scratch. What needs closures is apart: a function that contains one
 * allocates whenever it is called, also where the user gives the derivative.
 */
export class ConstraintEvaluator {
  readonly #functions: UserFunctions;
  readonly #q: Float64Array<ArrayBuffer>;
  readonly #v: Float64Array<ArrayBuffer>;
  readonly #value: Float64Array<ArrayBuffer>;
  readonly #rate: Float64Array<ArrayBuffer>;
  readonly #matrix: Float64Array<ArrayBuffer>;

  constructor(equations: Equations, functions: UserFunctions) {
    const n = equations.coordinateNames.length;
    const rows = Math.max(equations.holonomicNames.length, equations.nonholonomicNames.length);
    this.#functions = functions;
    this.#q = new Float64Array(n);
    this.#v = new Float64Array(n);
    this.#value = new Float64Array(rows);
    this.#rate = new Float64Array(rows);
    this.#matrix = new Float64Array(rows * n);
  }

  /** dPhi/dq, by rows. */
  jacobian(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.jacobian) functions.jacobian(q, v, out, t);
    else this.#jacobianByDifferences(q, v, out, t);
  }

  #jacobianByDifferences(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    this.#byCoordinates(q, this.#q, out, (point, value) => functions.phi(point, v, value, t));
  }

  /** dPhi/dt. */
  timeDerivative(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.timeDerivative) {
      functions.timeDerivative(q, v, out, t);
    } else if (functions.scleronomic) {
      out.fill(0);
    } else {
      const value = this.#value.subarray(0, out.length);
      differentiate(TIME_STEP, (s) => functions.phi(q, v, value, t + s), value, out);
    }
  }

  /**
   * gamma: minus the second derivative of Phi along (q + s v, t + s), which is that of Phi at zero
   * acceleration. From the Jacobian, where that is given, by one difference less.
   */
  gamma(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.gamma) functions.gamma(q, v, out, t);
    else this.#gammaByDifferences(q, v, out, t);
  }

  #gammaByDifferences(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    const value = this.#value.subarray(0, out.length);
    if (functions.gives.jacobian) {
      differentiate(lineStep(v), (s) => this.#rateOfPhi(q, v, s, value, t), value, out);
    } else {
      const sample = (s: number) => functions.phi(this.#along(q, v, s), v, value, t + s);
      differentiateTwice(lineStep(v), sample, value, out);
    }
    negate(out);
  }

  /** dPi/dv, by rows. */
  nonholonomicJacobian(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.nonholonomicJacobian) {
      functions.nonholonomicJacobian(q, v, out, t);
    } else {
      this.#byCoordinates(v, this.#v, out, (point, value) =>
        functions.nonholonomic(q, point, value, t),
      );
    }
  }

  /** Minus the derivative of Pi along (q + s v, t + s) at fixed v. */
  nonholonomicGamma(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.nonholonomicGamma) {
      functions.nonholonomicGamma(q, v, out, t);
      return;
    }
    const value = this.#value.subarray(0, out.length);
    const sample = (s: number) => functions.nonholonomic(this.#along(q, v, s), v, value, t + s);
    differentiate(lineStep(v), sample, value, out);
    negate(out);
  }

  /** J v + dPhi/dt at q + s v, t + s. */
  #rateOfPhi(q: Input, v: Input, s: number, out: Float64Array, t: number): void {
    const n = q.length;
    const matrix = this.#matrix.subarray(0, out.length * n);
    const rate = this.#rate.subarray(0, out.length);
    const point = this.#along(q, v, s);
    this.jacobian(point, v, matrix, t + s);
    this.timeDerivative(point, v, rate, t + s);
    for (let i = 0; i < out.length; i++) {
      let sum = rate[i] as number;
      for (let j = 0; j < n; j++) sum += (matrix[i * n + j] as number) * (v[j] as number);
      out[i] = sum;
    }
  }

  /** One column of a Jacobian after the other. */
  #byCoordinates(
    x: Input,
    point: Float64Array,
    out: Float64Array,
    evaluate: (point: Float64Array, value: Float64Array) => void,
  ): void {
    const n = x.length;
    const value = this.#value.subarray(0, out.length / n);
    point.set(x);
    for (let j = 0; j < n; j++) {
      const centre = x[j] as number;
      const sample = (s: number) => {
        point[j] = centre + s;
        this.#functions.changed();
        evaluate(point, value);
      };
      differentiate(stepFor(centre), sample, value, out, j, n);
      point[j] = centre;
    }
  }

  #along(q: Input, v: Input, s: number): Float64Array {
    for (let i = 0; i < q.length; i++) this.#q[i] = (q[i] as number) + s * (v[i] as number);
    this.#functions.changed();
    return this.#q;
  }
}

function negate(x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = -(x[i] as number);
}
