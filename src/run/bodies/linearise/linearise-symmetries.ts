// Whether a motion is steady: whether it follows a symmetry of the mechanism.
//
// A field X on states (and time) is a symmetry if closed joints stay closed along it and accelerations change with it.
// These conditions are linear in the coefficients of X (symmetry-fields.ts): at each state
//
//   D_X Phi = 0,   D_X Phi' = 0,   D_X a = what X makes of a,
//
// by differences at states around the one in question. The common solutions at several states are the algebra of the
// symmetries; a motion is steady if one of them has the rates of the state itself (a relative equilibrium: Marsden,
// Lectures on Mechanics, chapter 4). Ignorable coordinates need not be specified. Rejected: to integrate for a while
// and compare, which sees neither slow changes nor what an unstable motion would do.

import {
  combination,
  dot,
  leastSquares,
  nullSpace,
  unitVectors,
} from "../../../ground/algebra/gram-schmidt.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import type { BasisFinder } from "./linearise-basis.js";
import type { NearbyState, NearbyStates } from "./nearby-states.js";
import { type Bases, SeededVariations } from "./seeded-variations.js";
import { Fields } from "./symmetry-fields.js";

/** How far states are away at which fields are tried, in radians, lengths, or parts of the speed. */
const AWAY = 0.1;
/** Relative errors of rows and of accelerations along a field that are treated as zero. */
const ROWS = 1e-7;
const ACCELERATIONS = 1e-6;
/** The same over derivatives of accelerations along other ways, of stiff springs: their rounding. */
const ROUNDING = 1e-8;
/** States that are tried at most, and how many of them must find nothing new. */
const STATES = 12;
const AGREEING = 2;
/** Part of the motion that a symmetry may miss. */
const STEADY = 1e-6;

/** A motion by a symmetry. */
export interface Steady {
  readonly fields: Fields;
  /** The field that has the rates of the state. */
  readonly field: Float64Array;
  /** All symmetries: an orthonormal basis. */
  readonly symmetries: readonly Float64Array[];
}

/** How far the nearest symmetry is from the motion, over its size, and for which body. */
export interface Unsteady {
  readonly missed: number;
  /** Undefined where something depends on time. */
  readonly body: number | undefined;
}

export class SymmetryFinder {
  readonly #context: ReadContext;
  readonly #neighbours: NearbyStates;
  readonly #finder: BasisFinder;
  readonly #state: NearbyState;
  readonly #accelerations: Float64Array;
  readonly #ways: SeededVariations;
  readonly #fields: Fields;
  /** The motion's own measure of time: radians, or lengths of the model, in a unit of time. */
  readonly #speed: number;

  constructor(
    context: ReadContext,
    neighbours: NearbyStates,
    finder: BasisFinder,
    accelerations: Float64Array,
    bases: Bases,
  ) {
    const { q, v, time } = context.present();
    this.#context = context;
    this.#neighbours = neighbours;
    this.#finder = finder;
    this.#state = { q: q.slice(), v: v.slice(), time };
    this.#accelerations = accelerations;
    this.#ways = new SeededVariations(neighbours, bases, v.length);
    const [rate, change] = [v, accelerations].map((x) => neighbours.sizeOf(x));
    this.#speed = Math.max(rate!, Math.sqrt(change!));
    this.#fields = new Fields(this.#state, context.model.length, this.#speed);
  }

