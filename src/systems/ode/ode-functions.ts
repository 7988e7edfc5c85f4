import { compareMatrix } from "../../base/algebra/derivative-check.js";
import { SimulationError } from "../../base/errors.js";
import type { Address, Arena, Segment } from "../../base/memory/arena.js";
import type { Workspace } from "../../base/memory/workspace.js";
import { failed, statusIndex } from "../../base/wasm/status.js";
import type { OdeFunctions } from "../../interfaces/index.js";
import type { FunctionResult, InputArray, OutputArray } from "../equations/description.js";
import { MAX_COORDINATE } from "../equations/solve-errors.js";
import { copied, takeReturned } from "../equations/user-functions.js";

/** The owner of the functions, and the location of y. */
export interface Owner {
  readonly name: string;
  readonly names: readonly string[];
  readonly workspace: Workspace;
  /** The trial state. */
  readonly y: Segment;
  /** Address of the accepted state. */
  readonly state: Address;
  /** Receives doubts about the user functions. */
  readonly doubts: string[];
}

/** The user's functions at the trial state, validated, on views that are created once. */
export function odeFunctions(owner: Owner, description: OdeDescription): OdeFunctions {
  const { name, names, workspace, y } = owner;
  const n = names.length;
  const { jacobian } = description;
  // A copy: a function that overwrites y must not move the state.
  const given = new Float64Array(n);
  const value = workspace.reserve("rate of y", n);
  const views = {
    y: new Float64Array(0),
    value: new Float64Array(0),
    all: new Float64Array(0),
  };
  workspace.whenSealed((arena) => {
    views.y = arena.floats(y);
    views.value = arena.floats(value);
    views.all = new Float64Array(arena.memory.buffer as ArrayBuffer);
  });
  return {
    rate(t, out) {
      // Pre-fill with NaN to detect missing entries.
      views.value.fill(Number.NaN);
      const result = description.rate(t, copied(views.y, given), views.value);
      if (result !== undefined) takeReturned(name, "rate", result, views.value, t);
      // Copied without a kernel: the values are views here, and two kernel calls would take longer than f of a small
      // system.
      const { value: found, all } = views;
      const to = out / 8;
      for (let i = 0; i < n; i++) {
        const each = found[i] as number;
        if (!(Math.abs(each) < Number.POSITIVE_INFINITY))
          throw badRate(owner, t, views.y, found, i);
        all[to + i] = each;
      }
    },
    ...(jacobian && {
      jacobian: jacobianOf(owner, description, jacobian, () => copied(views.y, given)),
    }),
  };
}

/** Indices of the Jacobian evaluations that are compared with finite differences. */
const COMPARED_CALLS: readonly number[] = [0, 3];

function jacobianOf(
  { name, names, workspace, doubts }: Owner,
  { rate, check = true }: OdeDescription,
  jacobian: NonNullable<OdeDescription["jacobian"]>,
  yOf: () => Float64Array,
): NonNullable<OdeFunctions["jacobian"]> {
  const n = names.length;
  let arena: Arena | undefined;
  let at: Address | undefined;
  let view = new Float64Array(0);
  let evaluations = check ? 0 : Number.POSITIVE_INFINITY;
  workspace.whenSealed((sealed) => {
    arena = sealed;
  });
  return (t, out) => {
    // A method uses one address, so the same view is used again.
    if (at !== out) view = (arena as Arena).floats({ name: "df/dy", address: out, slots: n * n });
    at = out;
    view.fill(0);
    const result: unknown = jacobian(t, yOf(), view);
    if (result !== undefined) throw returned(name, t, result);
    const status = workspace.kernels.checkFinite(n * n, out);
    if (failed(status)) throw badJacobian(name, names, t, view, statusIndex(status));
    if (COMPARED_CALLS.includes(evaluations)) compare(t);
    evaluations++;
  };

  function compare(t: number): void {
    const [y, given] = [Float64Array.from(yOf()), view];
    const found = compareMatrix({
      rows: n,
      columns: n,
      given: (i, j) => given[i + n * j]!,
      x: y,
      at: (x, to) => {
        to.fill(Number.NaN);
        const result = rate(t, Float64Array.from(x), to);
        if (result !== undefined) takeReturned(name, "rate", result, to, t);
      },
    });
    const worst = found.find(({ isWrong }) => isWrong) ?? found[0];
    if (worst === undefined) return;
    const numbers =
      `at t = ${t} it gives ${worst.given} for the derivative of the rate of "${names[worst.row]}" by ` +
      `"${names[worst.column]}", out[${worst.row + n * worst.column}], where differences give ` +
      `${Number(worst.found.toPrecision(6))}`;
    if (!worst.isWrong) {
      doubts.push(`${name}: jacobian is in doubt: ${numbers}`);
      return;
    }
    throw new SimulationError(
      "EVALUATION",
      t,
      `${name}: jacobian contradicts \`rate\`: ${numbers}. Correct it, leave it out, or switch this comparison off by check: false`,
    );
  }
}

