import { locationOf, plain, readKeys } from "../../base/checking/index.js";
import { SimulationError } from "../../base/errors.js";
import type { Arena } from "../../base/memory/arena.js";
import type { FunctionSpec, Output } from "../../formulas/compiled/function-spec.js";
import { type DerivedOde, deriveOde, explainOde } from "../../formulas/symbolic/derive-ode.js";
import type {
  FormulaOdeDescription,
  ParameterValues,
} from "../../formulas/symbolic/description.js";
import type { Explanation } from "../../formulas/symbolic/explain.js";
import type { FormulaInput } from "../../formulas/symbolic/formula-reader.js";
import type {
  CompiledOde,
  FusedOde,
  OdeFunctions,
  SparseOdeJacobian,
  StateData,
  System,
  SystemSource,
} from "../../interfaces/index.js";
import { nameOf, wrong } from "../equations/name-checks.js";
import { OdeState } from "../ode/ode.js";
import { badRate, type Owner } from "../ode/ode-functions.js";
import { OdeSystem } from "../ode/system.js";
import { type EvaluationOptions, isInterpretedBy, requireRecords } from "./formula-equations.js";
import { type FormulaFunctions, FormulaModule } from "./formula-module.js";
import { remembered } from "./memo.js";
import {
  type OdeParameterDerivatives,
  type OdeStateData,
  odeByParameters,
  type ParameterDerivatives,
} from "./parameter-derivatives.js";
import {
  changedValues,
  type Parameters,
  parametersOf,
  type StateFormula,
  stateFormula,
} from "./parameters.js";
import { odeSlope, STAGE_KERNELS, stagesFunction } from "./stages.js";

/** Differential equations by formulas, ready for `solve`. */
export interface FormulaOde extends SystemSource<OdeState> {
  /** As described, for messages. */
  readonly name: string;
  /** The validated description. */
  readonly description: FormulaOdeDescription;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  /** Values of the parameters; assigned values take effect at the next step. */
  readonly parameters: Parameters;
  /** Returns the equations with other values of some parameters, independent of these. */
  with(parameters: ParameterValues): FormulaOde;
  /** The equations and df/dy, as text and as LaTeX. */
  explain(): Explanation;
  /** Compiles a formula of the unknowns, quantities and parameters, to be evaluated at states of a solution. */
  formula(formula: FormulaInput): StateFormula;
  /** Exact derivatives of the rates by parameters: all, or those named. */
  byParameters(
    parameters?: readonly string[],
  ): ParameterDerivatives<OdeParameterDerivatives, OdeStateData>;
  state(data: StateData): OdeState;
}

const KEYS = ["name", "unknowns", "rates", "parameters", "quantities", "tables", "start"];
/** Slots for values that long functions pass from one of their parts to the next. */
const SCRATCH_SLOTS = 4096;

/** Reads a description of differential equations by formulas. */
export function formulaOde(
  given: FormulaOdeDescription,
  options: EvaluationOptions = {},
  ...more: undefined[]
): FormulaOde {
  const name = nameOf("ode", given, "ode");
  const place = locationOf(name, "DESCRIPTION");
  const description = plain(place, readKeys(place, given, KEYS)) as FormulaOdeDescription;
  requireRecords(name, description);
  if (description.rates === undefined)
    throw wrong(name, "rates is missing: give a formula for each unknown");
  const isInterpreted = isInterpretedBy(name, options, more);
  const program = remembered("ode", name, description, isInterpreted, () => {
    return new OdeProgram(deriveOde(name, description), isInterpreted);
  });
  return sourceOf(
    program,
    Object.freeze(description),
    Float64Array.from(program.ode.parameterValues),
  );
}

function sourceOf(
  program: OdeProgram,
  description: FormulaOdeDescription,
  values: Float64Array,
): FormulaOde {
  const { name, unknownNames, parameterNames, start } = program.ode;
  return Object.freeze({
    name,
    description,
    names: unknownNames,
    parameters: parametersOf(name, parameterNames, values),
    ...(start && { q: start }),
    with: (given: ParameterValues) =>
      sourceOf(program, description, changedValues(name, parameterNames, values, given)),
    explain: () => explainOde(program.ode),
    formula: (given: FormulaInput) => stateFormula(program.ode, unknownNames.length, values, given),
    byParameters: (given?: readonly string[]) =>
      odeByParameters(program.ode, values, program.isInterpreted, given),
    system: () => program.system(values),
    state: (data: StateData) => new OdeState(data),
    family: { identity: program, adopt: (system: System) => program.adopt(system, values) },
  });
}

/** Parameters of a system, and their address: after the time. */
interface ParameterUse {
  values: Float64Array;
  given: Float64Array;
}

/** Compiled rates, and df/dy once a method asks for it. */
class OdeProgram {
  readonly ode: DerivedOde;
  readonly isInterpreted: boolean;
  #rates: FormulaModule | undefined;
  #jacobian: FormulaModule | undefined;
  /** Parameters that systems read. */
  readonly #parameters = new WeakMap<System, ParameterUse>();

  constructor(ode: DerivedOde, isInterpreted: boolean) {
    this.ode = ode;
    this.isInterpreted = isInterpreted;
  }

