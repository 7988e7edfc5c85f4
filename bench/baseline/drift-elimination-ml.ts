// The same step written on ml-matrix, as its users would.

import { CholeskyDecomposition, inverse, Matrix, pseudoInverse } from "ml-matrix";
import type { StepModel } from "./drift-elimination.js";

/** One RK4 step with drift elimination; returns the new state (q, v). */
export function driftEliminationStep(model: StepModel, y: Matrix, h: number): Matrix {
  const { n, m } = model;
  const vector = (count: number, write: (out: Float64Array) => void) => {
    const out = new Float64Array(count);
    write(out);
    return out;
  };
  const matrix = (rows: number, columns: number, write: (out: Float64Array) => void) =>
    Matrix.from1DArray(rows, columns, vector(rows * columns, write));
  let frozen: { phi: Matrix; phiDot: Matrix } | undefined;

  function rate(state: Matrix): Matrix {
    const numbers = Float64Array.from(state.to1DArray());
    const q = numbers.subarray(0, n);
    const v = numbers.subarray(n);
    model.prepare(q, v);
    const velocity = Matrix.columnVector(v);
    const jacobian = matrix(m, n, (out) => model.jacobian(out));
    const phiDot = jacobian.mmul(velocity);
    frozen ??= { phi: matrix(m, 1, (out) => model.phi(q, out)), phiDot };
    const upper = new CholeskyDecomposition(
      matrix(n, n, (out) => model.mass(out)),
    ).lowerTriangularMatrix.transpose();
    const toVelocities = inverse(upper);
    const scaled = jacobian.mmul(toVelocities);
    const plus = pseudoInverse(scaled);
    const w = toVelocities.transpose().mmul(matrix(n, 1, (out) => model.forces(v, out)));
    const gamma = matrix(m, 1, (out) => model.gamma(v, out));
    const first = Matrix.mul(phiDot, -1).sub(Matrix.mul(frozen.phi, 1 / h));
    const second = gamma.sub(Matrix.mul(frozen.phiDot, 1 / h)).sub(scaled.mmul(w));
    const top = velocity.add(toVelocities.mmul(plus.mmul(first)));
    const bottom = toVelocities.mmul(w.add(plus.mmul(second)));
    return Matrix.columnVector([...top.to1DArray(), ...bottom.to1DArray()]);
  }

  const k1 = rate(y);
  const k2 = rate(Matrix.add(y, Matrix.mul(k1, h / 2)));
  const k3 = rate(Matrix.add(y, Matrix.mul(k2, h / 2)));
  const k4 = rate(Matrix.add(y, Matrix.mul(k3, h)));
  const sum = Matrix.add(k1, k4).add(Matrix.mul(Matrix.add(k2, k3), 2));
  return Matrix.add(y, sum.mul(h / 6));
}
