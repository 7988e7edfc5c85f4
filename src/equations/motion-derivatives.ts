import { SimulationError } from "../errors.js";
import type { Input } from "./description.js";
import { differentiate, lineStep, stepFor } from "./differences.js";
import type { Equations } from "./equations.js";
import type { ConstraintEvaluator } from "./evaluator.js";
import type { UserFunctions } from "./functions.js";

/**
 * Derivatives of the mass matrix, of the Jacobian and of the energies, by differences: few methods need
 * them, and no user has to write them down.
 */
export class MotionDerivatives {
  readonly #equations: Equations;
  readonly #functions: UserFunctions;
  readonly #constraints: ConstraintEvaluator;
  readonly #massIsConstant: boolean;
  readonly #massIsDiagonal: boolean;
  readonly #point: Float64Array<ArrayBuffer>;
  readonly #mass: Float64Array<ArrayBuffer>;
  readonly #product: Float64Array<ArrayBuffer>;
  readonly #scalar = new Float64Array(1);
  readonly #holonomic: Float64Array<ArrayBuffer>;
  readonly #nonholonomic: Float64Array<ArrayBuffer>;

  constructor(equations: Equations, functions: UserFunctions, constraints: ConstraintEvaluator) {
    const n = equations.coordinateNames.length;
    this.#equations = equations;
    this.#functions = functions;
    this.#constraints = constraints;
    this.#massIsConstant = equations.mass.function === undefined;
    this.#massIsDiagonal = equations.mass.diagonal;
    this.#point = new Float64Array(n);
    this.#mass = new Float64Array(this.#massIsDiagonal ? n : n * n);
    this.#product = new Float64Array(n);
    this.#holonomic = new Float64Array(equations.holonomicNames.length * n);
    this.#nonholonomic = new Float64Array(equations.nonholonomicNames.length * n);
  }

  /** dM/dt v along the motion. */
  massRateTimesVelocity(q: Input, v: Input, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    const sample = (s: number) => this.#massTimes(this.#along(q, v, s), v, t + s);
    differentiate(lineStep(v), sample, this.#product, out);
  }

  /** dJ/dt along the motion, by rows, holonomic rows first. */
  jacobianRate(q: Input, v: Input, out: Float64Array, t: number): void {
    const split = this.#holonomic.length;
    const step = lineStep(v);
    const holonomic = (s: number) =>
      this.#constraints.jacobian(this.#along(q, v, s), v, this.#holonomic, t + s);
    differentiate(step, holonomic, this.#holonomic, out);
    const nonholonomic = (s: number) =>
      this.#constraints.nonholonomicJacobian(this.#along(q, v, s), v, this.#nonholonomic, t + s);
    differentiate(step, nonholonomic, this.#nonholonomic, out, split);
  }

  /** dV/dq. */
  potentialGradient(q: Input, v: Input, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.potentialGradient) functions.potentialGradient(q, v, out, t);
    else this.#gradient(q, out, (point) => this.#functions.potential(point, v, t));
    const bad = out.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      const { name, coordinateNames } = this.#equations;
      throw new SimulationError(
        "EVALUATION",
        t,
        `${name}: potentialGradient gave ${out[bad]} for "${coordinateNames[bad]}" at t = ${t}`,
      );
    }
  }

  /** d/dq of v.M(q)v / 2 at fixed v. */
  kineticGradient(q: Input, v: Input, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    this.#gradient(q, out, (point) => {
      this.#massTimes(point, v, t);
      let sum = 0;
      for (let i = 0; i < v.length; i++) sum += (v[i] as number) * (this.#product[i] as number);
      return sum / 2;
    });
  }

  #gradient(q: Input, out: Float64Array, evaluate: (point: Float64Array) => number): void {
    this.#point.set(q);
    for (let j = 0; j < q.length; j++) {
      const centre = q[j] as number;
      const sample = (s: number) => {
        this.#point[j] = centre + s;
        this.#functions.changed();
        this.#scalar[0] = evaluate(this.#point);
      };
      differentiate(stepFor(centre), sample, this.#scalar, out, j);
      this.#point[j] = centre;
    }
  }

  /** The product M(q, t) v. */
  #massTimes(q: Input, v: Input, t: number): void {
    const n = v.length;
    this.#functions.mass(q, v, this.#mass, t);
    for (let i = 0; i < n; i++) {
      let sum = this.#massIsDiagonal ? (this.#mass[i] as number) * (v[i] as number) : 0;
      if (!this.#massIsDiagonal) {
        for (let j = 0; j < n; j++) sum += (this.#mass[i * n + j] as number) * (v[j] as number);
      }
      this.#product[i] = sum;
    }
  }

  #along(q: Input, v: Input, s: number): Float64Array {
    for (let i = 0; i < q.length; i++) this.#point[i] = (q[i] as number) + s * (v[i] as number);
    this.#functions.changed();
    return this.#point;
  }
}
