// Exact derivatives of equations by their parameters p, from which sensitivities are integrated.
//
// For M a = Q + J^T lambda, J a = gamma, at fixed a and lambda:
//
//   B = dQ/dp - (dM/dp) a + (dJ/dp)^T lambda,   c = dgamma/dp - (dJ/dp) a
//   M da/dp = B + J^T dlambda/dp,   J da/dp = c
//   x = M^-1 B,   da/dp = x + minnorm(c - J x),   minnorm(r) = M^-1 J^T (J M^-1 J^T)^+ r
//
// with the solver of the system, for redundant rows too. If rows are independent, dlambda/dp follows from the same
// equations, with B for the forces and c for gamma; the least-norm lambda of redundant rows changes with p in ways of
// its own. Rejected: formulas of a itself, in which the solve of n + m equations would have to be differentiated.

import { hint, isList, locationOf, show, wrongValueError } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Address, Segment } from "../../base/memory/arena.js";
import { Workspace } from "../../base/memory/workspace.js";
import { initSync } from "../../base/wasm/module.js";
import type { FunctionSpec, Output } from "../../formulas/compiled/function-spec.js";
import type { Node } from "../../formulas/expressions/graph.js";
import type { DerivedOde } from "../../formulas/symbolic/derive-ode.js";
import type { NamedParts } from "../../formulas/symbolic/read-names.js";
import type { State } from "../../interfaces/index.js";
import { residualNodes } from "./derivatives.js";
import { type FormulaFunctions, FormulaModule } from "./formula-module.js";
import { addressOf } from "./formula-plan.js";
import type { FormulaPrograms } from "./programs.js";
import { FormulaSystem } from "./system.js";

/** Derivatives by some parameters, compiled. */
export interface ParameterDerivatives<Found, At = State> {
  /** Names of the parameters, in the order of the columns. */
  readonly parameters: readonly string[];
  /** Derivatives at a state, with the current parameters. */
  at(state: At): Found;
}

/** A state of differential equations: the unknowns are called y, or q as in states of all kinds of systems. */
export type OdeStateData = State | { readonly time: number; readonly y: ArrayLike<number> };

/** Matrices, column-major, one column per parameter: row i by parameter k is at i + rows k. */
export interface OdeParameterDerivatives {
  /** df/dp of the rates f. */
  readonly rates: Float64Array;
}

/** Matrices, column-major, one column per parameter: row i by parameter k is at i + rows k. */
export interface EquationParameterDerivatives {
  /** da/dp of the accelerations, with the constraint forces changing accordingly. */
  readonly accelerations: Float64Array;
  /** dlambda/dp of the multipliers; absent if constraints are redundant, since their multipliers are not unique. */
  readonly multipliers?: Float64Array;
  /** dQ/dp of the generalised forces, velocity terms included. */
  readonly forces: Float64Array;
  /** dPhi/dp of the holonomic constraints. */
  readonly phi: Float64Array;
  /** d(Phi')/dp of all constraints: rates of holonomic rows, then nonholonomic rows. */
  readonly phiDot: Float64Array;
}

/** Slots for values that long functions pass from one of their parts to the next. */
const SCRATCH_SLOTS = 4096;

/** df/dp of differential equations. */
export function odeByParameters(
  ode: DerivedOde,
  values: Float64Array,
  isInterpreted: boolean,
  given: readonly string[] | undefined,
): ParameterDerivatives<OdeParameterDerivatives, OdeStateData> {
  const { names, slots } = chosen(ode.name, ode, given);
  const n = ode.rates.length;
  const workspace = new Workspace(initSync);
  const numbers = workspace.reserve("time, parameters and unknowns", 1 + values.length + n);
  const out = workspace.reserve("derivatives by parameters", n * slots.length);
  const scratch = workspace.reserve("parts of formulas", SCRATCH_SLOTS);
  const columns = columnsOf(ode, ode.rates, slots);
  const spec = specOf(outputsAt(out.address, columns), (slot) => numbers.address + 8 * slot);
  const arena = workspace.seal();
  const { derive } = new FormulaModule([spec], scratch).in(arena, isInterpreted);
  const [inputs, found] = [arena.floats(numbers), arena.floats(out)];
  return Object.freeze({
    parameters: names,
    at: (state: OdeStateData) => {
      const q = (state as { readonly y?: Float64Array })?.y ?? (state as State)?.q;
      const { time } = checked(ode.name, { ...state, q } as State, n, 0);
      inputs[0] = time;
      inputs.set(values, 1);
      inputs.set(q, 1 + values.length);
      derive!();
      return { rates: finiteOf(ode.name, time, found) };
    },
  });
}

