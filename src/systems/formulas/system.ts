import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import type { Arena } from "../../ground/memory/arena.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import type {
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Dynamics,
  Energy,
  EquationDerivatives,
  StateAddress,
  System,
} from "../../seam/index.js";
import { DenseDynamics, denseConstraints, denseCoordinates, fullMass } from "../dense-parts.js";
import type { DenseSolver } from "../dense-solver.js";
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
    this.coordinates = denseCoordinates(quantities);
    this.constraints = constraintsOf(quantities);
    this.dynamics = new DenseDynamics(
      quantities,
      usualOf(quantities),
      ignoresVelocities(programs.equations),
    );
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

/** Rows by products with a dense J, or by one that is written out without its zeros. */
function constraintsOf(quantities: FormulaQuantities): Constraints {
  const dense = denseConstraints(quantities);
  const { velocities: n, rows: m } = quantities;
  if (!isWrittenOut({ n, m })) return dense;
  return {
    ...dense,
    jacobianTimes(x, out) {
      quantities.jacobian();
      quantities.functions.jacobianTimes!(x, out);
    },
  };
}

/** Neither forces nor rows on velocities depend on v. */
function ignoresVelocities(equations: DerivedEquations): boolean {
  const { symbols, forces, v, nonholonomicNames, forceFunctions } = equations;
  const isFree = nonholonomicNames.length === 0 && forceFunctions.length === 0;
  return isFree && symbols.dependsOn(forces, v).length === 0;
}

/** Solves that are written out, where the system is small enough. */
function usualOf(system: FormulaQuantities) {
  const { velocities: n, rows: m } = system;
  if (!isWrittenOut({ n, m })) return undefined;
  return (general: DenseSolver) => new WrittenSolver(system, general);
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
    generalRank: () => system.generalRank(),
    mass: () => fullMass(system, full),
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) => void motion().massRate!(out),
    jacobianRate: (out) => void motion().jacobianRate!(out),
  };
}
