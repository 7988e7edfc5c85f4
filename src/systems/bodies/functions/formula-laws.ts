// Laws, forces and rows of a mechanism that are formulas, in the memory of a system.

import { scratchSlots } from "../../../describe/compiled/compile.js";
import type { FunctionSpec } from "../../../describe/compiled/function-spec.js";
import type { MeasuredFormula } from "../../../describe/model/formula-data.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import { label } from "../../../describe/model/option-checks.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Address, Arena, Segment } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import { type FormulaFunctions, FormulaModule } from "../../formulas/formula-module.js";
import type { BodySegments } from "../memory/memory.js";
import type { Plan } from "../plan/plan.js";
import { type BlockPlace, derivativeSpecs } from "./formula-derivatives.js";
import { FormulaGraph, formulasOf, parametersOf } from "./formula-graph.js";

/** Graphs and code are made once for all systems of a model whose memory is laid out the same. */
interface Made {
  readonly graph: FormulaGraph;
  readonly specs: readonly FunctionSpec[];
  readonly modules: Map<string, FormulaModule>;
}

const made = new WeakMap<ModelData, Map<string, Made>>();

/** A number that a formula writes, and whose it is. */
interface Watched {
  readonly where: string;
  readonly formula: MeasuredFormula;
  readonly address: Address;
}

/** The derivatives that implicit methods add. */
export interface FormulaDerivatives {
  /** Before kernels differentiate forces. */
  derive(): void;
  /** After they did. */
  add(multipliers: Address): void;
  /** Those of rows. */
  rows(accelerations: Address, rate: Address, bias: Address, gyro: Address): void;
}

/** Nothing where a model has no formulas. */
export class FormulaLaws {
  readonly #plan: Plan;
  readonly #workspace: Workspace;
  readonly #numbers: Segment;
  readonly #made: Made;
  readonly #laws: readonly Watched[];
  readonly #rows: readonly Watched[];
  readonly #forces: readonly (readonly MeasuredFormula[] | undefined)[];
  #functions: FormulaFunctions = {};
  /** Time, then parameters. */
  #values = new Float64Array(1);
  #memory = new Float64Array(0);
  readonly #loads: Segment;

