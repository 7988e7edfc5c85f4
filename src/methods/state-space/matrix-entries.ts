import { NodriftError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { stiffMemory } from "../../base/memory/stiff-memory.js";
import type { MatrixEntry, SparseEquations, System } from "../../interfaces/index.js";

/** Displacement of positions for detecting which enter the constraints linearly. */
const PROBE_DISPLACEMENT = 2 ** -12;
/** Changes of the Jacobian below this count as rounding. */
const JACOBIAN_TOLERANCE = 1e-9;

/** Maximum counts of entries, and the entries themselves once memory is allocated. */
export interface MatrixEntries {
  readonly counts: { readonly mass: number; readonly jacobian: number; readonly rates: number };
  /** Returns the entries, always as the same object. Call after the system's `at`. */
  at(): SparseEquations;
}

/** Returns the entries of a system's matrices: those the system provides, or all entries of its dense matrices. */
export function entriesOf(system: System): MatrixEntries {
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const sparse = system.matrices.sparse?.(stiffMemory(system.workspace));
  if (sparse) {
    const counts = {
      // Evaluated lazily, as M may be large.
      get mass() {
        return sparse.mass.length;
      },
      jacobian: sparse.jacobian.length,
      rates: sparse.rates.length,
    };
    return { counts, at: () => sparse };
  }
  const { workspace } = system;
  const one = workspace.constants("one", [1]);
  const zero = workspace.vector("no bias", n);
  const kept = workspace.vector("positions kept", system.coordinates.positions);
  const moved = workspace.constants(
    "displacement",
    Array.from({ length: n }, (_, i) => PROBE_DISPLACEMENT * (1 + i / n)),
  );
  let made: SparseEquations | undefined;
  let read: (address: Address, slots: number) => Float64Array = () => new Float64Array(0);
  workspace.whenSealed((arena) => {
    read = (address, slots) => arena.floats({ name: "matrix", address, slots }).slice();
  });
  return {
    counts: { mass: n * n, jacobian: n * rows, rates: n },
    at() {
      made ??= fromDense(system, { one, zero, kept, moved, read });
      return made;
    },
  };
}

interface Scratch {
  readonly one: Address;
  readonly zero: Address;
  readonly kept: Address;
  readonly moved: Address;
  /** Returns a copy of values. */
  read(address: Address, slots: number): Float64Array;
}

function fromDense(system: System, scratch: Scratch): SparseEquations {
  const { workspace } = system;
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const { dense } = system.matrices;
  if (!dense || !system.coordinates.ratesAreVelocities) {
    throw new NodriftError("METHOD", `${system.name} gives neither sparse nor dense matrices`);
  }
  const entry = (row: number, column: number, address: Address): MatrixEntry => ({
    row,
    column,
    address,
    scale: 1,
  });
  const square = (count: number, make: (i: number, j: number) => MatrixEntry) =>
    Array.from({ length: count * n }, (_, k) => make(Math.floor(k / n), k % n));
  const mass = dense.mass();
  const jacobian = dense.jacobian();
  return {
    mass: square(n, (i, j) => entry(i, j, mass + 8 * (i + j * n))),
    jacobian: square(rows, (i, j) => entry(i, j, jacobian + 8 * (j + i * n))),
    rates: Array.from({ length: n }, (_, i) => entry(i, i, scratch.one)),
    eulerParameterStarts: [],
    weights: (t) => weightsOf(system, t, scratch),
    rowSizes: () => [],
    nearby: 0,
    updateMass: () => {
      dense.mass();
    },
    updateJacobian: () => {
      dense.jacobian();
    },
    rateBias: (out) => workspace.kernels.copyVector(n, scratch.zero, out),
  };
}

/**
 * Returns the weights of positions as dependent coordinates. Coordinates that enter the constraints linearly follow
 * from the others by one solve and are always determined, so they are the best dependent ones. The others, mostly
 * angles, are weighted as lengths, reduced by twice the longest arm among them. The two kinds are distinguished by
 * their columns of J at two states.
 */
function weightsOf(system: System, t: number, { kept, moved, read }: Scratch): number[] {
  const { workspace, trial } = system;
  const { positions, velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const { kernels } = workspace;
  const jacobianNow = () => read(system.matrices.dense?.jacobian() ?? 0, n * rows);
  const before = jacobianNow();
  kernels.copyVector(positions, trial.q, kept);
  system.coordinates.displace(trial.q, moved);
  system.at(t);
  const after = jacobianNow();
  kernels.copyVector(positions, kept, trial.q);
  system.at(t);
  const largest = (column: number, of: (k: number) => number) =>
    Array.from({ length: rows }, (_, i) => Math.abs(of(column + i * n))).reduce(
      (most, value) => Math.max(most, value),
      0,
    );
  const sizes = Array.from({ length: n }, (_, j) => largest(j, (k) => before[k]!));
  const turns = sizes.map(
    (size, j) => largest(j, (k) => after[k]! - before[k]!) > JACOBIAN_TOLERANCE * Math.max(size, 1),
  );
  const arm = sizes.reduce((most, size, j) => (turns[j] ? Math.max(most, size) : most), 0);
  return turns.map((turning) => (turning && arm > 0 ? 1 / (2 * arm) : 1));
}
