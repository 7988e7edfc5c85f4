import {
  argument,
  callback,
  listOf,
  needed,
  options,
  refuseMore,
  show,
  word,
} from "../../base/checking/index.js";
import { NodriftError, SimulationError } from "../../base/errors.js";
import type {
  EquationsDescription,
  FunctionResult,
  HolonomicConstraints,
  InputArray,
  NonIdealConstraints,
  RowCondition,
} from "./description.js";
import { equations } from "./equations.js";
import { copied, isZero, takeReturned } from "./user-functions.js";

/** A function of the positions that follows a reference. */
export interface TrackedFunction {
  /** The function itself. */
  readonly value: (q: InputArray) => number;
  /** Writes or returns its derivatives with respect to the coordinates. */
  readonly gradient?: (q: InputArray, out: Float64Array) => FunctionResult;
  /** Its second time derivative at zero acceleration: v.H v with the second derivatives H. */
  readonly curvature?: (q: InputArray, v: InputArray) => number;
}

/** A reference motion and the quantity that follows it. */
export interface TrackingReference {
  /** Name of the constraint row, for {@link controlForces}. */
  readonly name: string;
  /** Name of a coordinate, or a function of the positions. */
  readonly follows: string | TrackedFunction;
  /** The motion r(t). */
  readonly reference: (t: number) => number;
  /** r'(t). */
  readonly rate?: (t: number) => number;
  /** r''(t). */
  readonly acceleration?: (t: number) => number;
}

const TRACKED = options<TrackedFunction>({
  value: needed(callback()),
  gradient: callback(),
  curvature: callback(),
});

const REFERENCES = listOf(
  options<TrackingReference>({
    name: needed(word),
    follows: needed({
      wants: "a coordinate or { value: function }",
      read: (value, place) => (typeof value === "string" ? value : TRACKED.read(value, place)),
    }),
    reference: needed(callback()),
    rate: callback(),
    acceleration: callback(),
  }),
  "a list: [{ name, follows, reference }]",
);

/** A reference with its coordinate resolved. */
interface TrackedRow extends TrackingReference {
  readonly coordinate: number;
  readonly function: TrackedFunction | undefined;
}

/**
 * Adds references to a description as constraints that depend on time, f(q) - r(t) = 0, after its own constraints.
 * The motion follows them exactly, and their multipliers are the control that achieves it (Braun and Goldfarb 2009,
 * section 5.4; Udwadia 2003). Supply all derivatives: if a rate or an acceleration is missing, that derivative is
 * computed by finite differences for all holonomic rows, and listed in `differentiated` of the equations.
 *
 * @example
 * const driven = equations(withTracking(arm, [{
 *   name: "elbow",
 *   follows: "angle2",
 *   reference: (t) => Math.sin(t),
 *   rate: (t) => Math.cos(t),
 *   acceleration: (t) => -Math.sin(t),
 * }]));
 * const simulation = simulate(driven, { method, step: 1e-3, q: [0, 0] });
 * console.log(controlForces(simulation, ["elbow"]));
 */
export function withTracking(
  given: EquationsDescription,
  tracked: readonly TrackingReference[],
  ...more: undefined[]
): EquationsDescription {
  refuseMore("withTracking", "DESCRIPTION", more, "it takes a description and references");
  const { description, coordinateNames, holonomicNames, name } = equations(given);
  const references = argument(name, "DESCRIPTION", "references", tracked, REFERENCES);
  const rows = references.map((reference) => rowOf(name, coordinateNames, reference));
  const merger = new Merger(name, holonomicNames.length, coordinateNames.length, rows);
  const own = description.holonomic;
  const curved = rows.every(({ function: tracked }) => !tracked || tracked.curvature);
  const graded = rows.every(({ function: tracked }) => !tracked || tracked.gradient);
  const rated = rows.every(({ rate }) => rate);
  const accelerated = rows.every(({ acceleration }) => acceleration);
  const timeless = !own || own.value.length < 3;
  const holonomic: HolonomicConstraints = {
    rows: [...holonomicNames, ...references.map((reference) => reference.name)],
    value: (q, out, t) => merger.value(own?.value, q, out, t),
    ...(graded &&
      (!own || own.jacobian) && {
        jacobian: (q: InputArray, out: Float64Array, t: number) =>
          merger.jacobian(own?.jacobian, q, out, t),
      }),
    ...(rated &&
      (timeless || own.timeDerivative) && {
        timeDerivative: (q: InputArray, out: Float64Array, t: number) =>
          merger.timeDerivative(own?.timeDerivative, q, out, t),
      }),
    ...(curved &&
      accelerated &&
      (!own || own.gamma) && {
        gamma: (q: InputArray, v: InputArray, out: Float64Array, t: number) =>
          merger.gamma(own?.gamma, q, v, out, t),
      }),
  };
  const { nonIdeal, when } = description;
  const ownOf = ownMultipliers(holonomicNames.length, rows.length);
  return {
    ...description,
    holonomic,
    ...(nonIdeal && { nonIdeal: ofOwnRows(nonIdeal, ownOf) }),
    ...(when && { when: mapConditions(when, ownOf) }),
  };
}

