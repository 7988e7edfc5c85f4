import {
  callback,
  flag,
  needed,
  numbers,
  optionsOf,
  type Shape,
  word,
} from "../../base/checking/index.js";
import type { State, StateData, SystemSource } from "../../interfaces/index.js";
import { nameList, nameOf, namesOf, requireUnique, wrong } from "../equations/name-checks.js";
import { type OdeDescription, odeFunctions } from "./ode-functions.js";
import { OdeSystem } from "./system.js";

/** A validated ODE that can be solved repeatedly. */
export interface PlainOde extends SystemSource<OdeState> {
  /** As described, for messages. */
  readonly name: string;
  /** The validated description. */
  readonly description: OdeDescription;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  state(data: StateData): OdeState;
}

const DESCRIPTION: Shape<OdeDescription> = {
  name: word,
  names: needed(nameList),
  rate: needed(callback("a function (t, y, out) => ...")),
  jacobian: callback("a function (t, y, out) => ...; leave it out for differences"),
  check: flag,
  y: numbers,
};

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
export function ode(given: OdeDescription, ...more: undefined[]): PlainOde {
  const name = nameOf("ode", given, "ode");
  const description = optionsOf(name, "DESCRIPTION", given, DESCRIPTION, more);
  const unknowns = namesOf(description.names, "y");
  if (unknowns.length === 0) throw wrong(name, "names is empty; give the names of the unknowns");
  requireUnique(name, "names", unknowns);
  const { y } = description;
  if (y !== undefined && y.length !== unknowns.length) {
    throw wrong(name, `y has ${y.length} numbers for ${unknowns.length} unknowns`);
  }
  return Object.freeze({
    name,
    description: Object.freeze(description),
    names: unknowns,
    ...(y && { q: Float64Array.from(y) }),
    system: () => new OdeSystem(name, unknowns, (owner) => odeFunctions(owner, description)),
    state: (data: StateData) => new OdeState(data),
  });
}

/**
 * A state of a plain differential equation.
 *
 * @example
 * const { time, y } = solution.at(1);
 */
export class OdeState implements State {
  /** The unknowns. */
  readonly y: Float64Array;
  /** The unknowns under the name that runs use for all kinds of systems. */
  readonly q: Float64Array;
  /** Empty: the unknowns are in y. */
  readonly v: Float64Array;
  readonly #data: StateData;

  constructor(data: StateData) {
    this.y = data.q;
    this.q = data.q;
    this.v = data.v;
    this.#data = data;
  }

  /** Its time. */
  get time(): number {
    return this.#data.time;
  }
}