/** Derivatives of equations of motion by parameters. */
export function equationsByParameters(
  programs: FormulaPrograms,
  values: Float64Array,
  given: readonly string[] | undefined,
): ParameterDerivatives<EquationParameterDerivatives> {
  const { equations } = programs;
  const { names, slots } = chosen(equations.name, equations, given);
  const [first] = equations.forceFunctions;
  if (first) {
    throw new NodriftError(
      "DESCRIPTION",
      `${equations.name}: the force on "${equations.coordinateNames[first.coordinate]}" is a function: ` +
        "derivatives by parameters need formulas",
    );
  }
  const derivatives = new DerivativeSystem(programs, values, slots);
  return Object.freeze({ parameters: names, at: (state: State) => derivatives.at(state) });
}

/** A separate system, with memory for derivatives. */
class DerivativeSystem {
  readonly #system: FormulaSystem;
  readonly #parameters: number;
  readonly #functions: FormulaFunctions;
  readonly #state: Float64Array;
  /** Matrices: B and c, then the results. */
  readonly #balance: ParameterMatrix;
  readonly #rest: ParameterMatrix;
  readonly #results: {
    readonly [Name in keyof Required<EquationParameterDerivatives>]: ParameterMatrix;
  };
  readonly #step: Address;
  readonly #forces: Address;

  constructor(programs: FormulaPrograms, values: Float64Array, slots: readonly Node[]) {
    const { equations } = programs;
    const { balance, rest } = residualNodes(equations);
    const system = new FormulaSystem(programs, values);
    const { workspace, memory } = system;
    const n = equations.q.length;
    const m = equations.jacobian.length;
    const reserve = (name: string, rows: number) => ({
      rows,
      segment: workspace.reserve(`${name} by parameters`, rows * slots.length),
      floats: new Float64Array(0),
    });
    const kept = { balance: reserve("balance", n), rest: reserve("rest", m) };
    const results = {
      accelerations: reserve("accelerations", n),
      multipliers: reserve("multipliers", m),
      forces: reserve("forces", n),
      phi: reserve("phi", equations.phi.length),
      phiDot: reserve("phi dot", m),
    };
    this.#step = workspace.vector("change of accelerations", Math.max(n, m));
    this.#forces = workspace.vector("forces", n);
    system.dynamics.solver("auto");
    const nodes: [ParameterMatrix, readonly Node[]][] = [
      [kept.balance, balance],
      [kept.rest, rest],
      [results.forces, equations.forces],
      [results.phi, equations.phi],
      [results.phiDot, equations.phiDot],
    ];
    const outputs = nodes.flatMap(([{ segment }, of]) =>
      outputsAt(segment.address, columnsOf(equations, of, slots)),
    );
    const spec = specOf(outputs, (slot) => addressOf(equations, memory, slot));
    const arena = workspace.seal();
    this.#functions = new FormulaModule([spec], memory.scratch).in(arena, programs.isInterpreted);
    for (const matrix of [...Object.values(kept), ...Object.values(results)]) {
      matrix.floats = arena.floats(matrix.segment);
    }
    this.#state = arena.floats({ ...memory.state, slots: 2 * n });
    this.#system = system;
    this.#parameters = slots.length;
    this.#balance = kept.balance;
    this.#rest = kept.rest;
    this.#results = results;
  }

  at(state: State): EquationParameterDerivatives {
    const { name, memory, constraints, dynamics, workspace } = this.#system;
    const { velocities: n, rows: m } = this.#system;
    const { time, q, v } = checked(name, state, n, n);
    this.#state.set(q);
    this.#state.set(v, n);
    this.#system.load(time);
    const solver = dynamics.solver("auto");
    const { address } = memory.motion;
    solver.accelerate(constraints.gamma(), address);
    if (m > 0) solver.multipliers(constraints.gamma(), address + 8 * n);
    this.#functions.derive!();
    const isUnique = solver.rank() === m;
    if (isUnique) this.#findMultipliers();
    const { kernels } = workspace;
    for (let k = 0; k < this.#parameters; k++) {
      const change = this.#results.accelerations.segment.address + 8 * n * k;
      solver.massSolve(this.#balance.segment.address + 8 * n * k, change);
      if (m === 0) continue;
      const right = this.#rest.segment.address + 8 * m * k;
      constraints.jacobianTimes(change, this.#step);
      kernels.axpy(m, -1, this.#step, right, right);
      solver.minnorm(1, right, this.#step);
      kernels.axpy(n, 1, this.#step, change, change);
    }
    const { accelerations, multipliers, forces, phi, phiDot } = this.#results;
    const checkedCopy = (matrix: ParameterMatrix) => finiteOf(name, time, matrix.floats);
    return {
      accelerations: checkedCopy(accelerations),
      ...(isUnique && { multipliers: checkedCopy(multipliers) }),
      forces: checkedCopy(forces),
      phi: checkedCopy(phi),
      phiDot: checkedCopy(phiDot),
    };
  }

  /**
   * Solves with B in place of the forces, which are restored afterwards, since constant forces are not evaluated
   * again.
   */
  #findMultipliers(): void {
    const { velocities: n, rows: m, dynamics, workspace } = this.#system;
    const { kernels } = workspace;
    const solver = dynamics.solver("auto");
    const forces = this.#system.forces();
    kernels.copyVector(n, forces, this.#forces);
    for (let k = 0; k < this.#parameters && m > 0; k++) {
      kernels.copyVector(n, this.#balance.segment.address + 8 * n * k, forces);
      const right = this.#rest.segment.address + 8 * m * k;
      solver.multipliers(right, this.#results.multipliers.segment.address + 8 * m * k);
    }
    kernels.copyVector(n, this.#forces, forces);
  }
}

interface ParameterMatrix {
  readonly rows: number;
  readonly segment: Segment;
  floats: Float64Array;
}

/** Parameters by name (default: all), and their slots after that of the time. */
function chosen(
  system: string,
  { parameterNames, symbols }: NamedParts,
  given: readonly string[] | undefined,
): { readonly names: readonly string[]; readonly slots: readonly Node[] } {
  const place = locationOf(system, "DESCRIPTION", "parameters");
  if (given !== undefined && (!isList(given) || given.length === 0)) {
    throw wrongValueError(place, given, 'a list of names of parameters: ["g"]');
  }
  const names = Object.freeze(given === undefined ? [...parameterNames] : [...given]);
  const slots = names.map((name) => {
    const index = parameterNames.indexOf(name);
    if (index >= 0) return symbols.graph.slot(1 + index);
    const known =
      parameterNames.length === 0 ? ": it has no parameters" : hint(name, parameterNames);
    throw new NodriftError("DESCRIPTION", `${system}: no parameter is named ${show(name)}${known}`);
  });
  return { names, slots };
}

function columnsOf(
  { symbols }: NamedParts,
  nodes: readonly Node[],
  slots: readonly Node[],
): Node[] {
  const rows = symbols.calculus.jacobian(nodes, slots);
  return slots.flatMap((_, k) => rows.map((row) => row[k]!));
}

function outputsAt(address: Address, nodes: readonly Node[]): Output[] {
  return nodes.map((node, i) => ({ node, place: { offset: address + 8 * i } }));
}

function specOf(outputs: readonly Output[], at: (slot: number) => Address): FunctionSpec {
  return { name: "derive", parameters: 0, outputs, slot: (index) => ({ offset: at(index) }) };
}

function checked(system: string, state: State, positions: number, velocities: number): State {
  const { time, q, v } = (state ?? {}) as State;
  const fits = q?.length === positions && (velocities === 0 || v?.length === velocities);
  if (Number.isFinite(time) && fits) return state;
  const what =
    velocities > 0
      ? `a state: its time, ${positions} numbers q and ${velocities} numbers v`
      : `a state: its time and ${positions} numbers y`;
  throw wrongValueError(locationOf(system, "STEP", "state"), state, what);
}

/** Returns a copy. */
function finiteOf(system: string, t: number, found: Float64Array): Float64Array {
  if (found.every(Number.isFinite)) return found.slice();
  throw new NodriftError(
    "EVALUATION",
    `${system}: a derivative by a parameter is ${found.find((x) => !Number.isFinite(x))} at t = ${t}`,
  );
}