type OwnMultipliers = (all: InputArray) => InputArray;

/** Multipliers of the description's own rows: those of tracking lie between its holonomic and its other rows. */
function ownMultipliers(own: number, tracked: number): OwnMultipliers {
  let multipliers = new Float64Array(0);
  return (all) => {
    if (multipliers.length !== all.length - tracked) {
      multipliers = new Float64Array(all.length - tracked);
    }
    for (let i = 0; i < multipliers.length; i++) {
      multipliers[i] = all[i < own ? i : i + tracked] as number;
    }
    return multipliers as InputArray;
  };
}

/** Wraps conditions of the description's rows, which receive its own multipliers. */
function mapConditions(
  when: NonNullable<EquationsDescription["when"]>,
  ownOf: OwnMultipliers,
): NonNullable<EquationsDescription["when"]> {
  const ofOwn = (given: RowCondition): RowCondition =>
    given.length > 3 ? (q, v, t, all) => given(q, v, t, ownOf(all)) : given;
  return Object.fromEntries(
    Object.entries(when).map(([row, given]) => [
      row,
      typeof given === "function"
        ? ofOwn(given)
        : { begin: ofOwn(given.begin), end: ofOwn(given.end) },
    ]),
  );
}

/** The law of the description receives the multipliers of its own rows. */
function ofOwnRows(given: NonIdealConstraints, ownOf: OwnMultipliers): NonIdealConstraints {
  return { ...given, force: (q, v, all, out, t) => given.force(q, v, ownOf(all), out, t) };
}

function rowOf(system: string, names: readonly string[], reference: TrackingReference): TrackedRow {
  const { follows, name } = reference;
  if (typeof follows !== "string") return { ...reference, coordinate: -1, function: follows };
  const coordinate = names.indexOf(follows);
  if (coordinate < 0) {
    throw new NodriftError(
      "DESCRIPTION",
      `${system}: "${name}" follows "${follows}", which is not a coordinate; there are: ${names.join(", ")}`,
    );
  }
  return { ...reference, coordinate, function: undefined };
}

type OptionalFunction<F extends unknown[]> = ((...parameters: F) => FunctionResult) | undefined;

/** Calls the functions of the description and those of the references in turn. */
class Merger {
  readonly #system: string;
  readonly #rows: readonly TrackedRow[];
  readonly #n: number;
  readonly #own: Float64Array;
  readonly #ownMatrix: Float64Array;
  readonly #gradient: Float64Array;
  readonly #q: Float64Array;
  readonly #v: Float64Array;

  constructor(system: string, own: number, n: number, rows: readonly TrackedRow[]) {
    this.#system = system;
    this.#rows = rows;
    this.#n = n;
    this.#own = new Float64Array(own);
    this.#ownMatrix = new Float64Array(own * n);
    this.#gradient = new Float64Array(n);
    this.#q = new Float64Array(n);
    this.#v = new Float64Array(n);
  }

