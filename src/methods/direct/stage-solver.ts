import { stiffMemory } from "../../ground/memory/stiff-memory.js";
import type { ShiftedSolver, System } from "../../seam/index.js";
import type { DirectMatrix } from "./direct-matrix.js";

/** Where the parts of y = (q, v, a, lambda, mu, eta) begin. */
export interface StageUnknowns {
  readonly dimension: number;
  readonly v: number;
  readonly a: number;
  readonly lambda: number;
  /** The dimension where there are none. */
  readonly mu: number;
  /** The same. */
  readonly eta: number;
  /** mu and eta are not unknowns: equations may be inconsistent, and their solution leaves along J^T what it must. */
  readonly isOverdetermined: boolean;
}

/** Solves with D - alpha df/dy of the unknowns of a stage by a {@link DirectMatrix}. */
export function stageSolver(
  { workspace, coordinates, constraints }: System,
  matrix: DirectMatrix,
  unknowns: StageUnknowns,
  complex: boolean,
): ShiftedSolver {
  const { positions, velocities: n } = coordinates;
  const { rows } = constraints;
  const { places, partition } = matrix;
  const { size } = places;
  const { chosenRows } = partition;
  const { dimension } = unknowns;
  const hasCorrections = unknowns.mu < dimension;
  const hasImpulses = unknowns.eta < dimension;
  const solver = matrix.solver(complex);
  const kind = complex ? "complex " : "";
  const parts = complex ? 2 : 1;
  const right = workspace.vector(`${kind}right side of direct`, parts * size);
  const some = workspace.vector(`${kind}rows of direct`, parts * Math.max(chosenRows, 1));
  const stored = workspace.reserve(`${kind}alpha of direct`, 2);
  const stiff = stiffMemory(workspace);
  let alpha = new Float64Array(2);
  workspace.whenSealed((arena) => {
    alpha = arena.floats(stored);
  });
  const behind = complex ? size : 0;
  const ofVector = complex ? dimension : 0;

  /** Part of the right-hand side: factor b. */
  function put(count: number, real: number, imaginary: number, from: number, to: number): void {
    stiff.kernels.multiple(count, real, imaginary, from, ofVector, right + 8 * to, behind);
  }

  /** Minus the chosen rows of b. */
  function putRows(from: number, to: number): void {
    const { kernels } = stiff;
    for (let k = 0; k < parts; k++) {
      kernels.gather(chosenRows, partition.rows.address, from + 8 * k * dimension, some);
      kernels.multiple(chosenRows, -1, 0, some, 0, right + 8 * (to + k * size), 0);
    }
  }

  /** The same times alpha. */
  function putScaledRows(real: number, imaginary: number, from: number, to: number): void {
    const { kernels } = stiff;
    const between = complex ? chosenRows : 0;
    for (let k = 0; k < parts; k++) {
      const part = from + 8 * k * dimension;
      kernels.gather(chosenRows, partition.rows.address, part, some + 8 * k * chosenRows);
    }
    kernels.multiple(chosenRows, -real, -imaginary, some, between, right + 8 * to, behind);
  }

  /** Part of the solution: (real + i imaginary) times unknowns. */
  function take(count: number, real: number, imaginary: number, from: number, to: number): void {
    stiff.kernels.multiple(count, real, imaginary, right + 8 * from, behind, to, ofVector);
  }

  /** Multipliers of all rows: zero for those that were not chosen. */
  function takeRows(real: number, imaginary: number, from: number, to: number): void {
    const { kernels } = stiff;
    const between = complex ? chosenRows : 0;
    kernels.multiple(chosenRows, -real, -imaginary, right + 8 * from, behind, some, between);
    for (let k = 0; k < parts; k++) {
      const list = partition.rows.address;
      kernels.scatterNegative(
        rows,
        chosenRows,
        list,
        some + 8 * k * chosenRows,
        to + 8 * k * dimension,
      );
    }
  }

  return {
    factor(real, imaginary) {
      alpha[0] = real;
      alpha[1] = imaginary;
      const row = solver.factor(real, imaginary);
      if (row >= 0) throw matrix.singular(row);
      return true;
    },
    solve(b, x) {
      const { kernels } = stiff;
      const real = alpha[0]!;
      const imaginary = complex ? alpha[1]! : 0;
      kernels.clearRows(parts, size, right);
      put(positions, 1, 0, b, places.toPositions);
      put(n, real, imaginary, b + 8 * unknowns.v, places.toVelocities);
      put(n, real, imaginary, b + 8 * unknowns.a, places.motion);
      putRows(b + 8 * unknowns.lambda, places.constraints);
      if (hasCorrections) putRows(b + 8 * unknowns.mu, places.closure);
      if (hasImpulses) putScaledRows(real, imaginary, b + 8 * unknowns.eta, places.accelerations);
      for (let k = 0; k < parts; k++) {
        const part = right + 8 * k * size;
        workspace.kernels.multiplyEach(size, solver.scales, part, part);
      }
      solver.solve(right);
      // 1 / alpha and its square.
      const square = real * real + imaginary * imaginary;
      const r = real / square;
      const i = -imaginary / square;
      take(positions, 1, 0, places.q, x);
      take(n, r, i, places.w, x + 8 * unknowns.v);
      take(n, r * r - i * i, 2 * r * i, places.e, x + 8 * unknowns.a);
      takeRows(-(r * r - i * i), -2 * r * i, places.multipliers, x + 8 * unknowns.lambda);
      if (unknowns.isOverdetermined) {
        for (let k = 0; k < parts; k++) {
          kernels.clearRows(1, dimension - unknowns.mu, x + 8 * (unknowns.mu + k * dimension));
        }
        return;
      }
      if (hasCorrections) takeRows(r, i, places.corrections, x + 8 * unknowns.mu);
      if (hasImpulses) takeRows(r * r - i * i, 2 * r * i, places.impulses, x + 8 * unknowns.eta);
    },
  };
}
