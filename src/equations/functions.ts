import { SimulationError } from "../errors.js";
import type { Input, Written } from "./description.js";
import type { Equations } from "./equations.js";

type OfPosition = (q: Input, v: Input, out: Float64Array, t: number) => void;

/**
 * The user's functions with one signature, (q, v, out, t). Each calls `prepare` first, so it may be
 * used at any state; what a function returns instead of writing is taken over.
 */
export class UserFunctions {
  readonly mass: OfPosition;
  readonly forces: OfPosition;
  readonly phi: OfPosition;
  readonly jacobian: OfPosition | undefined;
  readonly timeDerivative: OfPosition | undefined;
  readonly gamma: OfPosition | undefined;
  readonly nonholonomic: OfPosition;
  readonly nonholonomicJacobian: OfPosition | undefined;
  readonly nonholonomicGamma: OfPosition | undefined;
  readonly potentialGradient: OfPosition | undefined;
  readonly #equations: Equations;
  /** The state `prepare` was last called for, so that it is called once for each. */
  #prepared: Input | undefined;
  #preparedVelocity: Input | undefined;
  #preparedTime = Number.NaN;

  constructor(equations: Equations) {
    this.#equations = equations;
    const { description, mass } = equations;
    const { holonomic, nonholonomic } = description;
    const ofPosition = (
      name: string,
      user: ((q: Input, out: Float64Array, t: number) => Written) | undefined,
    ) => user && this.#wrap(name, (q, _, out, t) => user(q, out, t));
    const ofState = (
      name: string,
      user: ((q: Input, v: Input, out: Float64Array, t: number) => Written) | undefined,
    ) => user && this.#wrap(name, user);
    const nothing: OfPosition = () => {};
    this.mass = ofPosition("mass", mass.function) ?? nothing;
    this.forces = ofState("forces", description.forces) ?? nothing;
    this.phi = ofPosition("holonomic.value", holonomic?.value) ?? nothing;
    this.jacobian = ofPosition("holonomic.jacobian", holonomic?.jacobian);
    this.timeDerivative = ofPosition("holonomic.timeDerivative", holonomic?.timeDerivative);
    this.gamma = ofState("holonomic.gamma", holonomic?.gamma);
    this.nonholonomic = ofState("nonholonomic.value", nonholonomic?.value) ?? nothing;
    this.nonholonomicJacobian = ofState("nonholonomic.jacobian", nonholonomic?.jacobian);
    this.nonholonomicGamma = ofState("nonholonomic.gamma", nonholonomic?.gamma);
    this.potentialGradient = ofPosition("potentialGradient", description.potentialGradient);
  }

  /** True when Phi cannot depend on time. */
  get scleronomic(): boolean {
    const { holonomic } = this.#equations.description;
    return holonomic === undefined || holonomic.value.length < 3;
  }

  potential(q: Input, v: Input, t: number): number {
    this.#prepare(q, v, t);
    const { potential } = this.#equations.description;
    return potential ? this.#number("potential", potential(q, t), t) : 0;
  }

  power(q: Input, v: Input, t: number): number {
    this.#prepare(q, v, t);
    const { power } = this.#equations.description;
    return power ? this.#number("power", power(q, v, t), t) : 0;
  }

  /** Says that the numbers at the state last used have changed. */
  changed(): void {
    this.#prepared = undefined;
  }

  #number(name: string, value: number, t: number): number {
    if (Number.isFinite(value)) return value;
    const system = this.#equations.name;
    throw new SimulationError("EVALUATION", t, `${system}: ${name} gave ${value} at t = ${t}`);
  }

  #prepare(q: Input, v: Input, t: number): void {
    const { prepare } = this.#equations.description;
    if (prepare === undefined) return;
    if (q === this.#prepared && v === this.#preparedVelocity && t === this.#preparedTime) return;
    prepare(q, v, t);
    this.#prepared = q;
    this.#preparedVelocity = v;
    this.#preparedTime = t;
  }

  #wrap(
    name: string,
    user: (q: Input, v: Input, out: Float64Array, t: number) => Written,
  ): OfPosition {
    return (q, v, out, t) => {
      this.#prepare(q, v, t);
      const result = user(q, v, out, t);
      if (result !== undefined) takeReturned(this.#equations.name, name, result, out, t);
    };
  }
}

/** Takes over what a function returned instead of writing. */
export function takeReturned(
  system: string,
  name: string,
  result: Exclude<Written, void>,
  out: Float64Array,
  t: number,
): void {
  const flat = (Array.isArray(result) ? result.flat() : result) as ArrayLike<number>;
  if (flat?.length !== out.length) {
    // An arrow function without braces returns what it assigned.
    const what = flat?.length === undefined ? `${flat}` : `${flat.length} numbers`;
    throw new SimulationError(
      "EVALUATION",
      t,
      `${system}: ${name} returned ${what} at t = ${t}; return an array of ${out.length} numbers, or ` +
        "nothing",
    );
  }
  out.set(flat);
}
