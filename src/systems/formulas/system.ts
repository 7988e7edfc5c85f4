import { MassKind } from "../../../assembly/layout.js";
import { show } from "../../base/checking/index.js";
import { SimulationError } from "../../base/errors.js";
import type { Address, Arena, Segment } from "../../base/memory/arena.js";
import { Workspace } from "../../base/memory/workspace.js";
import { EntryList } from "../../base/sparse/entry-list.js";
import { initSync } from "../../base/wasm/module.js";
import type { DerivedEquations } from "../../formulas/symbolic/derive.js";
import type {
  ConstraintSolver,
  Constraints,
  Continuation,
  Coordinates,
  DenseEquations,
  Dynamics,
  EmbeddingMemory,
  Energy,
  EquationDerivatives,
  ExplicitStages,
  FusedSolver,
  GeneralRank,
  Matrices,
  MatrixEntry,
  StateAddress,
  System,
} from "../../interfaces/index.js";
import { DenseDynamics, denseConstraints, denseCoordinates, fullMass } from "../dense-parts.js";
import type { DenseSolver, DenseSource } from "../dense-solver.js";
import { type ErrorContext, equationSolveError } from "../equations/solve-errors.js";
import { GeneralRankFinder } from "../general-rank.js";
import { NO_CONTINUATION, NO_DERIVATIVES, stateAt } from "../system-parts.js";
import type { Pattern } from "./derivatives.js";
import { isWrittenOut } from "./factor-layout.js";
import type { FormulaFunctions } from "./formula-module.js";
import { type FormulaMemory, reserveMemory } from "./formula-plan.js";
import type { FormulaPrograms } from "./programs.js";

/** Quantities known at the trial state: none, those of the constraints, all. */
const NOTHING_KNOWN = 0;
const CONSTRAINTS_KNOWN = 1;
const ALL_KNOWN = 2;

/** A system whose equations are compiled formulas, with their quantities. */
export class FormulaSystem implements System, DenseSource, ErrorContext {
  readonly coordinates: Coordinates;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly energy: Energy;
  readonly continuation: Continuation;
  readonly matrices: Matrices;
  readonly workspace = new Workspace(initSync);
  readonly equations: DerivedEquations;
  readonly programs: FormulaPrograms;
  readonly memory: FormulaMemory;
  readonly positions: number;
  readonly velocities: number;
  readonly rows: number;
  readonly holonomicRows: number;
  readonly coordinateNames: readonly string[];
  readonly rowNames: readonly string[];
  readonly state: StateAddress;
  readonly trial: StateAddress;
  readonly massKind: MassKind;
  /** Values of the parameters: users may change them between steps. */
  parameters: Float64Array;
  time = 0;
  generation = 0;
  factorisations = 0;
  /** Whether the mass matrix of these parameters could be factored; meaningful only if it is constant. */
  massIsFactored = true;
  functions!: FormulaFunctions;
  views!: ErrorContext["views"];
  #numbers = new Float64Array(0);
  #known = NOTHING_KNOWN;

  readonly #ranks: GeneralRankFinder;

