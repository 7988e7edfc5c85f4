// Components of a system on dense matrices, for equations by user functions and by compiled formulas.

import type { Address } from "../base/memory/arena.js";
import { RANK_TOLERANCE } from "../base/rank-tolerance.js";
import { denseMemory } from "../base/wasm/dense.js";
import type {
  ConstraintSolver,
  Constraints,
  Coordinates,
  DenseEquations,
  SolverKind,
} from "../interfaces/index.js";
import { checkSolver, DenseSolver, type DenseSource } from "./dense-solver.js";
import { heldSolver } from "./equations/held-coordinates-solver.js";
import { QuantityDynamics } from "./system-parts.js";

/** Interface of these components to the quantities of a system. */
export interface DenseQuantities extends DenseSource {
  readonly positions: number;
  readonly holonomicRows: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  phi(): Address;
  phiDot(): Address;
  massTimes(x: Address, out: Address): void;
}

/** Coordinates whose rates are the velocities: q' = v. */
export function denseCoordinates(system: DenseQuantities): Coordinates {
  const { workspace, positions, velocities, coordinateNames } = system;
  return {
    positions,
    velocities,
    ratesAreVelocities: true,
    velocityNames: coordinateNames,
    positionNames: coordinateNames,
    states: { firstPosition: positions, firstVelocity: velocities, idle: 0 },
    positionScale: 0,
    normalise() {},
    useUnnormalised() {},
    positionRate: (v, scale, correction, out) =>
      workspace.kernels.axpy(velocities, scale, correction, v, out),
    displace: (q, displacement) => workspace.kernels.axpy(positions, 1, displacement, q, q),
  };
}

/** Constraint operators by products with a dense J. */
export function denseConstraints(system: DenseQuantities): Constraints {
  const { workspace, velocities: n, rows, holonomicRows, rowNames } = system;
  return {
    rows,
    holonomicRows,
    rowNames,
    areTimeless: false,
    residualUnit: 1,
    phi: () => system.phi(),
    phiDot: () => system.phiDot(),
    gamma: () => system.gamma(),
    jacobianTimes: (x, out) =>
      workspace.kernels.matrixTransposeVector(n, rows, system.jacobian(), n, x, out),
    jacobianTransposeTimes: (lambda, out) =>
      workspace.kernels.matrixVector(n, rows, system.jacobian(), n, lambda, out),
  };
}

/** Returns M as a full matrix; a diagonal mass matrix is expanded at this address. */
export function fullMass(system: DenseQuantities, full: Address): Address {
  const mass = system.mass();
  if (mass !== full) system.workspace.kernels.diagonalMatrix(system.velocities, mass, full);
  return full;
}

/** Forces, mass and dense solvers. */
export class DenseDynamics extends QuantityDynamics<DenseQuantities> {
  readonly #usual: ((general: DenseSolver) => ConstraintSolver) | undefined;

  /** `usual` may supply a preferred solver for "auto". */
  constructor(
    system: DenseQuantities,
    usual?: (general: DenseSolver) => ConstraintSolver,
    override readonly ignoresVelocities = false,
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
    const dense = denseMemory(this.quantities.workspace);
    const general = new DenseSolver(this.quantities, kind, tolerance, dense);
    return this.keep(key, usual?.(general) ?? general);
  }

  /** Creates a solver that holds some coordinates: see {@link heldSolver}. */
  holding(dense: DenseEquations, held: ReadonlySet<number>): ConstraintSolver {
    return heldSolver(this.quantities, dense, held);
  }
}