  private constructor(plan: Plan, workspace: Workspace, segments: BodySegments) {
    this.#plan = plan;
    this.#workspace = workspace;
    this.#loads = segments.forces;
    const { model } = plan;
    this.#numbers = workspace.reserve("numbers of formulas", 1 + parametersOf(model).size);
    this.#made = madeFor(plan, segments, this.#numbers.address);
    const { graph, specs } = this.#made;
    this.#laws = model.forces.flatMap(({ name, type, formulas = [] }, index) =>
      formulas.map(({ slot, formula }) => ({
        where: label(type, name),
        formula,
        address: graph.constant(index, slot),
      })),
    );
    this.#rows = graph.rows.flatMap(({ planned, formulas }) =>
      formulas.map((formula, row) => ({
        where: label("constraint", model.joints[planned.joint]!.name),
        formula,
        address:
          (planned.block.holonomic ? segments.phi : segments.phiDot).address +
          8 * (planned.firstRow + row),
      })),
    );
    this.#forces = model.userForces.map(({ formulas }) => formulas);
    const module = this.#module("states", specs);
    workspace.whenSealed((arena) => {
      this.#memory = new Float64Array(arena.memory.buffer as ArrayBuffer);
      this.#functions = module().in(arena);
      this.#values = arena.floats(this.#numbers);
      this.adopt(plan);
    });
  }

  static of(plan: Plan, workspace: Workspace, segments: BodySegments): FormulaLaws | undefined {
    if (formulasOf(plan.model).length === 0) return undefined;
    return new FormulaLaws(plan, workspace, segments);
  }

  get hasRows(): boolean {
    return this.#rows.length > 0;
  }

  /** Takes over the parameters of a plan that differs in nothing else. */
  adopt({ model }: Plan): void {
    this.#values.set([...parametersOf(model).values()], 1);
  }

  /** Code in memory that is reserved now. It is written when it is first needed. */
  #module(name: string, specs: readonly FunctionSpec[]): () => FormulaModule {
    const scratch = this.#workspace.reserve(`scratch of formulas: ${name}`, scratchSlots(specs));
    const { modules } = this.#made;
    const key = `${name} ${scratch.address} ${specs.flatMap(({ outputs }) => outputs[0]?.place.offset ?? 0).join()}`;
    return () => {
      const module = modules.get(key) ?? new FormulaModule(specs, scratch);
      modules.set(key, module);
      return module;
    };
  }

  /** Constants of laws. Frames hold velocities. */
  run(t: number): void {
    if (this.#laws.length === 0) return;
    this.#values[0] = t;
    this.#functions.laws!();
    this.#check(this.#laws, t);
  }

  #check(list: readonly Watched[], t: number): void {
    for (let i = 0; i < list.length; i++) {
      const { address, where, formula } = list[i]!;
      const value = this.#memory[address / 8]!;
      if (Number.isFinite(value)) continue;
      throw new NodriftError(
        "EVALUATION",
        `${where}: the formula ${shortened(formula.text)} is ${value} at t = ${t}`,
      );
    }
  }

  /** Adds the load of a user force that is made of formulas; false if it is not. */
  addForce(index: number, t: number): boolean {
    if (!this.#forces[index]) return false;
    this.#values[0] = t;
    this.#functions[`force${index}`]!();
    this.#checkLoads(index, t);
    return true;
  }

  #checkLoads(index: number, t: number): void {
    const { name, bodies } = this.#plan.model.userForces[index]!;
    for (let i = 0; i < bodies.length; i++) {
      const first = this.#loads.address / 8 + 6 * bodies[i]!;
      let sum = 0;
      for (let j = 0; j < 6; j++) sum += this.#memory[first + j]!;
      if (Number.isFinite(sum)) continue;
      const body = this.#plan.model.bodies[bodies[i]!]!.name;
      throw new NodriftError(
        "EVALUATION",
        `${label("userForce", name)}: the load of "${body}" is not finite at t = ${t}`,
      );
    }
  }

  evaluateRows(t: number, jacobian: boolean, rates: boolean): void {
    this.#values[0] = t;
    this.#functions.rowValues!();
    if (jacobian) this.#functions.rowJacobian!();
    if (rates) this.#functions.rowRates!();
    this.#check(this.#rows, t);
  }

  /** Reserves what derivatives need, with the blocks they are added to. */
  derivatives(at: BlockPlace): FormulaDerivatives {
    const specs = derivativeSpecs(this.#plan, this.#made.graph, at);
    const module = this.#module("derivatives", specs);
    let functions: FormulaFunctions | undefined;
    let arena: Arena | undefined;
    this.#workspace.whenSealed((sealed) => {
      arena = sealed;
    });
    const ready = () => {
      functions ??= module().in(arena!);
      return functions;
    };
    return {
      derive: () => void ready().derive!(),
      add: (multipliers) => void ready().add!(multipliers),
      rows: (...addresses) => void ready().rows!(...addresses),
    };
  }
}

function madeFor(plan: Plan, segments: BodySegments, numbers: Address): Made {
  const known = made.get(plan.model) ?? new Map<string, Made>();
  made.set(plan.model, known);
  const key = [...Object.values(segments).map(({ address }) => address), numbers].join();
  const found = known.get(key);
  if (found) return found;
  const graph = new FormulaGraph(plan, segments, numbers);
  const fresh = { graph, specs: graph.specs(), modules: new Map() };
  known.set(key, fresh);
  return fresh;
}

const LONGEST = 60;

function shortened(text: string): string {
  return text.length <= LONGEST ? `"${text}"` : `"${text.slice(0, LONGEST)}..."`;
}
