import type { Equations } from "../systems/equations/equations.js";
import { EquationSystem } from "../systems/equations/system.js";
import { placeState, requireEquations, type StateLike } from "./equation-state.js";

/** Matrices and vectors at a state, in the space scaled by the mass matrix. Matrices are row-major. */
export interface ConstraintProjectors {
  /** S, lower triangular: M = S S^T. */
  readonly scale: Float64Array;
  /** E = S^-1 J^T, n x m. */
  readonly constraintMatrix: Float64Array;
  /** The transposed pseudoinverse of E, n x m: S^T minnorm(c) is this times c. */
  readonly pseudoinverse: Float64Array;
  /** The projector onto the directions that the constraints hold, n x n: E E^+. */
  readonly onConstraints: Float64Array;
  /** The projector onto the free directions: I - E E^+. */
  readonly onMotion: Float64Array;
  /** Scaled forces, S^-1 Q. */
  readonly forces: Float64Array;
  /** Scaled forces of constraint, S^-1 J^T lambda: accelerations less forces. */
  readonly constraintForces: Float64Array;
  /** Scaled accelerations, S^T a. */
  readonly accelerations: Float64Array;
}

/**
 * The geometry of constrained motion: projectors in the space where the mass matrix is the identity (Laulusa and Bauchau
 * 2008, eqs. 16 to 20),
 *
 *   P = E E^+ onto the constraints,   accelerations = (I - P) forces + E^+T gamma
 *   constraint forces = -P forces + E^+T gamma = accelerations - forces
 *
 * Constraint forces lie in the image of P whatever acts; forces in the image of I - P move the system as if there were no
 * constraints. Forces of constraint have the sign they act with, M a = Q + J^T lambda, which is the opposite of the
 * paper's. Constraints may be redundant: P is unique.
 *
 * @example
 * const at = projectors(pendulum);
 * const { onConstraints, constraintForces } = at({ q: [1, 0], v: [0, 2] });
 */
export function projectors(
  equations: Equations,
  ...more: undefined[]
): (state: StateLike) => ConstraintProjectors {
  requireEquations("projectors", equations, more);
  const system = new EquationSystem(equations);
  const { workspace, dynamics, constraints, matrices } = system;
  const { velocities: n } = system.coordinates;
  const { rows: m } = constraints;
  const solver = dynamics.solver("auto");
  const unit = workspace.reserve("unit residuals", m * m);
  const columns = workspace.reserve("least motions", n * m);
  const arena = workspace.seal();
  const [units, motions] = [arena.floats(unit), arena.floats(columns)];
  for (let i = 0; i < m; i++) units[i * (m + 1)] = 1;
  const read = (address: number, slots: number) => arena.floats({ name: "read", address, slots });

  return (state) => {
    placeState("projectors", system, state);
    solver.minnorm(m, unit.address, columns.address);
    const scale = choleskyOf(n, read(matrices.dense.mass(), n * n));
    const jacobian = read(matrices.dense.jacobian(), m * n);
    const gamma = read(constraints.gamma(), m);
    const forces = forward(n, scale, read(dynamics.forces(), n));
    const constraintMatrix = new Float64Array(n * m);
    const pseudoinverse = new Float64Array(n * m);
    for (let j = 0; j < m; j++) {
      const column = forward(n, scale, jacobian.subarray(j * n, (j + 1) * n));
      const motion = transposeTimes(n, scale, motions.subarray(j * n, (j + 1) * n));
      for (let i = 0; i < n; i++) {
        constraintMatrix[i * m + j] = column[i]!;
        pseudoinverse[i * m + j] = motion[i]!;
      }
    }
    const onConstraints = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) {
        let sum = 0;
        for (let j = 0; j < m; j++) sum += pseudoinverse[i * m + j]! * constraintMatrix[k * m + j]!;
        onConstraints[i * n + k] = sum;
      }
    }
    const onMotion = onConstraints.map((value, k) => (k % (n + 1) === 0 ? 1 : 0) - value);
    const free = times(n, onMotion, forces);
    const held = times(n, pseudoinverse, gamma);
    const accelerations = free.map((value, i) => value + held[i]!);
    const constraintForces = accelerations.map((value, i) => value - forces[i]!);
    const scaled = { forces, constraintForces, accelerations };
    return { scale, constraintMatrix, pseudoinverse, onConstraints, onMotion, ...scaled };
  };
}

/** Computes S, row-major, for M, column-major. The solver has already found M positive definite. */
function choleskyOf(n: number, mass: Float64Array): Float64Array {
  const scale = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = mass[i + j * n]!;
      for (let k = 0; k < j; k++) sum -= scale[i * n + k]! * scale[j * n + k]!;
      scale[i * n + j] = i === j ? Math.sqrt(sum) : sum / scale[j * n + j]!;
    }
  }
  return scale;
}

/** S^-1 b. */
function forward(n: number, scale: Float64Array, b: Float64Array): Float64Array {
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= scale[i * n + k]! * x[k]!;
    x[i] = sum / scale[i * n + i]!;
  }
  return x;
}

/** S^T x. */
function transposeTimes(n: number, scale: Float64Array, x: Float64Array): Float64Array {
  return new Float64Array(n).map((_, i) => {
    let sum = 0;
    for (let k = i; k < n; k++) sum += scale[k * n + i]! * x[k]!;
    return sum;
  });
}

/** A x, with n rows in A. */
function times(n: number, matrix: Float64Array, x: Float64Array): Float64Array {
  const width = x.length;
  return new Float64Array(n).map((_, i) => {
    let sum = 0;
    for (let k = 0; k < width; k++) sum += matrix[i * width + k]! * x[k]!;
    return sum;
  });
}
