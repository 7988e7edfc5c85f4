import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import type {
  Accuracy,
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Energy,
  Matrices,
  NoiseReport,
  System,
} from "../../interfaces/index.js";
import { DenseDynamics, denseConstraints, denseCoordinates, fullMass } from "../dense-parts.js";
import { NO_CONTINUATION, NO_DERIVATIVES } from "../system-parts.js";
import type { ConstraintEvaluator } from "./constraint-evaluator.js";
import { isConservative } from "./description.js";
import type { Equations } from "./equations-types.js";
import { type AddedForces, EquationQuantities } from "./quantities.js";
import type { UserFunctions } from "./user-functions.js";

/**
 * Changes of C, relative to the forces, that end the iteration; and changes that are acceptable when it no longer
 * converges.
 */
const CONVERGENCE_TOLERANCE = 2 * Number.EPSILON;
const STAGNATION_TOLERANCE = 1e-12;

const MAX_ITERATIONS = 100;

/**
 * Forces C of constraints that are not ideal (Udwadia and Kalaba, Int. J. Non-Linear Mech. 37, 2002; Laulusa and
 * Bauchau 2008, 2.2.4; Braun and Goldfarb 2009, 4.6):
 *
 *   M a = Q + C + J^T lambda,   J a = gamma
 *
 * C is given as a law, of which only the work in displacements that the constraints allow matters: lambda absorbs the
 * rest. So C may be added to Q, and every formulation, stabilisation and coupled method is correct for it. If C
 * depends on lambda, the two are iterated from C = 0: lambda with the forces Q + C, then C. Lambda is that of the
 * motion without stabilisation, which is not a force.
 */
class NonIdealForces implements AddedForces {
  readonly #system: EquationQuantities;
  readonly #solver: ConstraintSolver;
  readonly #multipliers: Address;
  readonly #applied: Address;
  readonly #address: Address;
  readonly #iterations: number;
  #views!: Record<"multipliers" | "force" | "applied", Float64Array>;

  /** Reserves memory; the solver is the one that methods use, so that nothing is factored twice. */
  constructor(system: EquationQuantities, solver: ConstraintSolver) {
    const { workspace, velocities: n, rows } = system;
    this.#system = system;
    this.#solver = solver;
    this.#iterations = system.equations.description.nonIdeal?.iterations ?? MAX_ITERATIONS;
    const multipliers = workspace.reserve("multipliers of the law", rows);
    const force = workspace.reserve("forces of the law", n);
    const applied = workspace.reserve("applied forces", n);
    this.#multipliers = multipliers.address;
    this.#address = force.address;
    this.#applied = applied.address;
    workspace.whenSealed((arena) => {
      this.#views = {
        multipliers: arena.floats(multipliers),
        force: arena.floats(force),
        applied: arena.floats(applied),
      };
    });
  }

  get applied(): Float64Array {
    return this.#views.applied;
  }

  add(forces: Address): void {
    const { workspace, velocities: n } = this.#system;
    const { kernels } = workspace;
    const { force, applied } = this.#views;
    kernels.copyVector(n, this.#applied, forces);
    force.fill(0);
    let before = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#iterations; i++) {
      const change = this.#next(forces);
      const size = Math.max(largest(applied), largest(force));
      if (change <= CONVERGENCE_TOLERANCE * size) return;
      if (!(change < before) && change <= STAGNATION_TOLERANCE * size) return;
      before = change;
    }
    const { name, time } = this.#system;
    throw new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force and the multipliers do not settle at t = ${time}, after ${this.#iterations} iterations: with ` +
        "friction this strong they may not determine each other, or the law is not continuous. Try less friction, or a " +
        "smoother law",
    );
  }

  power(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.forces();
    return workspace.kernels.dot(velocities, this.#address, trial.v);
  }

  /** Finds lambda for the current forces, then C for lambda. Returns the change of C. */
  #next(forces: Address): number {
    const system = this.#system;
    const { workspace, velocities: n, functions, views, time } = system;
    const { multipliers, force, applied } = this.#views;
    this.#solver.multipliers(system.gamma(), this.#multipliers);
    functions.nonIdeal(views.q, views.v, multipliers, force, time);
    let change = 0;
    for (let i = 0; i < n; i++) {
      const value = force[i] as number;
      if (!Number.isFinite(value)) throw this.#notFinite(i, value);
      const next = (applied[i] as number) + value;
      change = Math.max(change, Math.abs(next - (views.forces[i] as number)));
    }
    workspace.kernels.axpy(n, 1, this.#address, this.#applied, forces);
    return change;
  }

  #notFinite(index: number, value: number): SimulationError {
    const { name, time, coordinateNames } = this.#system;
    return new SimulationError(
      "EVALUATION",
      time,
      `${name}: nonIdeal.force gave ${value} for "${coordinateNames[index]}" at t = ${time}`,
    );
  }
}

