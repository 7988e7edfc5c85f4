import { SimulationError } from "../../ground/errors.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import type { ConstraintEvaluator } from "./constraint-evaluator.js";
import type { InputArray } from "./description.js";
import { DifferenceColumns, remembered } from "./difference-columns.js";
import { DifferenceLine } from "./difference-line.js";
import type { Equations } from "./made.js";
import type { UserFunctions } from "./user-functions.js";

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
  readonly #mass: Float64Array<ArrayBuffer>;
  readonly #product: Float64Array<ArrayBuffer>;
  /** V by q, v.M(q)v / 2 by q, M by (q, t). */
  readonly #potential: DifferenceColumns;
  readonly #kinetic: DifferenceColumns;
  readonly #massByPlace: DifferenceColumns;
  readonly #massAlong: DifferenceLine;
  readonly #jacobianAlong: DifferenceLine;
  readonly #nonholonomicAlong: DifferenceLine;
  /** (q, t) and (v, 1). */
  readonly #place: Float64Array<ArrayBuffer>;
  readonly #velocity: Float64Array<ArrayBuffer>;
  /** What samples do not vary. */
  #v: InputArray;
  #t = 0;

  constructor(
    equations: Equations,
    functions: UserFunctions,
    constraints: ConstraintEvaluator,
    workspace: Workspace,
  ) {
    const n = equations.coordinateNames.length;
    this.#equations = equations;
    this.#functions = functions;
    this.#constraints = constraints;
    this.#massIsConstant = equations.mass.function === undefined;
    this.#massIsDiagonal = equations.mass.diagonal;
    this.#mass = new Float64Array(this.#massIsDiagonal ? n : n * n);
    this.#product = new Float64Array(n);
    this.#place = new Float64Array(n + 1);
    this.#velocity = new Float64Array(n + 1).fill(1);
    this.#v = new Float64Array(n);
    const point = new Float64Array(n);
    this.#potential = remembered(
      workspace,
      "steps of the potential",
      new DifferenceColumns(n, 1, (q, value) => {
        functions.changed();
        value[0] = functions.potential(q, this.#v, this.#t);
      }),
    );
    this.#kinetic = remembered(
      workspace,
      "steps of the kinetic energy",
      new DifferenceColumns(n, 1, (q, value) => {
        functions.changed();
        value[0] = this.#kineticEnergy(q);
      }),
    );
    this.#massByPlace = remembered(
      workspace,
      "steps of the mass",
      new DifferenceColumns(n + 1, this.#mass.length, (x, value) => {
        for (let i = 0; i < n; i++) point[i] = x[i] as number;
        functions.changed();
        functions.mass(point, this.#v, value, x[n] as number);
      }),
    );
    this.#massAlong = new DifferenceLine(n, n, (q, t, value) => {
      functions.changed();
      this.#massTimes(q, t, value);
    });
    this.#jacobianAlong = new DifferenceLine(
      n,
      equations.holonomicNames.length * n,
      (q, t, value) => constraints.jacobian(q, this.#v, value, t),
    );
    this.#nonholonomicAlong = new DifferenceLine(
      n,
      equations.nonholonomicNames.length * n,
      (q, t, value) => constraints.nonholonomicJacobian(q, this.#v, value, t),
    );
  }

  /** Fits the steps of the differences that are in use to a state. */
  fit(q: InputArray, v: InputArray, t: number): void {
    this.#stand(q, v, t);
    if (this.#potential.isFound) this.#potential.fit(q);
    if (this.#kinetic.isFound) this.#kinetic.fit(q);
    if (this.#massByPlace.isFound) this.#massByPlace.fit(this.#place);
  }

  /** dM/dt v along the motion. */
  massRateTimesVelocity(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    this.#stand(q, v, t);
    if (!this.#massByPlace.isFound) this.#massByPlace.fit(this.#place);
    this.#massAlong.first(this.#place, this.#velocity, this.#massByPlace, out);
  }

  /** dJ/dt along the motion, by rows, holonomic rows first. */
  jacobianRate(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const { holonomicNames, nonholonomicNames } = this.#equations;
    const split = holonomicNames.length * q.length;
    this.#stand(q, v, t);
    if (split > 0) {
      const lengths = this.#constraints.phiLengths(q, v, t);
      this.#jacobianAlong.first(this.#place, this.#velocity, lengths, out.subarray(0, split));
    }
    if (nonholonomicNames.length > 0) {
      const lengths = this.#constraints.piLengths(q, v, t);
      this.#nonholonomicAlong.first(this.#place, this.#velocity, lengths, out.subarray(split));
    }
  }

  /** dV/dq. */
  potentialGradient(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    const functions = this.#functions;
    if (functions.gives.potentialGradient) functions.potentialGradient(q, v, out, t);
    else this.#gradient(this.#potential, q, v, out, t);
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
  kineticGradient(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    if (this.#massIsConstant) {
      out.fill(0);
      return;
    }
    this.#gradient(this.#kinetic, q, v, out, t);
  }

  #gradient(
    columns: DifferenceColumns,
    q: InputArray,
    v: InputArray,
    out: Float64Array,
    t: number,
  ): void {
    this.#stand(q, v, t);
    if (!columns.isFound) columns.fit(q);
    for (let j = 0; j < q.length; j++) columns.column(q, j, out, j);
  }

  /** v.M(q)v / 2 with the v and t of the present state. */
  #kineticEnergy(q: InputArray): number {
    const v = this.#v;
    this.#massTimes(q, this.#t, this.#product);
    let sum = 0;
    for (let i = 0; i < v.length; i++) sum += (v[i] as number) * (this.#product[i] as number);
    return sum / 2;
  }

  /** The product M(q, t) v with the v of the present state. */
  #massTimes(q: InputArray, t: number, out: Float64Array): void {
    const v = this.#v;
    const n = v.length;
    this.#functions.mass(q, v, this.#mass, t);
    for (let i = 0; i < n; i++) {
      let sum = this.#massIsDiagonal ? (this.#mass[i] as number) * (v[i] as number) : 0;
      if (!this.#massIsDiagonal) {
        for (let j = 0; j < n; j++) sum += (this.#mass[i * n + j] as number) * (v[j] as number);
      }
      out[i] = sum;
    }
  }

  /** The state that samples are around. */
  #stand(q: InputArray, v: InputArray, t: number): void {
    this.#v = v;
    this.#t = t;
    for (let i = 0; i < q.length; i++) {
      this.#place[i] = q[i] as number;
      this.#velocity[i] = v[i] as number;
    }
    this.#place[q.length] = t;
  }
}