  system(parameters: Float64Array): OdeSystem {
    const { name, unknownNames } = this.ode;
    const use: ParameterUse = { values: parameters, given: new Float64Array(0) };
    const prepare = () => use.given.set(use.values, 1);
    const system = new OdeSystem(name, unknownNames, (owner) => this.#bind(owner, use), prepare);
    this.#parameters.set(system, use);
    return system;
  }

  /** Lets a system of these formulas read other parameters from now on. */
  adopt(system: System, parameters: Float64Array): void {
    const use = this.#parameters.get(system)!;
    use.values = parameters;
    use.given.set(parameters, 1);
  }

  /** f and df/dy in the memory of a system. */
  #bind(owner: Owner, use: ParameterUse): OdeFunctions {
    const { workspace, y, names } = owner;
    const parameters = use.values;
    const n = names.length;
    const numbers = workspace.reserve("time and parameters", 1 + parameters.length);
    const scratch = workspace.reserve("parts of formulas", SCRATCH_SLOTS);
    const first = 1 + parameters.length;
    const slot = (index: number) => ({
      offset: index < first ? numbers.address + 8 * index : y.address + 8 * (index - first),
    });
    let arena: Arena | undefined;
    let given = new Float64Array(0);
    let all = new Float64Array(0);
    let state = new Float64Array(0);
    let main: FormulaFunctions = {};
    workspace.whenSealed((sealed) => {
      arena = sealed;
      given = sealed.floats(numbers);
      use.given = given;
      state = sealed.floats(y);
      all = new Float64Array(sealed.memory.buffer as ArrayBuffer);
      this.#rates ??= new FormulaModule([this.#rateSpec(slot)], scratch, STAGE_KERNELS, [
        odeSlope(numbers.address),
        stagesFunction(n, y.address),
      ]);
      main = this.#rates.in(sealed, this.isInterpreted);
      given.set(parameters, 1);
    });
    let derivatives: FormulaFunctions | undefined;
    const derive = () => {
      this.#jacobian ??= new FormulaModule(this.#jacobianSpecs(slot), scratch);
      derivatives ??= this.#jacobian.in(arena!, this.isInterpreted);
      return derivatives;
    };
    const compiled: CompiledOde = {
      time: numbers.address,
      functions: () => {
        if (this.isInterpreted) return undefined;
        const jacobian = derive().dense!;
        return this.#rates?.isCompiled && this.#jacobian?.isCompiled
          ? { rate: main.rate!, jacobian }
          : undefined;
      },
      evaluated() {},
    };
    const fused: FusedOde = {
      stages: (t, h, { first, count, tableau, nodes, slopes }) =>
        main.stages?.(first, count, t, h, owner.state, tableau, nodes, slopes) ?? first,
      takesSteps: false,
      steps: () => 0,
    };
    const requireFinite = (t: number, count: number, out: number) => {
      for (let i = 0; i < count; i++) {
        if (!Number.isFinite(all[out / 8 + i]!))
          throw badDerivative(owner.name, t, all[out / 8 + i]!);
      }
    };
    const sparse = this.#sparse((t, out, count) => {
      given[0] = t;
      derive().sparse!(out);
      requireFinite(t, count, out);
    });
    const functions: OdeFunctions = {
      rate(t, out) {
        given[0] = t;
        if (main.rate!(out) === 1) return;
        const found = all.subarray(out / 8, out / 8 + n);
        const bad = found.findIndex((each) => !Number.isFinite(each));
        if (bad >= 0) throw badRate(owner, t, state, found, bad, "");
      },
      kernels: { fused, compiled, sparse },
      jacobian(t, out) {
        given[0] = t;
        all.fill(0, out / 8, out / 8 + n * n);
        derive().dense!(out);
        requireFinite(t, n * n, out);
      },
    };
    return functions;
  }

  #sparse(evaluate: (t: number, out: number, count: number) => void): SparseOdeJacobian {
    const { ode } = this;
    return {
      get places() {
        return ode.jacobian().map(({ row, column }) => [row, column] as const);
      },
      evaluate: (t, out) => evaluate(t, out, ode.jacobian().length),
    };
  }

  #rateSpec(slot: FunctionSpec["slot"]): FunctionSpec {
    const { rates, symbols } = this.ode;
    return {
      name: "rate",
      parameters: 1,
      outputs: rates.map((node, i): Output => ({ node, place: { parameter: 0, offset: 8 * i } })),
      slot,
      returns: symbols.isFinite(rates),
    };
  }

  #jacobianSpecs(slot: FunctionSpec["slot"]): FunctionSpec[] {
    const n = this.ode.rates.length;
    const entries = this.ode.jacobian();
    const spec = (name: string, place: (entry: (typeof entries)[number], k: number) => number) => ({
      name,
      parameters: 1,
      outputs: entries.map(
        (entry, k): Output => ({
          node: entry.node,
          place: { parameter: 0, offset: 8 * place(entry, k) },
        }),
      ),
      slot,
    });
    return [spec("dense", ({ row, column }) => row + n * column), spec("sparse", (_, k) => k)];
  }
}

function badDerivative(name: string, t: number, value: number): SimulationError {
  return new SimulationError(
    "EVALUATION",
    t,
    `${name}: a derivative of the rates is ${value} at t = ${t}`,
  );
}
