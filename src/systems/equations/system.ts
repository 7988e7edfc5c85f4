import type { Workspace } from "../../ground/memory/workspace.js";
import type {
  Accuracy,
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Dynamics,
  Energy,
  StateAddress,
  System,
} from "../../seam/index.js";
import { DenseDynamics, denseConstraints, denseCoordinates } from "../dense-parts.js";
import { denseEquations } from "./dense-equations.js";
import { EquationEnergy } from "./energy.js";
import type { Equations } from "./made.js";
import { noiseOf } from "./noise.js";
import { NonIdealForces } from "./non-ideal.js";
import { EquationQuantities } from "./quantities.js";

/** A system whose equations are written by the user's functions: operators on dense matrices. */
export class EquationSystem implements System {
  readonly name: string;
  readonly workspace: Workspace;
  /** State, memory and everything evaluated at the trial state. */
  readonly quantities: EquationQuantities;
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  readonly matrices: { readonly dense: DenseEquations; readonly accuracy: Accuracy };
  readonly state: StateAddress;
  readonly trial: StateAddress;

  constructor(equations: Equations) {
    const quantities = new EquationQuantities(equations);
    this.quantities = quantities;
    this.name = equations.name;
    this.workspace = quantities.workspace;
    this.state = quantities.state;
    this.trial = quantities.trial;
    this.coordinates = denseCoordinates(quantities);
    this.constraints = denseConstraints(quantities);
    this.dynamics = new DenseDynamics(quantities);
    if (equations.description.nonIdeal) {
      quantities.nonIdeal = new NonIdealForces(quantities, this.dynamics.solver("auto"));
    }
    this.energy = new EquationEnergy(quantities);
    this.continuation = { beginStep: (t) => quantities.beginStep(t), doubts: quantities.doubts };
    this.matrices = { dense: denseEquations(quantities), accuracy: accuracyOf(quantities) };
  }

  get time(): number {
    return this.quantities.time;
  }

  load(t: number): void {
    this.quantities.load(t);
  }

  store(): void {
    this.quantities.store();
  }

  at(t: number): void {
    this.quantities.at(t);
  }

  /** Any function may depend on velocities. */
  atVelocity(): void {
    this.quantities.at(this.time);
  }

  errorFor(status: number, advice: string): Error {
    return this.quantities.errorFor(status, advice);
  }
}

function accuracyOf(system: EquationQuantities) {
  const { equations, evaluator, functions } = system;
  return {
    worstDifference(t) {
      const { q, v } = system.accepted;
      if (equations.differentiated.length === 0) return undefined;
      const found = evaluator.differenceError(q, v, t);
      functions.changed();
      return found;
    },
    estimateNoise: (t) => noiseOf(equations, functions, evaluator, { ...system.accepted, t }),
  } satisfies Accuracy;
}
