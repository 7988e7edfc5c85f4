import type { Address, Arena } from "../../ground/memory/arena.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import { RANK_TOLERANCE } from "../../ground/rank-tolerance.js";
import type {
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Dynamics,
  Energy,
  EquationDerivatives,
  SolverKind,
  StateAddress,
  System,
} from "../../seam/index.js";
import { checkSolver, DenseSolver } from "../dense-solver.js";
import { isWrittenOut } from "./factor-layout.js";
import type { FormulaFunctions } from "./formula-module.js";
import { formulaDerivatives } from "./implicit-derivatives.js";
import type { FormulaPrograms } from "./programs.js";
import { FormulaQuantities } from "./quantities.js";
import { WrittenSolver } from "./written-solver.js";

/** A system whose equations are compiled formulas. */
export class FormulaSystem implements System {
  readonly name: string;
  readonly workspace: Workspace;
  readonly quantities: FormulaQuantities;
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  readonly matrices: {
    readonly dense: DenseEquations;
    derivatives(): EquationDerivatives | string;
  };
  readonly state: StateAddress;
  readonly trial: StateAddress;

  constructor(programs: FormulaPrograms, parameters: Float64Array) {
    const quantities = new FormulaQuantities(programs, parameters);
    this.quantities = quantities;
    this.name = quantities.name;
    this.workspace = quantities.workspace;
    this.state = quantities.state;
    this.trial = quantities.trial;
    this.coordinates = coordinatesOf(quantities);
    this.constraints = constraintsOf(quantities);
    this.dynamics = new FormulaDynamics(quantities);
    const motion = motionOf(quantities);
    this.energy = energyOf(quantities, motion);
    this.continuation = { beginStep: () => quantities.takeParameters() };
    let derivatives: EquationDerivatives | undefined;
    this.matrices = {
      dense: denseOf(quantities, motion),
      derivatives: () => {
        const [first] = programs.equations.forceFunctions;
        if (first) {
          return `the force on ${quantities.coordinateNames[first.coordinate]} is a function`;
        }
        derivatives ??= formulaDerivatives(quantities);
        return derivatives;
      },
    };
  }

  get time(): number {
    return this.quantities.time;
  }

  load(t: number): void {
    this.quantities.takeParameters();
    this.quantities.load(t);
  }

  store(): void {
    this.quantities.store();
  }

  at(t: number): void {
    this.quantities.at(t);
  }

  atVelocity(): void {
    this.quantities.at(this.time);
  }

  errorFor(status: number, advice: string): Error {
    return this.quantities.errorFor(status, advice);
  }
}

class FormulaDynamics implements Dynamics {
  readonly #system: FormulaQuantities;
  readonly #solvers = new Map<string, ConstraintSolver>();

  constructor(system: FormulaQuantities) {
    this.#system = system;
  }

  get factorisations(): number {
    return this.#system.factorisations;
  }

  set factorisations(count: number) {
    this.#system.factorisations = count;
  }

  forces(): Address {
    return this.#system.forces();
  }

  massTimes(x: Address, out: Address): void {
    this.#system.massTimes(x, out);
  }

  solver(asked: SolverKind, tolerance = RANK_TOLERANCE): ConstraintSolver {
    const kind = asked === "auto" ? "cod" : asked;
    checkSolver(kind, tolerance);
    const key = `${asked} ${tolerance}`;
    const known = this.#solvers.get(key);
    if (known) return known;
    const system = this.#system;
    const general = new DenseSolver(system, kind, tolerance);
    const isWritten = asked === "auto" && isWrittenOut({ n: system.velocities, m: system.rows });
    const solver = isWritten ? new WrittenSolver(system, general) : general;
    this.#solvers.set(key, solver);
    return solver;
  }
}

function coordinatesOf({ workspace, positions, velocities, equations }: FormulaQuantities) {
  return {
    positions,
    velocities,
    ratesAreVelocities: true,
    velocityNames: equations.coordinateNames,
    positionRate: (v, scale, correction, out) =>
      workspace.kernels.axpy(velocities, scale, correction, v, out),
    displace: (q, displacement) => workspace.kernels.axpy(positions, 1, displacement, q, q),
  } satisfies Coordinates;
}

function constraintsOf(system: FormulaQuantities) {
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
  } satisfies Constraints;
}

/** Functions that few methods want: compiled when one is first called. */
function motionOf(system: FormulaQuantities): () => FormulaFunctions {
  let arena: Arena | undefined;
  let functions: FormulaFunctions | undefined;
  system.workspace.whenSealed((sealed) => {
    arena = sealed;
  });
  return () => {
    functions ??= system.programs.motionIn(arena!, system.memory);
    return functions;
  };
}

function energyOf(system: FormulaQuantities, motion: () => FormulaFunctions): Energy {
  const { workspace, velocities, trial, equations } = system;
  const momenta = workspace.vector("momenta", velocities);
  return {
    hasPotential: equations.hasPotential,
    isConservative: equations.isConservative,
    potential: () => system.energy(0),
    power: () => system.energy(1),
    kinetic() {
      system.massTimes(trial.v, momenta);
      return workspace.kernels.dot(velocities, trial.v, momenta) / 2;
    },
    potentialGradient: (out) => void motion().potentialGradient!(out),
    kineticGradient: (out) => void motion().kineticGradient!(out),
  };
}

function denseOf(system: FormulaQuantities, motion: () => FormulaFunctions): DenseEquations {
  const { workspace, velocities: n, equations, memory } = system;
  const full = equations.massIsDiagonal
    ? workspace.vector("full mass", n * n)
    : memory.mass.address;
  return {
    mass: () => {
      const mass = system.mass();
      if (mass !== full) workspace.kernels.diagonalMatrix(n, mass, full);
      return full;
    },
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) => void motion().massRate!(out),
    jacobianRate: (out) => void motion().jacobianRate!(out),
  };
}