  value(
    given: OptionalFunction<[InputArray, Float64Array, number]>,
    q: InputArray,
    out: Float64Array,
    t: number,
  ): void {
    if (given) {
      this.#own.fill(Number.NaN);
      this.#take("holonomic.value", given(this.#copy(q), this.#own, t), this.#own, out, t);
    }
    this.#each(out, (row) => {
      const value = row.function
        ? this.#number(row, "follows.value", row.function.value(this.#copy(q)), t)
        : (q[row.coordinate] as number);
      return value - this.#number(row, "reference", row.reference(t), t);
    });
  }

  jacobian(
    given: OptionalFunction<[InputArray, Float64Array, number]>,
    q: InputArray,
    out: Float64Array,
    t: number,
  ) {
    const own = this.#ownMatrix;
    out.fill(0);
    own.fill(0);
    if (given) {
      this.#take("holonomic.jacobian", given(this.#copy(q), own, t), own, out, t);
      if (isZero(own)) {
        own.fill(Number.NaN);
        this.#take("holonomic.jacobian", given(this.#copy(q), own, t), own, out, t);
        if (own.every((one) => Number.isNaN(one)))
          throw this.#wroteNothing("holonomic.jacobian", t);
        out.fill(0);
      }
    }
    for (let i = 0; i < this.#rows.length; i++) {
      const { name, coordinate, function: tracked } = this.#rows[i] as TrackedRow;
      const offset = own.length + i * this.#n;
      if (tracked?.gradient) {
        this.#gradient.fill(0);
        const result: FunctionResult = tracked.gradient(this.#copy(q), this.#gradient);
        if (result !== undefined) {
          takeReturned(this.#system, `gradient of "${name}"`, result, this.#gradient, t);
        } else if (isZero(this.#gradient)) {
          this.#gradient.fill(Number.NaN);
          tracked.gradient(this.#copy(q), this.#gradient);
          if (this.#gradient.every((one) => Number.isNaN(one))) {
            throw this.#wroteNothing(`gradient of "${name}"`, t);
          }
          this.#gradient.fill(0);
        }
        out.set(this.#gradient, offset);
      } else {
        out[offset + coordinate] = 1;
      }
    }
  }

  timeDerivative(
    given: OptionalFunction<[InputArray, Float64Array, number]>,
    q: InputArray,
    out: Float64Array,
    t: number,
  ): void {
    out.fill(0);
    if (given) {
      this.#own.fill(Number.NaN);
      const result = given(this.#copy(q), this.#own, t);
      this.#take("holonomic.timeDerivative", result, this.#own, out, t);
    }
    this.#each(out, (row) => (row.rate ? -this.#number(row, "rate", row.rate(t), t) : 0));
  }

  gamma(
    given: OptionalFunction<[InputArray, InputArray, Float64Array, number]>,
    q: InputArray,
    v: InputArray,
    out: Float64Array,
    t: number,
  ): void {
    if (given) {
      this.#own.fill(Number.NaN);
      const result = given(this.#copy(q), this.#copyRates(v), this.#own, t);
      this.#take("holonomic.gamma", result, this.#own, out, t);
    }
    this.#each(out, (row) => {
      const { acceleration, function: tracked } = row;
      const second = acceleration ? this.#number(row, "acceleration", acceleration(t), t) : 0;
      if (!tracked?.curvature) return second;
      const curved: unknown = tracked.curvature(this.#copy(q), this.#copyRates(v));
      return second - this.#number(row, "follows.curvature", curved, t);
    });
  }

  /** Copies the result of a function of the description to the first part of `out`. */
  #take(
    name: string,
    result: FunctionResult,
    own: Float64Array,
    out: Float64Array,
    t: number,
  ): void {
    if (result !== undefined) takeReturned(this.#system, name, result, own, t);
    out.set(own);
  }

  #number({ name }: TrackedRow, what: string, value: unknown, t: number): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new SimulationError(
      "EVALUATION",
      t,
      `${this.#system}: ${what} of "${name}" gave ${show(value)} at t = ${t}`,
    );
  }

  #wroteNothing(what: string, t: number): SimulationError {
    const words = `${this.#system}: ${what} returned nothing and wrote nothing at t = ${t}`;
    return new SimulationError("EVALUATION", t, words);
  }

  /** Copies for each function, so that one that overwrites its arguments does not affect the next. */
  #copy(q: InputArray): InputArray {
    return copied(q, this.#q);
  }

  #copyRates(v: InputArray): InputArray {
    return copied(v, this.#v);
  }

  #each(out: Float64Array, evaluate: (row: TrackedRow) => number): void {
    for (let i = 0; i < this.#rows.length; i++) {
      out[this.#own.length + i] = evaluate(this.#rows[i] as TrackedRow);
    }
  }
}
