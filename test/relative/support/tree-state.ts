// A mechanism in relative coordinates at a random state, with its derivatives and finite differences of its equations.

import { compile, type Model } from "nodrift/bodies";
import { expect } from "vitest";
import { NodeKind } from "../../../assembly/layout-tree.js";
import { stiffMemory } from "../../../src/base/memory/stiff-memory.js";
import type {
  EquationDerivatives,
  MatrixEntry,
  SparseEquations,
} from "../../../src/interfaces/index.js";
import type { RelativeSystem } from "../../../src/systems/relative/system/system.js";
import { randomVector, seeded } from "../../support/random.js";

const TIME = 0.3;

export interface TreeState {
  readonly system: RelativeSystem;
  readonly derivatives: EquationDerivatives;
  readonly sparse: SparseEquations;
  /** A column-major matrix of entries, whose values are `shift` bytes after their addresses. */
  dense(entries: readonly MatrixEntry[], rows: number, shift?: number): Float64Array;
  /** Derivatives of some values by displacements (true) or velocities: column-major, of fourth order. */
  differences(displaced: boolean, values: () => number[]): Float64Array;
  /** Q + J^T lambda - M a, phiDot and gamma - J a for the a and lambda of the derivatives. */
  equations(): number[];
  phiDot(): number[];
  bias(): number[];
  gamma(): number[];
  /** J and M, column-major, by products with unit vectors. */
  jacobian(): Float64Array;
  mass(): Float64Array;
}

/**
 * Evaluates the derivatives, at any state; or, if `closed`, at the initial state, with velocities and accelerations
 * that keep loops closed.
 */
export async function treeState(m: Model, seed: number, closed = false): Promise<TreeState> {
  const compiled = await compile(m, { coordinates: "relative", hold: [] });
  const system = compiled.system() as unknown as RelativeSystem;
  const { workspace, trial, plan } = system;
  const { positions, velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const stiff = stiffMemory(workspace);
  const derivatives = system.matrices.derivatives(stiff);
  if (typeof derivatives === "string") throw new Error(derivatives);
  // Reserves memory on first use.
  const sparse = system.matrices.sparse(stiff);
  expect(sparse.mass.length).toBeGreaterThanOrEqual(n);
  const reserve = (name: string, slots: number) => workspace.reserve(`test: ${name}`, slots);
  const [a, lambda, x, out] = [
    reserve("a", n),
    reserve("lambda", rows),
    reserve("x", n),
    reserve("out", Math.max(n, rows)),
  ];
  const body = reserve("bodies", compiled.q.length + compiled.v.length);
  const solver = system.dynamics.solver("auto");
  const arena = workspace.seal();
  const random = seeded(seed);
  const read = (address: number, slots: number) => [
    ...arena.floats({ name: "read", address, slots }),
  ];
  const q = arena.floats({ name: "q", address: trial.q, slots: positions });
  const v = arena.floats({ name: "v", address: trial.v, slots: n });
  q.set(randomVector(random, positions));
  for (const { kind, position } of plan.tree.nodes) {
    if (kind !== NodeKind.FREE && kind !== NodeKind.BALL) continue;
    const first = kind === NodeKind.FREE ? position + 3 : position;
    const length = Math.hypot(...q.subarray(first, first + 4));
    for (let i = first; i < first + 4; i++) q[i] /= length;
  }
  v.set(randomVector(random, n));
  arena.floats(a).set(randomVector(random, n));
  arena.floats(lambda).set(randomVector(random, rows));
  if (closed) {
    arena.floats(body).set([...compiled.q, ...compiled.v]);
    system.publicState.read(body.address, trial.q);
    v.set(randomVector(random, n));
    for (let i = 0; i < 3; i++) {
      system.at(TIME);
      solver.factor();
      solver.minnorm(1, system.constraints.phiDot(), out.address);
      read(out.address, n).forEach((value, k) => {
        v[k] -= value;
      });
    }
    system.at(TIME);
    solver.factor();
    solver.accelerate(system.constraints.gamma(), a.address);
  }
  system.at(TIME);
  sparse.updateMass();
  sparse.updateJacobian();
  derivatives.evaluate(a.address, lambda.address);
  const [start, speed] = [q.slice(), v.slice()];
  const place = (displaced: boolean, j: number, amount: number) => {
    q.set(start);
    v.set(speed);
    if (displaced) {
      arena.floats(x).fill(0)[j] = amount;
      system.coordinates.displace(trial.q, x.address);
    } else {
      v[j] += amount;
    }
    system.at(TIME);
  };
  const state: TreeState = {
    system,
    derivatives,
    sparse,
    dense(entries, height, shift = 0) {
      const matrix = new Float64Array(height * n);
      for (const { row, column, address, scale } of entries) {
        matrix[row + height * column] += scale * read(address + shift, 1)[0];
      }
      return matrix;
    },
    differences(displaced, values) {
      const h = 2e-4;
      const columns = Array.from(speed, (_, j) => {
        const [far, near, ahead, beyond] = [-2, -1, 1, 2].map((times) => {
          place(displaced, j, times * h);
          return values();
        });
        return far.map((value, i) => (8 * (ahead[i] - near[i]) - (beyond[i] - value)) / (12 * h));
      });
      place(displaced, 0, 0);
      return Float64Array.from(columns.flat());
    },
    equations() {
      const sum = read(system.dynamics.forces(), n);
      system.dynamics.massTimes(a.address, out.address);
      read(out.address, n).forEach((value, i) => {
        sum[i] -= value;
      });
      system.constraints.jacobianTransposeTimes(lambda.address, out.address);
      if (rows > 0) {
        read(out.address, n).forEach((value, i) => {
          sum[i] += value;
        });
      }
      return sum;
    },
    phiDot: () => read(system.constraints.phiDot(), rows),
    gamma: () => read(system.constraints.gamma(), rows),
    bias() {
      const gamma = state.gamma();
      system.constraints.jacobianTimes(a.address, out.address);
      return read(out.address, rows).map((value, i) => gamma[i] - value);
    },
    jacobian: () => product(rows, (from, to) => system.constraints.jacobianTimes(from, to)),
    mass: () => product(n, (from, to) => system.dynamics.massTimes(from, to)),
  };
  const product = (height: number, times: (from: number, to: number) => void) => {
    const columns = Array.from({ length: n }, (_, j) => {
      arena.floats(x).fill(0)[j] = 1;
      times(x.address, out.address);
      return read(out.address, height);
    });
    return Float64Array.from(columns.flat());
  };
  return state;
}

/** The largest difference, relative to the largest value. */
export function relativeError(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) throw new Error("matrices of different sizes");
  let [most, size] = [0, 0.1];
  for (let i = 0; i < expected.length; i++) {
    most = Math.max(most, Math.abs(found[i] - expected[i]));
    size = Math.max(size, Math.abs(expected[i]));
  }
  return most / size;
}
