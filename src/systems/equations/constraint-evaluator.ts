import type { Workspace } from "../../base/memory/workspace.js";
import type { InputArray } from "./description.js";
import { DifferenceColumns, remembered } from "./difference-columns.js";
import { DifferenceLine } from "./difference-line.js";
import type { Equations } from "./equations-types.js";
import type { UserFunctions } from "./user-functions.js";

/**
 * The constraints of a system and their derivatives at any state: given by the user, or computed by finite
 * differences. Has its own scratch; the steps of finite differences lie in the memory of the system.
 */
export class ConstraintEvaluator {
  readonly #functions: UserFunctions;
  /** Phi by (q, t), Pi by (q, t) and by v. */
  readonly #phi: DifferenceColumns;
  readonly #pi: DifferenceColumns;
  readonly #piByVelocity: DifferenceColumns;
  readonly #phiAlong: DifferenceLine;
  readonly #phiRateAlong: DifferenceLine;
  readonly #piAlong: DifferenceLine;
  /** (q, t) and (v, 1). */
  readonly #place: Float64Array<ArrayBuffer>;
  readonly #velocity: Float64Array<ArrayBuffer>;
  /** The (q, t) of samples. */
  readonly #sampled: Float64Array<ArrayBuffer>;
  readonly #rate: Float64Array<ArrayBuffer>;
  readonly #matrix: Float64Array<ArrayBuffer>;
  /** Arguments that samples do not vary. */
  #q: InputArray;
  #v: InputArray;
  #t = 0;