function badJacobian(
  name: string,
  names: readonly string[],
  t: number,
  view: Float64Array,
  index: number,
): SimulationError {
  const n = names.length;
  const [row, column] = [names[index % n], names[Math.floor(index / n)]];
  return new SimulationError(
    "EVALUATION",
    t,
    `${name}: jacobian gave ${view[index]} for the derivative of the rate of "${row}" by "${column}", ` +
      `out[${index}], at t = ${t}. Without a jacobian it is found by differences`,
  );
}

function returned(name: string, t: number, result: unknown): SimulationError {
  const what = Array.isArray(result) ? "an array" : String(result);
  return new SimulationError(
    "EVALUATION",
    t,
    `${name}: jacobian returned ${what} at t = ${t}; it must write the derivative of rate i by unknown j to ` +
      "out[i + n j], and return nothing",
  );
}

/**
 * Returns the error for a rate that is not finite. A state that is not finite, or soon will not be, is reported first.
 * `advice` lists further causes.
 */
export function badRate(
  { name, names }: Pick<Owner, "name" | "names">,
  t: number,
  y: Float64Array,
  value: Float64Array,
  index: number,
  advice = `, and whether out[${index}] is written`,
): SimulationError {
  const huge = y.findIndex((each) => !(Math.abs(each) < MAX_COORDINATE));
  if (huge >= 0) return blownUp(name, names[huge] as string, t, y[huge] as number);
  const state = names.map((each, i) => `${each} = ${y[i]}`).slice(0, 6);
  const more = names.length > state.length ? ", ..." : "";
  return new SimulationError(
    "EVALUATION",
    t,
    `${name}: rate gave ${value[index]} for "${names[index]}" at t = ${t}, ${state.join(", ")}${more}: look for ` +
      `divisions by zero, roots and logarithms there${advice}`,
  );
}

export function blownUp(name: string, unknown: string, t: number, value: number): SimulationError {
  return new SimulationError(
    "STEP",
    t,
    `${name}: "${unknown}" is ${value} at t = ${t}: the solution diverged. Try a shorter step, a smaller tolerance, ` +
      "or an end before that time",
  );
}

/** A plain ordinary differential equation y' = f(t, y). */
export interface OdeDescription {
  /** Name, for messages. Default: "ode". */
  readonly name?: string;
  /** Names of the unknowns, or their number; they are then named y0, y1, ... */
  readonly names: number | readonly string[];
  /** f(t, y): writes it into `out`, all of it, or returns it as an array (slower). */
  readonly rate: (t: number, y: InputArray, out: OutputArray) => FunctionResult;
  /**
   * df/dy, n x n, column-major: writes the derivative of rate i by unknown j to out[i + n j], and returns nothing.
   * Entries that are not written are zero. Implicit methods use it. Default: finite differences of `rate`.
   */
  readonly jacobian?: (t: number, y: InputArray, out: OutputArray) => void;
  /**
   * Compares `jacobian` with finite differences of `rate` at the first call and at a later one, and rejects
   * contradictions. Default: true.
   */
  readonly check?: boolean;
  /** Initial values of runs that specify none. */
  readonly y?: ArrayLike<number>;
}
