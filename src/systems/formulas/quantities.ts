import { MassKind } from "../../../assembly/layout.js";
import type { DerivedEquations } from "../../describe/symbolic/derive.js";
import { SimulationError } from "../../ground/errors.js";
import type { Address, Arena } from "../../ground/memory/arena.js";
import { Workspace } from "../../ground/memory/workspace.js";
import { initSync } from "../../ground/wasm/module.js";
import type { GeneralRank, StateAddress } from "../../seam/index.js";
import type { DenseSource } from "../dense-solver.js";
import { type ErrorContext, equationSolveError } from "../equations/solve-errors.js";
import { GeneralRankFinder } from "../general-rank.js";
import { stateAt } from "../state-address.js";
import type { FormulaFunctions } from "./formula-module.js";
import { type FormulaMemory, reserveMemory } from "./formula-plan.js";
import type { FormulaPrograms } from "./programs.js";

/** How much is known at the trial state: nothing, what belongs to constraints, everything. */
const NOTHING = 0;
const PLACE = 1;
const ALL = 2;

/** State and memory of a system by formulas, and the quantities of its equations. */
export class FormulaQuantities implements DenseSource, ErrorContext {
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
  /** The mass matrix of these parameters could be factored; only where it is constant. */
  massIsFactored = true;
  functions!: FormulaFunctions;
  views!: ErrorContext["views"];
  #numbers = new Float64Array(0);
  #known = NOTHING;

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
  }

  get name(): string {
    return this.equations.name;
  }

  generalRank(): GeneralRank | undefined {
    return this.#ranks.find();
  }

  load(t: number): void {
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
    this.#known = NOTHING;
  }

  /** Slopes and steps in one call; compiled when one is first taken. None where more than kernels takes part in them. */
  steps(): FormulaFunctions | undefined {
    if (this.#steps === undefined) {
      const { programs, memory, functions } = this;
      this.#steps = programs.stepsIn(this.#arena!, memory, functions) ?? "none";
    }
    return this.#steps === "none" ? undefined : this.#steps;
  }

  #steps: FormulaFunctions | "none" | undefined;
  #arena: Arena | undefined;

  /** All quantities of the trial state have been evaluated. */
  setKnown(): void {
    this.#known = ALL;
  }

  /** Takes over the parameters as they are. */
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
    this.#known = NOTHING;
  }

  #isSetUp = false;

  /** Reads these parameters from now on. */
  useParameters(parameters: Float64Array): void {
    this.parameters = parameters;
    this.#isSetUp = false;
    this.takeParameters();
  }

  isKnown(): boolean {
    return this.#known === ALL;
  }

  /** All quantities of the trial state. */
  evaluate(): void {
    if (this.#known === ALL) return;
    this.#known = ALL;
    this.functions.evaluate!();
    const { forceFunctions } = this.equations;
    for (let i = 0; i < forceFunctions.length; i++) {
      const { coordinate, force } = forceFunctions[i]!;
      const { q, v, forces } = this.views;
      forces[coordinate]! += force(q, v, this.time);
    }
  }

  #evaluatePlace(): void {
    if (this.#known !== NOTHING) return;
    if (!this.programs.separatesConstraints) {
      this.evaluate();
      return;
    }
    this.#known = PLACE;
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

  /** A number of the energies: 0 potential, 1 power. */
  energy(index: 0 | 1): number {
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

  #powerOfFunctions(): number {
    const { q, v } = this.views;
    return this.equations.forceFunctions.reduce(
      (sum, { coordinate, force }) => sum + force(q, v, this.time) * v[coordinate]!,
      0,
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
    this.functions = this.programs.functionsIn(arena, memory);
    this.takeParameters();
  }
}
