import { isList, show } from "../../base/checking/index.js";
import { SimulationError } from "../../base/errors.js";
import type {
  EquationsDescription,
  FunctionResult,
  InputArray,
  NonIdealConstraints,
  OfPosition,
  OfState,
} from "./description.js";
import type { Equations } from "./equations-types.js";

/**
 * Fill value of `out` before a function writes to it. It is not NaN, since a function that computes NaN is reported as
 * such, and too small to change a sum.
 */
export const UNWRITTEN = 1.618033988749895e-301;

/** Placeholder for omitted functions. */
const nothing = () => {};

/**
 * The user's functions with one signature, (q, v, out, t). Each calls `prepare` first, so it may be used at any state;
 * a returned array is copied to `out`. There is one method per function, so that engines can inline the calls of every
 * stage.
 */
export class UserFunctions {
  /** Functions that the description contains. */
  readonly gives: Readonly<
    Record<
      | "jacobian"
      | "timeDerivative"
      | "gamma"
      | "nonholonomicJacobian"
      | "nonholonomicGamma"
      | "potentialGradient",
      boolean
    >
  >;
  /** Whether Phi cannot depend on time. */
  readonly scleronomic: boolean;
  readonly #system: string;
  readonly #names: readonly string[];
  readonly #prepareState: EquationsDescription["prepare"];
  readonly #mass: OfPosition;
  readonly #forces: OfState;
  readonly #phi: OfPosition;
  readonly #jacobian: OfPosition;
  readonly #timeDerivative: OfPosition;
  readonly #gamma: OfState;
  readonly #nonholonomic: OfState;
  readonly #nonholonomicJacobian: OfState;
  readonly #nonholonomicGamma: OfState;
  readonly #potential: EquationsDescription["potential"];
  readonly #potentialGradient: OfPosition;
  readonly #power: EquationsDescription["power"];
  readonly #nonIdeal: NonIdealConstraints["force"];
  readonly #positions: Float64Array & InputArray;
  readonly #velocities: Float64Array & InputArray;
  readonly #multipliers: Float64Array;
  /** State of the last call of `prepare`, which is called once per state. */
  #prepared: InputArray | undefined;
  #preparedVelocity: InputArray | undefined;
  #preparedTime = Number.NaN;