  constructor(programs: FormulaPrograms, parameters: Float64Array) {
    const { equations } = programs;
    this.programs = programs;
    this.equations = equations;
    this.parameters = parameters;
    const n = equations.q.length;
    this.positions = n;
    this.velocities = n;
    this.rows = equations.jacobian.length;
    this.holonomicRows = equations.phi.length;
    this.coordinateNames = equations.coordinateNames;
    this.rowNames = [...equations.holonomicNames, ...equations.nonholonomicNames];
    this.massKind = equations.massIsDiagonal ? MassKind.DIAGONAL : MassKind.FULL;
    const { workspace } = this;
    this.memory = reserveMemory(workspace, equations);
    const at = (q: Address) => stateAt(q, n, n);
    this.state = at(this.memory.state.address);
    this.trial = at(this.memory.trial.address);
    this.#ranks = new GeneralRankFinder(this);
    workspace.whenSealed((arena) => this.#open(arena));
    this.coordinates = denseCoordinates(this);
    this.constraints = constraintsOf(this);
    this.dynamics = new DenseDynamics(this, usualOf(this), ignoresVelocities(programs.equations));
    const motion = motionOf(this);
    this.energy = energyOf(this, motion);
    this.continuation = { ...NO_CONTINUATION, beginStep: () => this.takeParameters() };
    let derivatives: EquationDerivatives | undefined;
    this.matrices = {
      ...NO_DERIVATIVES,
      dense: denseOf(this, motion),
      derivatives: () => {
        const [first] = programs.equations.forceFunctions;
        if (first) {
          return `the force on ${this.coordinateNames[first.coordinate]} is a function`;
        }
        derivatives ??= formulaDerivatives(this);
        return derivatives;
      },
    };
  }

  get name(): string {
    return this.equations.name;
  }

  generalRank(): GeneralRank | undefined {
    return this.#ranks.find();
  }

  load(t: number): void {
    this.takeParameters();
    const { workspace, positions, state, trial } = this;
    workspace.kernels.copyVector(2 * positions, state.q, trial.q);
    this.at(t);
  }

  store(): void {
    const { workspace, positions, state, trial } = this;
    workspace.kernels.copyVector(2 * positions, trial.q, state.q);
  }

  at(t: number): void {
    this.time = t;
    this.#numbers[0] = t;
    this.generation++;
    this.#known = NOTHING_KNOWN;
  }

  /** Any force may depend on velocities. */
  atVelocity(): void {
    this.at(this.time);
  }

  /** Slopes and steps in one call, compiled on first use. Undefined if they need more than kernels. */
  steps(): FormulaFunctions | undefined {
    if (this.#steps === undefined) {
      const { programs, memory, functions } = this;
      this.#steps = programs.stepsIn(this.#arena!, memory, functions) ?? "none";
    }
    return this.#steps === "none" ? undefined : this.#steps;
  }

  #steps: FormulaFunctions | "none" | undefined;
  #arena: Arena | undefined;

  /** Marks all quantities of the trial state as evaluated. */
  setKnown(): void {
    this.#known = ALL_KNOWN;
  }

  /** Copies the current parameters. */
  takeParameters(): void {
    const numbers = this.#numbers;
    const { parameters } = this;
    let isSame = this.#isSetUp;
    for (let i = 0; i < parameters.length; i++) {
      const value = parameters[i]!;
      if (numbers[i + 1] !== value) {
        numbers[i + 1] = value;
        isSame = false;
      }
    }
    if (isSame) return;
    this.#isSetUp = true;
    this.functions.setup!();
    this.massIsFactored = this.functions.factorMass?.() !== 0;
    this.generation++;
    this.#known = NOTHING_KNOWN;
  }

  #isSetUp = false;

  /** Uses these parameters from now on. */
  useParameters(parameters: Float64Array): void {
    this.parameters = parameters;
    this.#isSetUp = false;
    this.takeParameters();
  }

  isKnown(): boolean {
    return this.#known === ALL_KNOWN;
  }

  /** Evaluates all quantities of the trial state. */
  evaluate(): void {
    if (this.#known === ALL_KNOWN) return;
    this.#known = ALL_KNOWN;
    this.functions.evaluate!();
    const { forceFunctions } = this.equations;
    for (let i = 0; i < forceFunctions.length; i++) {
      this.views.forces[forceFunctions[i]!.coordinate]! += this.#forceOf(i);
    }
  }

  #evaluatePlace(): void {
    if (this.#known !== NOTHING_KNOWN) return;
    if (!this.programs.separatesConstraints) {
      this.evaluate();
      return;
    }
    this.#known = CONSTRAINTS_KNOWN;
    this.functions.place!();
  }

  mass(): Address {
    if (!this.equations.massIsConstant) this.evaluate();
    return this.memory.mass.address;
  }

  forces(): Address {
    this.evaluate();
    return this.memory.forces.address;
  }

  gamma(): Address {
    this.evaluate();
    return this.memory.gamma.address;
  }

  phi(): Address {
    this.#evaluatePlace();
    return this.memory.phi.address;
  }

  jacobian(): Address {
    this.#evaluatePlace();
    return this.memory.jacobian.address;
  }

  phiDot(): Address {
    this.#evaluatePlace();
    return this.memory.phiDot.address;
  }

  /** out = M x. */
  massTimes(x: Address, out: Address): void {
    const n = this.velocities;
    const mass = this.mass();
    const { kernels } = this.workspace;
    if (this.massKind === MassKind.DIAGONAL) kernels.multiplyEach(n, mass, x, out);
    else kernels.matrixVector(n, n, mass, n, x, out);
  }

  /** Returns an energy: 0 potential, 1 power. */
  energyOf(index: 0 | 1): number {
    this.functions.energy!();
    const value = this.#energies[index]! + (index === 1 ? this.#powerOfFunctions() : 0);
    if (Number.isFinite(value)) return value;
    const what = index === 0 ? "the potential" : "the power of the forces";
    throw new SimulationError(
      "EVALUATION",
      this.time,
      `${this.name}: ${what} is ${value} at t = ${this.time}`,
    );
  }

  #energies = new Float64Array(0);
  #given = { q: new Float64Array(0), v: new Float64Array(0) };

  #powerOfFunctions(): number {
    const { v } = this.views;
    return this.equations.forceFunctions.reduce(
      (sum, { coordinate }, i) => sum + this.#forceOf(i) * v[coordinate]!,
      0,
    );
  }

  /** Evaluates a force by a user function on copies: one that overwrites them must not change the state. */
  #forceOf(index: number): number {
    const { coordinate, force } = this.equations.forceFunctions[index]!;
    this.#given.q.set(this.views.q);
    this.#given.v.set(this.views.v);
    const value: unknown = force(this.#given.q, this.#given.v, this.time);
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new SimulationError(
      "EVALUATION",
      this.time,
      `${this.name}: forces gave ${show(value)} for "${this.coordinateNames[coordinate]}" at t = ${this.time}`,
    );
  }

  errorFor(status: number, advice: string): Error {
    return equationSolveError(this, status, advice);
  }

  #open(arena: Arena): void {
    const { memory, positions } = this;
    this.#arena = arena;
    const q = { ...memory.trial, slots: positions };
    this.views = {
      q: arena.floats(q),
      v: arena.floats({ ...q, address: this.trial.v }),
      mass: arena.floats(memory.mass),
      forces: arena.floats(memory.forces),
      phi: arena.floats(memory.phi),
      jacobian: arena.floats(memory.jacobian),
      phiDot: arena.floats(memory.phiDot),
      gamma: arena.floats(memory.gamma),
    };
    this.#numbers = arena.floats(memory.numbers);
    this.#energies = arena.floats(memory.energies);
    this.#given = { q: new Float64Array(positions), v: new Float64Array(this.velocities) };
    this.functions = this.programs.functionsIn(arena, memory);
    this.takeParameters();
  }
}

