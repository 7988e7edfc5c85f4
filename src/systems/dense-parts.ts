// Parts of a system on dense matrices, whoever writes its equations: functions of the user or compiled formulas.

import type { Address } from "../ground/memory/arena.js";
import { RANK_TOLERANCE } from "../ground/rank-tolerance.js";
import type { ConstraintSolver, Constraints, Coordinates, SolverKind } from "../seam/index.js";
import { checkSolver, DenseSolver, type DenseSource } from "./dense-solver.js";
import { QuantityDynamics } from "./quantity-dynamics.js";

/** What these parts need of the quantities of a system. */
export interface DenseQuantities extends DenseSource {
  readonly positions: number;
  readonly holonomicRows: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  phi(): Address;
  phiDot(): Address;
  massTimes(x: Address, out: Address): void;
}

/** Coordinates whose rates are the velocities. */
export function denseCoordinates(system: DenseQuantities): Coordinates {
  const { workspace, positions, velocities, coordinateNames } = system;
  return {
    positions,
    velocities,
    ratesAreVelocities: true,
    velocityNames: coordinateNames,
    positionRate: (v, scale, correction, out) =>
      workspace.kernels.axpy(velocities, scale, correction, v, out),
    displace: (q, displacement) => workspace.kernels.axpy(positions, 1, displacement, q, q),
  };
}

/** Rows by products with a dense J. */
export function denseConstraints(system: DenseQuantities): Constraints {
  const { workspace, velocities: n, rows, holonomicRows, rowNames } = system;
  return {
    rows,
    holonomicRows,
    rowNames,
    phi: () => system.phi(),
    phiDot: () => system.phiDot(),
    gamma: () => system.gamma(),
    jacobianTimes: (x, out) =>
      workspace.kernels.matrixTransposeVector(n, rows, system.jacobian(), n, x, out),
    jacobianTransposeTimes: (lambda, out) =>
      workspace.kernels.matrixVector(n, rows, system.jacobian(), n, lambda, out),
  };
}

/** M as a full matrix at this address, which a diagonal is written to. */
export function fullMass(system: DenseQuantities, full: Address): Address {
  const mass = system.mass();
  if (mass !== full) system.workspace.kernels.diagonalMatrix(system.velocities, mass, full);
  return full;
}

/** Forces, mass and dense solvers. */
export class DenseDynamics extends QuantityDynamics<DenseQuantities> {
  readonly #usual: ((general: DenseSolver) => ConstraintSolver) | undefined;

  /** `usual` may put another solver before the one that "auto" takes. */
  constructor(
    system: DenseQuantities,
    usual?: (general: DenseSolver) => ConstraintSolver,
    readonly ignoresVelocities = false,
  ) {
    super(system);
    this.#usual = usual;
  }

  solver(asked: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    const usual = asked === "auto" ? this.#usual : undefined;
    const kind = asked === "auto" ? "cod" : asked;
    checkSolver(kind, tolerance);
    const key = `${usual ? "usual" : kind} ${tolerance}`;
    const known = this.known(key);
    if (known) return known;
    const general = new DenseSolver(this.quantities, kind, tolerance);
    return this.keep(key, usual?.(general) ?? general);
  }
}