function largest(numbers: Float64Array): number {
  let most = 0;
  for (let i = 0; i < numbers.length; i++) most = Math.max(most, Math.abs(numbers[i] as number));
  return most;
}

/**
 * Noise of a function from its sixth differences, as in More and Wild, Estimating computational noise, SIAM J. Sci.
 * Comput. 33 (2011). Samples are so close that smooth components cancel, and sigma = rms(D6) / sqrt(12! / 6!^2).
 */
const DIFFERENCES = [1, -6, 15, -20, 15, -6, 1] as const;
const SIXTH_DIFFERENCE_NORM = Math.sqrt(924);
const SAMPLES = 13;
/**
 * Sample windows, in units of coordinates, velocities and time: the spacing, and the distance of the middle from the
 * state. The noise is the least estimate: a kink contributes less at shorter spacing, and a kink or jump lies in only
 * one of the windows.
 */
const WINDOWS = [
  { spacing: 2 ** -13, away: 0 },
  { spacing: 2 ** -20, away: 0 },
  { spacing: 2 ** -20, away: 2 ** -9 },
] as const;

/**
 * Amplification of noise by finite differences, relative to the length over which a function varies: see
 * DifferenceLine and -Columns.
 */
const SECOND_DIFFERENCE_AMPLIFICATION = 1e3;
const FIRST_DIFFERENCE_AMPLIFICATION = 1e2;

type Evaluate = (q: Float64Array, v: Float64Array, out: Float64Array, t: number) => void;

interface Around {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly t: number;
}

interface NoiseLevel {
  readonly name: string;
  readonly level: number;
}

/**
 * Measures the noise of the functions of a system at a state. Called once, when steps are shorter than they should be.
 */
function noiseOf(
  { coordinateNames, holonomicNames, nonholonomicNames, mass }: Equations,
  functions: UserFunctions,
  constraints: ConstraintEvaluator,
  state: Around,
): NoiseReport {
  const n = coordinateNames.length;
  const [rows, others] = [holonomicNames.length, nonholonomicNames.length];
  const { gives } = functions;
  const levels: NoiseLevel[] = [];
  const look = (name: string, length: number, evaluate: Evaluate, factor = 1) => {
    const measured = noiseAround(state, length, (q, v, out, t) => {
      functions.changed();
      evaluate(q, v, out, t);
    });
    levels.push({ name, level: measured.bySize * factor });
    return measured;
  };
  look("forces", n, (q, v, out, t) => functions.forces(q, v, out, t));
  if (mass.function) {
    look("mass", mass.diagonal ? n : n * n, (q, v, out, t) => functions.mass(q, v, out, t));
  }
  let positions = 0;
  if (rows > 0) {
    const phi = noiseAround(state, rows, (q, v, out, t) => {
      functions.changed();
      functions.phi(q, v, out, t);
    });
    positions = phi.bySlope;
    const isDifferenced = !(gives.jacobian && gives.gamma);
    const factor = isDifferenced
      ? SECOND_DIFFERENCE_AMPLIFICATION / constraints.shortestLength()
      : 1;
    levels.push({ name: "holonomic.value", level: positions * factor });
    if (gives.jacobian) {
      look("holonomic.jacobian", rows * n, (q, v, out, t) => functions.jacobian(q, v, out, t));
    }
    if (gives.gamma) look("holonomic.gamma", rows, (q, v, out, t) => functions.gamma(q, v, out, t));
  }
  if (others > 0) {
    const isDifferenced = !(gives.nonholonomicJacobian && gives.nonholonomicGamma);
    const pi = noiseAround(state, others, (q, v, out, t) => {
      functions.changed();
      functions.nonholonomic(q, v, out, t);
    });
    const level = pi.bySlope * (isDifferenced ? FIRST_DIFFERENCE_AMPLIFICATION : 1);
    levels.push({ name: "nonholonomic.value", level });
  }
  functions.changed();
  const [first = { name: "", level: 0 }] = levels.sort((one, other) => other.level - one.level);
  return { noisiest: first.name, positions, accelerations: first.level };
}