  constructor(equations: Equations, functions: UserFunctions, workspace: Workspace) {
    const n = equations.coordinateNames.length;
    const holonomic = equations.holonomicNames.length;
    const nonholonomic = equations.nonholonomicNames.length;
    this.#functions = functions;
    this.#place = new Float64Array(n + 1);
    this.#velocity = new Float64Array(n + 1).fill(1);
    this.#sampled = new Float64Array(n + 1);
    this.#rate = new Float64Array(holonomic);
    this.#matrix = new Float64Array(holonomic * n);
    this.#q = this.#v = new Float64Array(n);
    const point = new Float64Array(n);
    /** The positions in (q, t). */
    const positions = (x: Float64Array) => {
      for (let i = 0; i < n; i++) point[i] = x[i] as number;
      functions.changed();
      return point;
    };
    this.#phi = remembered(
      workspace,
      "steps of Phi",
      new DifferenceColumns(functions.scleronomic ? n : n + 1, holonomic, (x, value) =>
        functions.phi(positions(x), this.#v, value, x[n] ?? this.#t),
      ),
    );
    this.#pi = remembered(
      workspace,
      "steps of Pi",
      new DifferenceColumns(n + 1, nonholonomic, (x, value) =>
        functions.nonholonomic(positions(x), this.#v, value, x[n] as number),
      ),
    );
    this.#piByVelocity = remembered(
      workspace,
      "steps of Pi by velocities",
      new DifferenceColumns(n, nonholonomic, (v, value) => {
        functions.changed();
        functions.nonholonomic(this.#q, v, value, this.#t);
      }),
    );
    this.#phiAlong = new DifferenceLine(n, holonomic, (q, t, value) => {
      functions.changed();
      functions.phi(q, this.#v, value, functions.scleronomic ? this.#t : t);
    });
    this.#phiRateAlong = new DifferenceLine(n, holonomic, (q, t, value) => {
      functions.changed();
      this.#rateOfPhi(q, functions.scleronomic ? this.#t : t, value);
    });
    this.#piAlong = new DifferenceLine(n, nonholonomic, (q, t, value) => {
      functions.changed();
      functions.nonholonomic(q, this.#v, value, t);
    });
  }

  /** Fits the steps of the finite differences in use to a state. */
  fit(q: InputArray, v: InputArray, t: number): void {
    this.#setBase(q, v, t);
    if (this.#phi.isFound) this.#phi.fit(this.#place);
    if (this.#pi.isFound) this.#pi.fit(this.#place);
    if (this.#piByVelocity.isFound) this.#piByVelocity.fit(v);
  }

  /** dPhi/dq, row-major. */
  jacobian(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.jacobian) {
      functions.jacobian(q, v, out, t);
      return;
    }
    this.#setBase(q, v, t);
    this.#fitted(this.#phi, this.#place);
    const n = q.length;
    for (let j = 0; j < n; j++) this.#phi.column(this.#place, j, out, j, n);
  }

  /** dPhi/dt. */
  timeDerivative(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.timeDerivative) {
      functions.timeDerivative(q, v, out, t);
    } else if (functions.scleronomic) {
      out.fill(0);
    } else {
      // Also called while sampling: keep the base state.
      for (let i = 0; i < q.length; i++) this.#sampled[i] = q[i] as number;
      this.#sampled[q.length] = t;
      this.#v = v;
      this.#fitted(this.#phi, this.#sampled);
      this.#phi.column(this.#sampled, q.length, out);
    }
  }

  /**
   * gamma: minus the second derivative of Phi along (q + s v, t + s), which is that of Phi at zero acceleration. If
   * the Jacobian is given, only one derivative is a finite difference.
   */
  gamma(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.gamma) {
      functions.gamma(q, v, out, t);
      return;
    }
    const lengths = this.phiLengths(q, v, t);
    if (functions.gives.jacobian) {
      this.#phiRateAlong.first(this.#place, this.#velocity, lengths, out);
    } else this.#phiAlong.second(this.#place, this.#velocity, lengths, out);
    negate(out);
  }

  /** dPi/dv, row-major. */
  nonholonomicJacobian(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.nonholonomicJacobian) {
      functions.nonholonomicJacobian(q, v, out, t);
      return;
    }
    this.#setBase(q, v, t);
    this.#fitted(this.#piByVelocity, v);
    const n = v.length;
    for (let j = 0; j < n; j++) this.#piByVelocity.column(v, j, out, j, n);
  }

  /** Minus the derivative of Pi along (q + s v, t + s) at fixed v. */
  nonholonomicGamma(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.nonholonomicGamma) {
      functions.nonholonomicGamma(q, v, out, t);
      return;
    }
    this.#piAlong.first(this.#place, this.#velocity, this.piLengths(q, v, t), out);
    negate(out);
  }

  /**
   * Returns the function whose finite differences are worst, and the relative error of accelerations that they cause;
   * zero if all derivatives are given.
   */
  differenceError(
    q: InputArray,
    v: InputArray,
    t: number,
  ): { readonly name: string; readonly error: number } {
    this.#setBase(q, v, t);
    const { gives } = this.#functions;
    const all = [
      {
        name: "holonomic.value",
        error: gives.jacobian && gives.gamma ? 0 : this.#phi.errorAt(this.#place),
      },
      {
        name: "nonholonomic.value",
        error: Math.max(
          gives.nonholonomicGamma ? 0 : this.#pi.errorAt(this.#place),
          gives.nonholonomicJacobian ? 0 : this.#piByVelocity.errorAt(v),
        ),
      },
    ];
    return all.reduce((worst, each) => (each.error > worst.error ? each : worst));
  }

  /** Shortest known length over which Phi varies. */
  shortestLength(): number {
    return this.#phi.isFound ? this.#phi.shortestLength() : 1;
  }

  /** Lengths over which Phi varies with q, and with t if it depends on it. */
  phiLengths(q: InputArray, v: InputArray, t: number): DifferenceColumns {
    this.#setBase(q, v, t);
    this.#fitted(this.#phi, this.#place);
    return this.#phi;
  }

  /** Lengths over which Pi varies. */
  piLengths(q: InputArray, v: InputArray, t: number): DifferenceColumns {
    this.#setBase(q, v, t);
    this.#fitted(this.#pi, this.#place);
    return this.#pi;
  }

  #fitted(columns: DifferenceColumns, x: ArrayLike<number>): void {
    if (!columns.isFound) columns.fit(x);
  }

  /** Sets the state around which samples are taken. */
  #setBase(q: InputArray, v: InputArray, t: number): void {
    this.#q = q;
    this.#v = v;
    this.#t = t;
    for (let i = 0; i < q.length; i++) {
      this.#place[i] = q[i] as number;
      this.#velocity[i] = v[i] as number;
    }
    this.#place[q.length] = t;
  }

  /** J v + dPhi/dt at q and t, if J is given, with the v of the base state. */
  #rateOfPhi(q: InputArray, t: number, out: Float64Array): void {
    const n = q.length;
    const v = this.#v;
    this.#functions.jacobian(q, v, this.#matrix, t);
    this.timeDerivative(q, v, this.#rate, t);
    for (let i = 0; i < out.length; i++) {
      let sum = this.#rate[i] as number;
      for (let j = 0; j < n; j++) sum += (this.#matrix[i * n + j] as number) * (v[j] as number);
      out[i] = sum;
    }
  }
}

function negate(x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = -(x[i] as number);
}