/**
 * Solves by functions that were generated for the system (solve-graph.ts). If its rows are dependent, or nearly, or a
 * value is not finite, the complete orthogonal decomposition solves, which reports the cause.
 */
class WrittenSolver implements ConstraintSolver, FusedSolver {
  readonly fused: FusedSolver = this;
  readonly takesSteps = false;
  readonly refinesStages = false;
  readonly kind = "auto";
  readonly #source: FormulaSystem;
  readonly #general: DenseSolver;
  #factored = -1;
  #isRegular = false;

  constructor(source: FormulaSystem, general: DenseSolver) {
    this.#source = source;
    this.#general = general;
  }

  /** Every state is factored separately. */
  keepFactor(): void {}

  dropFactor(): void {}

  factor(): void {
    if (!this.#isFactored()) this.#general.factor();
  }

  massSolve(b: Address, x: Address): void {
    if (!(this.#isFactored() && this.#source.functions.massSolve!(b, x)))
      this.#general.massSolve(b, x);
  }

  accelerate(right: Address, out: Address): void {
    if (this.#isFactored() && this.#source.functions.accelerate!(right, out)) return;
    this.#general.accelerate(right, out);
  }

  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void {
    if (this.#isFactored() && this.#source.functions.rates!(right, r, v, out, corrected)) return;
    this.#general.rates(right, r, v, out, corrected);
  }

  minnorm(count: number, r: Address, x: Address): void {
    const { rows, velocities, functions } = this.#source;
    if (this.#isFactored()) {
      let isGood = 1;
      for (let i = 0; i < count; i++)
        isGood &= functions.minnorm!(r + 8 * rows * i, x + 8 * velocities * i);
      if (isGood) return;
    }
    this.#general.minnorm(count, r, x);
  }

  stages(t: number, h: number, step: ExplicitStages): number {
    const source = this.#source;
    const { first, count, tableau, nodes, slopes } = step;
    const fused = this.#fused();
    if (fused === undefined) return first;
    const done = fused.stages!(first, count, t, h, source.state.q, tableau, nodes, slopes);
    source.at(t + h);
    source.factorisations += done - first;
    return done;
  }

  steps(): number {
    return 0;
  }

  slope(t: number, out: Address): boolean {
    const source = this.#source;
    const fused = this.#fused();
    if (fused === undefined) return false;
    source.at(t);
    // Left to single calls, which start again.
    if (fused.slope!(t, out) === 0) return false;
    source.setKnown();
    source.factorisations++;
    return true;
  }

  predict(t: number, h: number, right: Address, out: Address): boolean {
    const source = this.#source;
    const fused = this.#fused();
    if (fused === undefined) return false;
    source.at(t);
    if (fused.predict!(t, h, right, out) === 0) return false;
    source.setKnown();
    source.factorisations++;
    return true;
  }

  embed(t: number, h: number, passes: number, memory: EmbeddingMemory): boolean {
    const source = this.#source;
    const fused = this.#fused();
    if (fused === undefined) return false;
    const { right, predicted, a, mean, phi, pi, product, point } = memory;
    const { embed } = fused;
    const isDone = embed!(t, h, passes, right, predicted, a, mean, phi, pi, product, point);
    source.at(t + h / 2);
    if (isDone === 0) return false;
    source.factorisations += 1 + passes;
    return true;
  }

  /** Slopes and steps in one call, if the system has them and its mass matrix is regular. */
  #fused(): FormulaFunctions | undefined {
    return this.#source.massIsFactored && !this.#isRedundant() ? this.#source.steps() : undefined;
  }

  multipliers(right: Address, lambda: Address): void {
    if (this.#isFactored() && this.#source.functions.multipliers!(right, lambda)) return;
    this.#general.multipliers(right, lambda);
  }

  rank(): number {
    return this.#isFactored() ? this.#source.rows : this.#general.rank();
  }

  /** Whether some rows repeat others, so that no pivot is reliable. */
  #isRedundant(): boolean {
    const known = this.#source.generalRank();
    return known !== undefined && known.rank < this.#source.rows;
  }

  /** Factors at the trial state. Returns false if the general solver must be used. */
  #isFactored(): boolean {
    const source = this.#source;
    if (this.#factored !== source.generation) {
      const isRedundant = this.#isRedundant();
      source.evaluate();
      this.#factored = source.generation;
      this.#isRegular = !isRedundant && source.massIsFactored && source.functions.factor!() === 1;
      source.factorisations++;
    }
    return this.#isRegular;
  }
}

// Derivatives of a system by formulas for implicit methods, entry by entry.

/** Derivatives of a system by formulas, in memory that is reserved here. */
function formulaDerivatives(system: FormulaSystem): EquationDerivatives {
  const { workspace, memory, programs, velocities: n, rows: m } = system;
  const { rows, forces } = programs.patterns();
  const rowValues = workspace.reserve("derivatives of rows", 3 * rows.places.length);
  const forceValues = workspace.reserve("derivatives of forces", 2 * forces.places.length);
  const lists = [0, 1].map(
    (k) => new EntryList(workspace, k === 0 ? "stiffness" : "damping", forces.places.length),
  );
  const entries = (places: Pattern["places"], { address }: Segment): MatrixEntry[] =>
    places.map(([row, column], k) => ({ row, column, address: address + 8 * k, scale: 1 }));
  const forceEntries = entries(forces.places, forceValues);
  const dampingOffset = 8 * forces.places.length;
  let functions: FormulaFunctions | undefined;
  workspace.whenSealed((arena) => {
    functions = programs.derivativesIn(arena, memory, rowValues, forceValues);
    for (const list of lists) {
      list.clear();
      for (const entry of forceEntries) list.add(entry);
    }
  });
  return {
    rows: entries(rows.places, rowValues),
    rates: [],
    biasOffset: 8 * rows.places.length,
    gyroscopicOffset: 16 * rows.places.length,
    forces: forceEntries,
    dampingOffset,
    couplings: () => Math.ceil(n / 6) ** 2,
    addStiffness: (stride, x, out) => lists[0]!.timesRows(1, 0, stride, x, out),
    addDamping: (stride, x, out) => lists[1]!.timesRows(1, dampingOffset, stride, x, out),
    evaluate(accelerations, multipliers) {
      const { kernels } = workspace;
      const { address } = memory.motion;
      kernels.copyVector(n, accelerations, address);
      kernels.copyVector(m, multipliers, address + 8 * n);
      functions!.derivatives!();
    },
  };
}

/** Constraint operators by products with a dense J, or by a generated product without its zeros. */
function constraintsOf(quantities: FormulaSystem): Constraints {
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

/** Whether neither forces nor nonholonomic rows depend on v. */
function ignoresVelocities(equations: DerivedEquations): boolean {
  const { symbols, forces, v, nonholonomicNames, forceFunctions } = equations;
  const isFree = nonholonomicNames.length === 0 && forceFunctions.length === 0;
  return isFree && symbols.dependsOn(forces, v).length === 0;
}

/** Generated solves, if the system is small enough. */
function usualOf(system: FormulaSystem) {
  const { velocities: n, rows: m } = system;
  if (!isWrittenOut({ n, m })) return undefined;
  return (general: DenseSolver) => new WrittenSolver(system, general);
}

/** Functions that few methods use: compiled at the first call. */
function motionOf(system: FormulaSystem): () => FormulaFunctions {
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

function energyOf(system: FormulaSystem, motion: () => FormulaFunctions): Energy {
  const { workspace, velocities, trial, equations } = system;
  const momenta = workspace.vector("momenta", velocities);
  return {
    hasPotential: equations.hasPotential,
    isConservative: equations.isConservative,
    potential: () => system.energyOf(0),
    power: () => system.energyOf(1),
    kinetic() {
      system.massTimes(trial.v, momenta);
      return workspace.kernels.dot(velocities, trial.v, momenta) / 2;
    },
    potentialGradient: (out) => void motion().potentialGradient!(out),
    kineticGradient: (out) => void motion().kineticGradient!(out),
  };
}

function denseOf(system: FormulaSystem, motion: () => FormulaFunctions): DenseEquations {
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
