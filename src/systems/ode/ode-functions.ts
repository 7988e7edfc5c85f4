import { SimulationError } from "../../ground/errors.js";
import type { Address, Arena, Segment } from "../../ground/memory/arena.js";
import type { Workspace } from "../../ground/memory/workspace.js";
import { failed, statusIndex } from "../../ground/wasm/status.js";
import type { OdeFunctions } from "../../seam/index.js";
import { BLOWN_UP } from "../equations/solve-errors.js";
import { copied, takeReturned } from "../equations/user-functions.js";
import type { OdeDescription } from "./description.js";

/** Whose functions they are, and where y is. */
export interface Owner {
  readonly name: string;
  readonly names: readonly string[];
  readonly workspace: Workspace;
  /** The trial state. */
  readonly y: Segment;
  /** The accepted one. */
  readonly state: Address;
}

/** The user's functions at the trial state, through views that are made once, and checked. */
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
      // Not by kernels: the function's numbers are at hand here, and two calls would take longer than f of a
      // small system.
      const { value: found, all } = views;
      const to = out / 8;
      for (let i = 0; i < n; i++) {
        const each = found[i] as number;
        if (!(Math.abs(each) < Number.POSITIVE_INFINITY))
          throw badRate(owner, t, views.y, found, i);
        all[to + i] = each;
      }
    },
    ...(jacobian && { jacobian: jacobianOf(owner, jacobian, () => copied(views.y, given)) }),
  };
}

function jacobianOf(
  { name, names, workspace }: Owner,
  jacobian: NonNullable<OdeDescription["jacobian"]>,
  yOf: () => Float64Array,
): NonNullable<OdeFunctions["jacobian"]> {
  const n = names.length;
  let arena: Arena | undefined;
  let at: Address | undefined;
  let view = new Float64Array(0);
  workspace.whenSealed((sealed) => {
    arena = sealed;
  });
  return (t, out) => {
    // A method has one place for it: this is the same view again and again.
    if (at !== out) view = (arena as Arena).floats({ name: "df/dy", address: out, slots: n * n });
    at = out;
    view.fill(0);
    const result: unknown = jacobian(t, yOf(), view);
    if (result !== undefined) throw returned(name, t, result);
    const status = workspace.kernels.checkFinite(n * n, out);
    if (failed(status)) throw badJacobian(name, names, t, view, statusIndex(status));
  };
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
 * The error for a rate that is not finite: a state that is not, or soon will not be, comes first. `advice` is what else
 * there is to look for.
 */
export function badRate(
  { name, names }: Pick<Owner, "name" | "names">,
  t: number,
  y: Float64Array,
  value: Float64Array,
  index: number,
  advice = `, and whether out[${index}] is written`,
): SimulationError {
  const huge = y.findIndex((each) => !(Math.abs(each) < BLOWN_UP));
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