  /** The symmetry that the motion follows, or how far it is from one. */
  find(): Steady | Unsteady {
    const beside = () => this.#beside();
    const closed = this.#narrowed(unitVectors(this.#fields.count), beside, (place, basis) => {
      return this.#rowErrors(place, basis);
    });
    const symmetries = this.#narrowed(closed, beside, (place, basis) => {
      return this.#accelerationErrors(place, basis);
    });
    return this.#going(symmetries);
  }

  /** The fields among some that have no errors, at as many states as are needed. */
  #narrowed(
    all: readonly Float64Array[],
    beside: () => NearbyState,
    errorsOf: (place: NearbyState, basis: readonly Float64Array[]) => Errors,
  ): readonly Float64Array[] {
    let basis = all;
    let agreeing = 0;
    for (let i = 0; i < STATES && basis.length > 0 && agreeing < AGREEING; i++) {
      const { columns, tolerance } = errorsOf(i === 0 ? this.#state : beside(), basis);
      const kept = nullSpace(columns, tolerance);
      agreeing = kept.length === basis.length ? agreeing + 1 : 0;
      const before = basis;
      basis = kept.map((factors) => combination(before, factors, this.#fields.count));
    }
    return basis;
  }

  /** D_X Phi and D_X Phi' of each field, over their sizes. */
  #rowErrors(place: NearbyState, basis: readonly Float64Array[]): Errors {
    const { rows, holonomicRows } = this.#context.probe.system.constraints;
    this.#neighbours.place(place, this.#nowhere(), 0, false);
    const sizes = this.#finder.jacobian(rows).map((row) => this.#rowSize(row));
    const columns = basis.map((field) =>
      this.#along(place, field, false, () => {
        const { phi, phiDot } = this.#neighbours.rows();
        const both = new Float64Array(holonomicRows + rows);
        for (let i = 0; i < holonomicRows; i++) both[i] = phi[i]! / sizes[i]!;
        for (let i = 0; i < rows; i++) {
          both[holonomicRows + i] = phiDot[i]! / (sizes[i]! * this.#speed);
        }
        return both;
      }),
    );
    return { columns, tolerance: ROWS };
  }

  /** D_X a less what the field makes of a, over the square of the speed. */
  #accelerationErrors(place: NearbyState, basis: readonly Float64Array[]): Errors {
    const neighbours = this.#neighbours;
    neighbours.place(place, this.#nowhere(), 0, false);
    const accelerations = neighbours.accelerations();
    const { length } = this.#context.model;
    const square = this.#speed * this.#speed;
    const columns = basis.map((field) => {
      const expected = this.#fields.at(field, place, accelerations).acceleration;
      const found = this.#along(place, field, true, () => neighbours.accelerations());
      return found.map((x, i) => (x - expected[i]!) / (square * (i % 6 < 3 ? length : 1)));
    });
    const way = this.#ways.next(1, this.#speed);
    const other = neighbours.derivative(place, way, true, this.#speed, () => {
      return neighbours.accelerations();
    });
    return { columns, tolerance: ACCELERATIONS + (ROUNDING * neighbours.sizeOf(other)) / square };
  }

  #along(
    place: NearbyState,
    field: Float64Array,
    closed: boolean,
    sample: () => Float64Array,
  ): Float64Array {
    const { displacement, velocity } = this.#fields.at(field, place);
    const time = this.#fields.timeOf(field) / this.#speed;
    return this.#neighbours.derivative(
      place,
      { displacement, velocity, time },
      closed,
      this.#speed,
      sample,
    );
  }

  /** The symmetry with the rates of the state; where there are several, one that turns the world least. */
  #going(symmetries: readonly Float64Array[]): Steady | Unsteady {
    const fields = this.#fields;
    const { v } = this.#state;
    const rates = this.#scaled(v, this.#accelerations, this.#speed);
    const fast = symmetries.map((field) => field.map((x) => x * this.#speed));
    const columns = fast.map((field) => {
      const { displacement, velocity } = fields.at(field, this.#state);
      return this.#scaled(displacement, velocity, fields.timeOf(field));
    });
    const factors = leastSquares(columns, rates);
    const reached = combination(columns, factors, rates.length);
    const missing = rates.map((value, i) => Math.abs(value - reached[i]!));
    const worst = missing.reduce((most, value, i) => (value > missing[most]! ? i : most), 0);
    if (!(missing[worst]! <= STEADY)) {
      const body = worst < 2 * v.length ? Math.floor((worst % v.length) / 6) : undefined;
      return { missed: missing[worst]!, body };
    }
    const field = combination(fast, factors, fields.count);
    const idle = nullSpace(columns, STEADY).map((free) => combination(fast, free, fields.count));
    const left = fields.leftTurns();
    const turning = (x: Float64Array) => x.map((value, i) => (left[i] ? value : 0));
    const back = combination(idle, leastSquares(idle.map(turning), turning(field)), fields.count);
    return { fields, field: field.map((value, i) => value - back[i]!), symmetries };
  }

  /** Rates of positions, of velocities and of time, in the motion's own measures. */
  #scaled(positions: Float64Array, velocities: Float64Array, time: number): Float64Array {
    const { length } = this.#context.model;
    const unit = (i: number) => this.#speed * (i % 6 < 3 ? length : 1);
    return Float64Array.from([
      ...positions.map((x, i) => x / unit(i)),
      ...velocities.map((x, i) => x / (unit(i) * this.#speed)),
      time / this.#speed,
    ]);
  }

  /** A nearby state that the joints allow, at a later time: tables and formulas may be undefined before the start. */
  #beside(): NearbyState {
    const way = { ...this.#ways.next(AWAY, AWAY * this.#speed), time: AWAY / this.#speed };
    return this.#neighbours.place(this.#state, way, 1, true);
  }

  #rowSize(row: Float64Array): number {
    const { length } = this.#context.model;
    const scaled = row.map((x, i) => (i % 6 < 3 ? x * length : x));
    const size = Math.sqrt(dot(scaled, scaled));
    return size > 0 ? size : 1;
  }

  #nowhere() {
    const nothing = new Float64Array(this.#state.v.length);
    return { displacement: nothing, velocity: nothing };
  }
}

/** Errors of each field, and the bounds below which they are treated as zero. */
interface Errors {
  readonly columns: readonly Float64Array[];
  readonly tolerance: number;
}
