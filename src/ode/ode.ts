import type { StateData, SystemSource } from "../contracts.js";
import { namesOf, requireUnique, wrong } from "../equations/names.js";
import type { OdeDescription } from "./description.js";
import { OdeState } from "./state.js";
import { OdeSystem } from "./system.js";

/** A checked description, ready to be solved any number of times. */
export interface PlainOde extends SystemSource<OdeState> {
  readonly name: string;
  readonly description: OdeDescription;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  state(data: StateData): OdeState;
}

const KNOWN: readonly (keyof OdeDescription)[] = ["name", "names", "rate", "jacobian", "y"];

/**
 * A plain ordinary differential equation y' = f(t, y), for `solve`.
 *
 * @example
 * const vanDerPol = ode({
 *   name: "Van der Pol",
 *   names: ["y", "z"],
 *   rate: (t, [y, z], out) => {
 *     out[0] = z;
 *     out[1] = ((1 - y * y) * z - y) / 1e-2;
 *   },
 * });
 * const solution = solve(vanDerPol, { span: [0, 2], y: [2, 0] });
 * console.log(solution.at(1).y, solution.column("z"));
 */
export function ode(description: OdeDescription): PlainOde {
  const name = description?.name ?? "ode";
  if (typeof description !== "object" || description === null) {
    throw wrong(name, "give { names: [...], rate: (t, y, out) => ... }");
  }
  const unknown = Object.keys(description).find(
    (key) => !(KNOWN as readonly string[]).includes(key),
  );
  if (unknown !== undefined) {
    throw wrong(name, `there is no part "${unknown}"; there are: ${KNOWN.join(", ")}`);
  }
  const names = namesOf(name, "names", description.names, "y");
  if (names.length === 0) throw wrong(name, "names is empty; give the names of the unknowns");
  requireUnique(name, "names", names);
  const { rate, jacobian, y } = description;
  if (typeof rate !== "function") throw wrong(name, "rate must be a function (t, y, out) => ...");
  if (jacobian !== undefined && typeof jacobian !== "function") {
    throw wrong(
      name,
      "jacobian must be a function (t, y, out) => ...; leave it out for differences",
    );
  }
  return {
    name,
    description,
    names,
    ...(y && { q: Float64Array.from(y) }),
    system: () => new OdeSystem(name, names, description),
    state: (data) => new OdeState(data),
  };
}