/** Noise of a function of the state, relative to its largest value, and to the slope of each row. */
function noiseAround(
  state: Around,
  length: number,
  evaluate: Evaluate,
): { readonly bySize: number; readonly bySlope: number } {
  let bySize = Number.POSITIVE_INFINITY;
  let bySlope = Number.POSITIVE_INFINITY;
  for (const { spacing, away } of WINDOWS) {
    const samples = samplesOf(state, length, evaluate, spacing, away);
    const [start, end] = [samples[0] as Float64Array, samples[SAMPLES - 1] as Float64Array];
    let [noise, size, slope] = [0, 0, 0];
    for (let row = 0; row < length; row++) {
      noise = Math.max(noise, noiseOfRow(samples, row));
      size = Math.max(size, Math.abs(start[row] as number));
      const change = Math.abs((end[row] as number) - (start[row] as number));
      slope = Math.max(slope, change / ((SAMPLES - 1) * spacing));
    }
    bySize = Math.min(bySize, size > 0 ? noise / size : 0);
    bySlope = Math.min(bySlope, slope > 0 ? noise / slope : 0);
  }
  return { bySize, bySlope };
}

function samplesOf(
  { q, v, t }: Around,
  length: number,
  evaluate: Evaluate,
  spacing: number,
  away: number,
): Float64Array[] {
  return Array.from({ length: SAMPLES }, (_, k) => {
    const s = away + (k - (SAMPLES - 1) / 2) * spacing;
    const out = new Float64Array(length);
    evaluate(
      q.map((x) => x + s),
      v.map((x) => x + s),
      out,
      t + s,
    );
    return out;
  });
}

function noiseOfRow(samples: readonly Float64Array[], row: number): number {
  const count = SAMPLES - DIFFERENCES.length + 1;
  let squares = 0;
  for (let first = 0; first < count; first++) {
    const sum = DIFFERENCES.reduce<number>(
      (total, weight, k) => total + weight * ((samples[first + k] as Float64Array)[row] as number),
      0,
    );
    squares += sum * sum;
  }
  return Math.sqrt(squares / count) / SIXTH_DIFFERENCE_NORM;
}

/** Energies of a system given by functions. */
class EquationEnergy implements Energy {
  readonly hasPotential: boolean;
  readonly isConservative: boolean;
  readonly #system: EquationQuantities;
  readonly #momenta: Address;

  constructor(system: EquationQuantities) {
    const { description } = system.equations;
    this.#system = system;
    this.hasPotential = description.potential !== undefined;
    this.isConservative = isConservative(description);
    this.#momenta = system.workspace.vector("momenta", system.velocities);
  }

  potential(): number {
    const { functions, views, time } = this.#system;
    return functions.potential(views.q, views.v, time);
  }

  power(): number {
    const { functions, views, time, nonIdeal } = this.#system;
    return functions.power(views.q, views.v, time) + (nonIdeal?.power() ?? 0);
  }

  kinetic(): number {
    const { workspace, velocities, trial } = this.#system;
    this.#system.massTimes(trial.v, this.#momenta);
    return workspace.kernels.dot(velocities, trial.v, this.#momenta) / 2;
  }

  potentialGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.potentialGradient(q, v, target, time),
    );
  }

  kineticGradient(out: Address): void {
    const { velocities, derivatives, time } = this.#system;
    this.#system.derive(velocities, out, (q, v, target) =>
      derivatives.kineticGradient(q, v, target, time),
    );
  }
}

/** The matrices of a system given by functions. Reserves memory for a full M. */
function denseEquations(system: EquationQuantities): DenseEquations {
  const { workspace, velocities: n, rows, derivatives } = system;
  const full = system.equations.mass.diagonal
    ? workspace.vector("full mass", n * n)
    : system.segments.mass.address;
  return {
    generalRank: () => system.generalRank(),
    mass: () => fullMass(system, full),
    jacobian: () => system.jacobian(),
    massRateTimesVelocity: (out) =>
      system.derive(n, out, (q, v, target) =>
        derivatives.massRateTimesVelocity(q, v, target, system.time),
      ),
    jacobianRate: (out) =>
      system.derive(rows * n, out, (q, v, target) =>
        derivatives.jacobianRate(q, v, target, system.time),
      ),
  };
}

/** A system whose equations are user functions: operators on dense matrices. */
export class EquationSystem extends EquationQuantities implements System {
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: DenseDynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  readonly matrices: Matrices & { readonly dense: DenseEquations };

  constructor(equations: Equations) {
    super(equations);
    this.coordinates = denseCoordinates(this);
    this.constraints = denseConstraints(this);
    this.dynamics = new DenseDynamics(this);
    if (equations.description.nonIdeal) {
      this.nonIdeal = new NonIdealForces(this, this.dynamics.solver("auto"));
    }
    this.energy = new EquationEnergy(this);
    this.continuation = {
      ...NO_CONTINUATION,
      beginStep: (t) => this.beginStep(t),
      doubts: this.doubts,
    };
    this.matrices = { ...NO_DERIVATIVES, dense: denseEquations(this), accuracy: accuracyOf(this) };
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
