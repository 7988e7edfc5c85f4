// Solves with held coordinates. Among the x with J x = r and x = 0 in the held coordinates, the one of least x^T M x
// is needed: the solution for M and J without their rows and columns. Here these stay in place, zero in J and those of
// the identity in M. Then x is zero there but for rounding errors of the decomposition, which are removed.
//
// Rejected: a large mass for held coordinates. They move by the ratio of the masses, and the factor loses as many
// digits.

import { MassKind } from "../../../assembly/layout.js";
import type { Address, Arena } from "../../base/memory/arena.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import { denseMemory } from "../../base/wasm/dense.js";
import type { ConstraintSolver, DenseEquations } from "../../interfaces/index.js";
import { DenseSolver, type DenseSource } from "../dense-solver.js";

/** Creates a solver of a system with some coordinates held. Reserves memory; call before the system is sealed. */
export function heldSolver(
  system: DenseSource,
  dense: DenseEquations,
  held: ReadonlySet<number>,
): ConstraintSolver {
  const { workspace, velocities: n } = system;
  const source = withoutHeld(system, dense, held);
  const solver = new DenseSolver(source, "cod", RANK_TOLERANCE, denseMemory(workspace));
  let arena: Arena | undefined;
  workspace.whenSealed((sealed) => {
    arena = sealed;
  });
  return {
    kind: solver.kind,
    factor: () => solver.factor(),
    massSolve: (b, x) => solver.massSolve(b, x),
    accelerate: (right, out) => solver.accelerate(right, out),
    rates: (right, r, v, out, corrected) => solver.rates(right, r, v, out, corrected),
    minnorm(count, r, x) {
      solver.minnorm(count, r, x);
      const steps = arena?.floats({ name: "steps", address: x, slots: n * count });
      for (let i = 0; i < count; i++)
        for (const index of held) steps?.fill(0, i * n + index, i * n + index + 1);
    },
    multipliers: (right, lambda) => solver.multipliers(right, lambda),
    rank: () => solver.rank(),
    refinesStages: false,
    keepFactor() {},
    dropFactor() {},
  };
}

/** The matrices of a system without the held coordinates. */
function withoutHeld(
  system: DenseSource,
  whole: DenseEquations,
  held: ReadonlySet<number>,
): DenseSource {
  const { workspace, velocities: n, rows: m } = system;
  const mass = workspace.reserve("mass without what is held", n * n);
  const jacobian = workspace.reserve("jacobian without what is held", n * m);
  const views = { mass: new Float64Array(0), jacobian: new Float64Array(0) };
  workspace.whenSealed((arena) => {
    views.mass = arena.floats(mass);
    views.jacobian = arena.floats(jacobian);
  });
  const copied = (count: number, from: Address, to: Address) => {
    workspace.kernels.copyVector(count, from, to);
    return to;
  };
  return {
    workspace,
    velocities: n,
    rows: m,
    massKind: MassKind.FULL,
    get generation() {
      return system.generation;
    },
    factorisations: 0,
    mass() {
      copied(n * n, whole.mass(), mass.address);
      for (const i of held) {
        for (let j = 0; j < n; j++) {
          views.mass[i + j * n] = 0;
          views.mass[j + i * n] = 0;
        }
        views.mass[i + i * n] = 1;
      }
      return mass.address;
    },
    jacobian() {
      copied(n * m, system.jacobian(), jacobian.address);
      for (const i of held) for (let row = 0; row < m; row++) views.jacobian[i + row * n] = 0;
      return jacobian.address;
    },
    // Held coordinates reduce the rank, so the rank of the full matrices does not help.
    generalRank: () => undefined,
    forces: () => system.forces(),
    gamma: () => system.gamma(),
    errorFor: (status, advice) => system.errorFor(status, advice),
  };
}
