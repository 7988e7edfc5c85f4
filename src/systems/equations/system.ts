import type { Address } from "../../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../../ground/tolerance.js";
import type {
  ConstraintSolver,
  DenseEquations,
  NoiseReport,
  SolverKind,
  System,
} from "../../seam/methods.js";
import { checkSolver, DenseSolver } from "../dense-solver.js";
import { blame } from "./blame.js";
import type { Equations } from "./equations.js";
import { noiseOf } from "./noise.js";
import { EquationQuantities } from "./quantities.js";

/** A system whose equations are written by the user's functions: operators on dense matrices. */
export class EquationSystem extends EquationQuantities implements System {
  readonly ratesAreVelocities = true;
  readonly dense: DenseEquations;
  readonly #solvers = new Map<string, DenseSolver>();

  constructor(equations: Equations) {
    super(equations);
    this.dense = this.#denseEquations();
  }

  jacobianTimes(x: Address, out: Address): void {
    const n = this.velocities;
    this.workspace.kernels.matrixTransposeVector(n, this.rows, this.jacobian(), n, x, out);
  }

  jacobianTransposeTimes(lambda: Address, out: Address): void {
    const n = this.velocities;
    this.workspace.kernels.matrixVector(n, this.rows, this.jacobian(), n, lambda, out);
  }

  massTimes(x: Address, out: Address): void {
    const n = this.velocities;
    const mass = this.mass();
    if (this.equations.mass.diagonal) this.workspace.kernels.multiplyEach(n, mass, x, out);
    else this.workspace.kernels.matrixVector(n, n, mass, n, x, out);
  }

  positionRate(v: Address, scale: number, correction: Address, out: Address): void {
    this.workspace.kernels.axpy(this.velocities, scale, correction, v, out);
  }

  displace(q: Address, displacement: Address): void {
    this.workspace.kernels.axpy(this.positions, 1, displacement, q, q);
  }

  potential(): number {
    return this.functions.potential(this.views.q, this.views.v, this.time);
  }

  power(): number {
    return this.functions.power(this.views.q, this.views.v, this.time);
  }

  kineticEnergy(): number {
    const product = this.scratch.address;
    const v = this.segments.v.address;
    this.massTimes(v, product);
    return this.workspace.kernels.dot(this.velocities, v, product) / 2;
  }

  potentialGradient(out: Address): void {
    this.#derive(this.velocities, out, (q, v, target) =>
      this.derivatives.potentialGradient(q, v, target, this.time),
    );
  }

  kineticGradient(out: Address): void {
    this.#derive(this.velocities, out, (q, v, target) =>
      this.derivatives.kineticGradient(q, v, target, this.time),
    );
  }

  differences(t: number): { readonly name: string; readonly error: number } | undefined {
    const { q, v } = this.accepted;
    if (this.equations.differentiated.length === 0) return undefined;
    const found = this.constraints.differenceError(q, v, t);
    this.functions.changed();
    return found;
  }

  noise(t: number): NoiseReport {
    return noiseOf(this.equations, this.functions, this.constraints, { ...this.accepted, t });
  }

  solver(asked: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    const kind = asked === "auto" ? "cod" : asked;
    checkSolver(kind, tolerance);
    const key = `${kind} ${tolerance}`;
    const solver = this.#solvers.get(key) ?? new DenseSolver(this, kind, tolerance);
    this.#solvers.set(key, solver);
    return solver;
  }

  /** The error for a kernel's status: names the function that gave NaN, the coordinate or the row. */
  blame(status: number, advice: string): Error {
    return blame(this, status, advice);
  }

  #denseEquations(): DenseEquations {
    const n = this.velocities;
    const full = this.equations.mass.diagonal
      ? this.workspace.vector("full mass", n * n)
      : this.segments.mass.address;
    return {
      mass: () => {
        const mass = this.mass();
        if (mass !== full) this.workspace.kernels.diagonalMatrix(n, mass, full);
        return full;
      },
      jacobian: () => this.jacobian(),
      massRateTimesVelocity: (out) =>
        this.#derive(n, out, (q, v, target) =>
          this.derivatives.massRateTimesVelocity(q, v, target, this.time),
        ),
      jacobianRate: (out) =>
        this.#derive(this.rows * n, out, (q, v, target) =>
          this.derivatives.jacobianRate(q, v, target, this.time),
        ),
    };
  }

  /** Writes a derivative into the scratch and copies it where it is wanted. */
  #derive(
    count: number,
    out: Address,
    write: (q: Float64Array, v: Float64Array, target: Float64Array) => void,
  ): void {
    write(
      this.views.q,
      this.views.v,
      count === this.velocities ? this.parts.vector : this.parts.matrix,
    );
    this.functions.changed();
    this.workspace.kernels.copyVector(count, this.scratch.address, out);
  }
}