  constructor({ name, description, mass, coordinateNames, ...names }: Equations) {
    this.#multipliers = new Float64Array(
      names.holonomicNames.length + names.nonholonomicNames.length,
    );
    this.#names = coordinateNames;
    this.#positions = new Float64Array(coordinateNames.length);
    this.#velocities = new Float64Array(coordinateNames.length);
    const { holonomic, nonholonomic, potential, potentialGradient, power } = description;
    this.#system = name;
    this.#prepareState = description.prepare;
    this.#mass = mass.function ?? nothing;
    this.#forces = description.forces;
    this.#phi = holonomic?.value ?? nothing;
    this.#jacobian = holonomic?.jacobian ?? nothing;
    this.#timeDerivative = holonomic?.timeDerivative ?? nothing;
    this.#gamma = holonomic?.gamma ?? nothing;
    this.#nonholonomic = nonholonomic?.value ?? nothing;
    this.#nonholonomicJacobian = nonholonomic?.jacobian ?? nothing;
    this.#nonholonomicGamma = nonholonomic?.gamma ?? nothing;
    this.#potential = potential;
    this.#potentialGradient = potentialGradient ?? nothing;
    this.#power = power;
    this.#nonIdeal = description.nonIdeal?.force ?? nothing;
    this.gives = {
      jacobian: holonomic?.jacobian !== undefined,
      timeDerivative: holonomic?.timeDerivative !== undefined,
      gamma: holonomic?.gamma !== undefined,
      nonholonomicJacobian: nonholonomic?.jacobian !== undefined,
      nonholonomicGamma: nonholonomic?.gamma !== undefined,
      potentialGradient: potentialGradient !== undefined,
    };
    this.scleronomic = !this.gives.timeDerivative && (holonomic?.value.length ?? 0) < 3;
  }

  mass(q: InputArray, v: InputArray, out: Float64Array, t: number): void {
    if (this.#mass === nothing) return;
    this.#begin(q, v, out, t, 0);
    const result = this.#mass(this.#positions, out, t);
    if (result !== undefined) this.#take("mass", result, out, t);
    else if (out[0] === UNWRITTEN) out[0] = 0;
    // Solvers read one triangle of a matrix: NaN in the other one would go unnoticed.
    const bad = findNotFinite(out);
    if (bad >= 0) throw this.#badMass(out, bad, t);
  }

  forces(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#forces(this.#positions, this.#velocities, out, t);
    if (result !== undefined) this.#take("forces", result, out, t);
    else if (this.#isUnwritten("forces", out, t, initial)) this.forces(q, v, out, t, UNWRITTEN);
  }

  phi(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#phi(this.#positions, out, t);
    if (result !== undefined) this.#take("holonomic.value", result, out, t);
    else if (this.#isUnwritten("holonomic.value", out, t, initial))
      this.phi(q, v, out, t, UNWRITTEN);
  }

  jacobian(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#jacobian(this.#positions, out, t);
    if (result !== undefined) this.#take("holonomic.jacobian", result, out, t);
    else if (this.#isUnwritten("holonomic.jacobian", out, t, initial))
      this.jacobian(q, v, out, t, UNWRITTEN);
  }

  timeDerivative(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#timeDerivative(this.#positions, out, t);
    if (result !== undefined) this.#take("holonomic.timeDerivative", result, out, t);
    else if (this.#isUnwritten("holonomic.timeDerivative", out, t, initial))
      this.timeDerivative(q, v, out, t, UNWRITTEN);
  }

  gamma(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#gamma(this.#positions, this.#velocities, out, t);
    if (result !== undefined) this.#take("holonomic.gamma", result, out, t);
    else if (this.#isUnwritten("holonomic.gamma", out, t, initial))
      this.gamma(q, v, out, t, UNWRITTEN);
  }

  nonholonomic(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#nonholonomic(this.#positions, this.#velocities, out, t);
    if (result !== undefined) this.#take("nonholonomic.value", result, out, t);
    else if (this.#isUnwritten("nonholonomic.value", out, t, initial))
      this.nonholonomic(q, v, out, t, UNWRITTEN);
  }

  nonholonomicJacobian(
    q: InputArray,
    v: InputArray,
    out: Float64Array,
    t: number,
    initial = 0,
  ): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#nonholonomicJacobian(this.#positions, this.#velocities, out, t);
    if (result !== undefined) this.#take("nonholonomic.jacobian", result, out, t);
    else if (this.#isUnwritten("nonholonomic.jacobian", out, t, initial))
      this.nonholonomicJacobian(q, v, out, t, UNWRITTEN);
  }

  nonholonomicGamma(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#nonholonomicGamma(this.#positions, this.#velocities, out, t);
    if (result !== undefined) this.#take("nonholonomic.gamma", result, out, t);
    else if (this.#isUnwritten("nonholonomic.gamma", out, t, initial))
      this.nonholonomicGamma(q, v, out, t, UNWRITTEN);
  }

  potentialGradient(q: InputArray, v: InputArray, out: Float64Array, t: number, initial = 0): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#potentialGradient(this.#positions, out, t);
    if (result !== undefined) this.#take("potentialGradient", result, out, t);
    else if (this.#isUnwritten("potentialGradient", out, t, initial))
      this.potentialGradient(q, v, out, t, UNWRITTEN);
  }

  nonIdeal(
    q: InputArray,
    v: InputArray,
    multipliers: InputArray,
    out: Float64Array,
    t: number,
    initial = 0,
  ): void {
    this.#begin(q, v, out, t, initial);
    const result = this.#nonIdeal(
      this.#positions,
      this.#velocities,
      copied(multipliers, this.#multipliers),
      out,
      t,
    );
    if (result !== undefined) this.#take("nonIdeal.force", result, out, t);
    else if (this.#isUnwritten("nonIdeal.force", out, t, initial))
      this.nonIdeal(q, v, multipliers, out, t, UNWRITTEN);
  }

  potential(q: InputArray, v: InputArray, t: number): number {
    if (this.#potential === undefined) return 0;
    this.#prepare(q, v, t);
    this.#copyState(q, v);
    return this.#number("potential", this.#potential(this.#positions, t), t);
  }

  power(q: InputArray, v: InputArray, t: number): number {
    if (this.#power === undefined) return 0;
    this.#prepare(q, v, t);
    this.#copyState(q, v);
    return this.#number("power", this.#power(this.#positions, this.#velocities, t), t);
  }

  /** Declares that the values at the state last used have changed. */
  changed(): void {
    this.#prepared = undefined;
  }

  #number(name: string, value: unknown, t: number): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const gave = `${this.#system}: ${name} gave ${show(value)} at t = ${t}`;
    throw new SimulationError("EVALUATION", t, gave);
  }

  #badMass(out: Float64Array, i: number, t: number): SimulationError {
    const n = this.#names.length;
    const own = `"${this.#names[i % n]}"`;
    const where = out.length === n ? own : `"${this.#names[Math.floor(i / n)]}", ${own}`;
    const gave = `${this.#system}: mass gave ${out[i]} for ${where} at t = ${t}`;
    return new SimulationError("EVALUATION", t, gave);
  }

  /**
   * Whether only a second call, with UNWRITTEN in all entries, can show that a function wrote anything: it left the first
   * entry, and the others are zero. Rejects a function that wrote nothing; entries that it left out are zero.
   */
  #isUnwritten(name: string, out: Float64Array, t: number, initial: number): boolean {
    if (out[0] !== UNWRITTEN) return false;
    if (initial === 0) {
      out[0] = 0;
      return isZero(out);
    }
    let left = 0;
    for (let i = 0; i < out.length; i++) {
      if (out[i] !== UNWRITTEN) continue;
      out[i] = 0;
      left++;
    }
    if (left < out.length) return false;
    throw new SimulationError(
      "EVALUATION",
      t,
      `${this.#system}: ${name} returned nothing and wrote nothing at t = ${t}; return ${out.length} numbers, or write ` +
        "them to `out`, zeros included",
    );
  }

  /**
   * Prepares a call that writes to `out`: zeros, and a first entry that shows whether the function wrote anything. The
   * state is copied for each call, because a function that overwrites its arguments must change nothing. One loop copies
   * both halves, and only one entry is tested: twenty calls a step made this half of the time of small
   * systems. For few values loops are faster than `fill` and `set`.
   */
  #begin(q: InputArray, v: InputArray, out: Float64Array, t: number, initial: number): void {
    this.#prepare(q, v, t);
    this.#copyState(q, v);
    for (let i = 1; i < out.length; i++) out[i] = initial;
    out[0] = UNWRITTEN;
  }

  #copyState(q: InputArray, v: InputArray): void {
    const positions = this.#positions;
    const velocities = this.#velocities;
    for (let i = 0; i < positions.length; i++) {
      positions[i] = q[i] as number;
      velocities[i] = v[i] as number;
    }
  }

  #prepare(q: InputArray, v: InputArray, t: number): void {
    if (this.#prepareState === undefined) return;
    if (q === this.#prepared && v === this.#preparedVelocity && t === this.#preparedTime) return;
    this.#copyState(q, v);
    this.#prepareState(this.#positions, this.#velocities, t);
    this.#prepared = q;
    this.#preparedVelocity = v;
    this.#preparedTime = t;
  }

  #take(name: string, result: Exclude<FunctionResult, void>, out: Float64Array, t: number): void {
    takeReturned(this.#system, name, result, out, t);
  }
}

/** The first entry that is not finite, or -1. */
function findNotFinite(out: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < out.length; i++) sum += 0 * out[i]!;
  return sum === 0 ? -1 : out.findIndex((x) => !Number.isFinite(x));
}

export function isZero(out: Float64Array): boolean {
  for (let i = 0; i < out.length; i++) if (out[i] !== 0) return false;
  return true;
}

/** Copies a state for a user function. */
export function copied(from: ArrayLike<number>, to: Float64Array): InputArray {
  for (let i = 0; i < to.length; i++) to[i] = from[i] as number;
  return to as InputArray;
}

/** Copies an array that a function returned instead of writing to `out`. */
export function takeReturned(
  system: string,
  name: string,
  result: Exclude<FunctionResult, void>,
  out: Float64Array,
  t: number,
): void {
  const flat: unknown = Array.isArray(result) ? result.flat() : result;
  if (!isList(flat) || flat.length !== out.length) {
    // An arrow function without braces returns what it assigned.
    const what = isList(flat) ? `${flat.length} numbers` : show(flat);
    throw new SimulationError(
      "EVALUATION",
      t,
      `${system}: ${name} returned ${what} at t = ${t}; return ${out.length} numbers, or ` +
        "write them to `out` and return nothing",
    );
  }
  for (let i = 0; i < out.length; i++) {
    const entry = flat[i];
    if (typeof entry === "number") {
      out[i] = entry;
      continue;
    }
    throw new SimulationError(
      "EVALUATION",
      t,
      `${system}: ${name} returned ${show(entry)} as number ${i} at t = ${t}`,
    );
  }
}
