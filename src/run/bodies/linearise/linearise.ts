// Small motions about a state: symmetries of a steady motion, the matrix, and its eigenvalues.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { type Eigenvalue, eigenvalues } from "../../../base/algebra/eigenvalues.js";
import {
  combination,
  complement,
  dot,
  leastSquares,
  nullSpace,
  orthonormal,
  unitVectors,
} from "../../../base/algebra/gram-schmidt.js";
import { hypotenuse } from "../../../base/algebra/portable-trigonometry.js";
import { seededNumbers } from "../../../base/algebra/seeded-numbers.js";
import {
  add,
  cross,
  ZERO as NO_ROTATION,
  norm,
  rotationOf,
  scale,
  subtract,
  threeAt,
  times,
  transposeTimes,
} from "../../../base/algebra/vectors.js";
import { locationOf, reading, refuseMore } from "../../../base/checking/index.js";
import { checkKeys, flag } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { Vector } from "../../../model/model-data.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import type { BodyState } from "../reading/readout.js";
import type { BodySimulation } from "../simulation/simulation.js";
import { type CarriedStates, carriedStates } from "./carried-states.js";
import { BasisFinder } from "./linearise-basis.js";
import { type NearbyState, NearbyStates, type Variation } from "./nearby-states.js";

// Candidate symmetries: vector fields X on the state space, by their coefficients.
//
// Each body moves by a rigid motion of the world, the left part (a, Omega), and by one of its own frame, the
// right part (b, s):
//
//   dx = a + Omega x (x - o) + R b,    dR = R [R^T Omega + s]x.
//
// A bicycle in a bend has the left part of its yaw rotation in all bodies, and a right part in each wheel, which
// spins about its axle. Velocities and accelerations follow: with b and s fixed in the body, from
// d(R b)/dt = R (w x b) and w' = s' + w x s for a rotation s,
//
//   dv = Omega x v + R (w x b),                          dw = w x s,
//   da = Omega x a + R (alpha x b + w x (w x b)),        dalpha = alpha x s.
//
// A boost c has dv = c, and dx = (t - t0) c: unconstrained bodies may fly and fall while they spin.
// Time advances as well: drives that rotate a shaft uniformly change only the angle. These fields do not include
// the rotation of several bodies, movable relative to each other, about an axis carried by another one.

/** Coefficients of each body: a, Omega, b, s, c. */
const PARTS = 15;
const [LEFT, LEFT_ROTATION, RIGHT, RIGHT_ROTATION, BOOST] = [0, 3, 6, 9, 12];

/** Changes of a state under a field. */
interface Change {
  /** Change of the poses: six values for each body, as in velocities. */
  readonly displacement: Float64Array;
  /** Change of the velocities. */
  readonly velocity: Float64Array;
  /** Change of the accelerations; zero unless accelerations were passed. */
  readonly acceleration: Float64Array;
}

class Fields {
  /** Number of coefficients of a field; the last one is the rate of time. */
  readonly count: number;
  readonly #bodies: number;
  /** Length of a unit translation, and change of speed of a unit boost. */
  readonly #length: number;
  readonly #speed: number;
  readonly #time: number;
  /** Centre of left rotations. A distant centre would make them look like translations. */
  readonly #origin: Vector;

  /** Creates the fields about a state; `rate` is the unit of rates. */
  constructor({ q, time }: NearbyState, length: number, rate: number) {
    this.#bodies = q.length / BODY_POSITIONS;
    this.#length = length;
    this.#speed = length * rate;
    this.#time = time;
    this.count = PARTS * this.#bodies + 1;
    let sum: Vector = [0, 0, 0];
    for (let body = 0; body < this.#bodies; body++) {
      sum = add(sum, threeAt(q, BODY_POSITIONS * body));
    }
    this.#origin = scale(1 / this.#bodies, sum);
  }

  /** Returns the rate of time of a field. */
  timeOf(field: Float64Array): number {
    return field[this.count - 1]!;
  }

  /** Angular velocity, in the world, of the frame in which a body is observed. */
  rotationRateOf(field: Float64Array, body: number): Vector {
    return threeAt(field, PARTS * body + LEFT_ROTATION);
  }

  /** Returns all rotations of a field, of the world and of bodies. */
  rotationRatesOf(field: Float64Array): Vector[] {
    return Array.from({ length: this.#bodies }, (_, body) => [
      this.rotationRateOf(field, body),
      threeAt(field, PARTS * body + RIGHT_ROTATION),
    ]).flat();
  }

  /** Whether each coefficient of a field is a rotation of the world. */
  isLeftRotation(): boolean[] {
    return Array.from({ length: this.count }, (_, i) => {
      const part = i % PARTS;
      return i < this.count - 1 && part >= LEFT_ROTATION && part < RIGHT;
    });
  }

  /** Returns the changes of a state under a field. */
  at(field: Float64Array, { q, v, time }: NearbyState, accelerations?: Float64Array): Change {
    const displacement = new Float64Array(v.length);
    const velocity = new Float64Array(v.length);
    const acceleration = new Float64Array(v.length);
    for (let body = 0; body < this.#bodies; body++) {
      const [place, first, part] = [BODY_POSITIONS * body, BODY_VELOCITIES * body, PARTS * body];
      const e = [q[place + 3]!, q[place + 4]!, q[place + 5]!, q[place + 6]!] as const;
      const rotation = rotationOf(e);
      const a = scale(this.#length, threeAt(field, part + LEFT));
      const b = scale(this.#length, threeAt(field, part + RIGHT));
      const turn = threeAt(field, part + LEFT_ROTATION);
      const spin = threeAt(field, part + RIGHT_ROTATION);
      const [linear, w] = [threeAt(v, first), threeAt(v, first + 3)];
      const arm = subtract(threeAt(q, place), this.#origin);
      const boost = scale(this.#speed, threeAt(field, part + BOOST));
      const flown = add(a, scale(time - this.#time, boost));
      displacement.set(add(add(flown, cross(turn, arm)), times(rotation, b)), first);
      displacement.set(add(transposeTimes(rotation, turn), spin), first + 3);
      const swept = add(cross(turn, linear), times(rotation, cross(w, b)));
      velocity.set(add(swept, boost), first);
      velocity.set(cross(w, spin), first + 3);
      if (!accelerations) continue;
      const alpha = threeAt(accelerations, first + 3);
      const swing = add(cross(alpha, b), cross(w, cross(w, b)));
      const carried = cross(turn, threeAt(accelerations, first));
      acceleration.set(add(carried, times(rotation, swing)), first);
      acceleration.set(cross(alpha, spin), first + 3);
    }
    return { displacement, velocity, acceleration };
  }
}

// Eigenvalues of a steady motion, separated from those of its symmetries.
//
// Symmetries Y map a steady state to further steady states: another position, another heading, another angle of
// a wheel. Their directions G at the state are invariant under A = D(f - X), as A Y = [X, Y], which is a symmetry:
//
//   A (G, Q) = (G, Q) (S, *; 0, B)    with Q orthogonal to G.
//
// Eigenvalues of B are those of the motion. The eigenvalues of S are known: [X, .] of rotations and translations has
// the eigenvalues 0 and +- i times the rotation rates of X. Most are double zeros, because a heading error moves a
// bicycle ever further away. If they were computed with all others, rounding of 1e-12 would split such a pair to 1e-6,
// and leave growth undecided.

/** Relative, squared size below which a direction depends on others. */
const DEPENDENCE_TOLERANCE = 1e-12;

/** Eigenvalues of a matrix, separated by an invariant subspace. */
interface SplitEigenvalues {
  /** Eigenvalues of the motion. */
  readonly motion: readonly Eigenvalue[];
  /** Eigenvalues of the symmetries. */
  readonly symmetry: readonly Eigenvalue[];
}

/** Computes eigenvalues of A from its columns; `rates` are the rotation rates of X. */
function splitEigenvalues(
  columns: readonly Float64Array[],
  directions: readonly Float64Array[],
  rates: readonly number[],
): SplitEigenvalues {
  const size = columns.length;
  const orbit = orthonormal(directions, [], { tolerance: DEPENDENCE_TOLERANCE });
  const across = complement(orbit, size);
  const known = [0, ...rates.map(Math.abs)];
  return {
    motion: within(columns, across),
    symmetry: within(columns, orbit).map(({ imaginary }) => ({
      real: 0,
      imaginary: Math.sign(imaginary) * nearest(Math.abs(imaginary), known),
    })),
  };
}

/** Computes the eigenvalues of Q^T A Q. */
function within(columns: readonly Float64Array[], basis: readonly Float64Array[]): Eigenvalue[] {
  const images = basis.map((x) => combination(columns, x, columns.length));
  return eigenvalues(
    basis.length,
    images.flatMap((image) => basis.map((x) => dot(x, image))),
  );
}

function nearest(value: number, known: readonly number[]): number {
  return known.reduce((best, each) =>
    Math.abs(each - value) < Math.abs(best - value) ? each : best,
  );
}

// Variations of a state that the joints allow, from a seeded generator, so that they are identical on every platform.

/** Bases of the displacements and of the velocities that joints allow. */
type Bases = readonly [readonly Float64Array[], readonly Float64Array[]];

class SeededVariations {
  readonly #neighbours: NearbyStates;
  readonly #bases: Bases;
  readonly #count: number;
  readonly #random = seededNumbers();

  /** `count` is the length of the vectors. */
  constructor(neighbours: NearbyStates, bases: Bases, count: number) {
    this.#neighbours = neighbours;
    this.#bases = bases;
    this.#count = count;
  }

  /**
   * Returns the next variation: rotations, or translations in lengths of the model, and changes of the velocities, of
   * given sizes.
   */
  next(turn: number, speed: number): Variation {
    const [displacements, velocities] = this.#bases;
    return {
      displacement: this.#mixed(displacements, turn),
      velocity: this.#mixed(velocities, speed),
    };
  }

  #mixed(basis: readonly Float64Array[], size: number): Float64Array {
    // All basis vectors get the same size of motion: those of heavy bodies are short.
    const factors = basis.map((x) => (this.#random() - 0.5) / this.#neighbours.sizeOf(x));
    const sum = combination(basis, factors, this.#count);
    const found = this.#neighbours.sizeOf(sum);
    return found > 0 ? sum.map((x) => (x * size) / found) : sum;
  }
}

// Steadiness of a motion: whether it follows a symmetry of the mechanism.
//
// A field X on states (and time) is a symmetry if closed joints stay closed along it and accelerations transform with
// it. These conditions are linear in the coefficients of X: at each state
//
//   D_X Phi = 0,   D_X Phi' = 0,   D_X a = change of a under X,
//
// by finite differences at states around the given one. The common solutions at several states are the algebra of the
// symmetries; a motion is steady if one of them has the rates of the state itself (a relative equilibrium: Marsden,
// Lectures on Mechanics, chapter 4). Ignorable coordinates need not be specified. Rejected: integrating for a while
// and comparing, which detects neither slow changes nor the fate of an unstable motion.

/** Distance of the states at which fields are tested, in radians, lengths of the model, or fractions of the speed. */
const TEST_DISTANCE = 0.1;
/** Relative errors of rows and of accelerations along a field that are treated as zero. */
const ROW_TOLERANCE = 1e-7;
const ACCELERATION_TOLERANCE = 1e-6;
/**
 * Further tolerance relative to derivatives of accelerations along other variations: their rounding with stiff springs.
 */
const STIFFNESS_TOLERANCE = 1e-8;
/** Largest number of tested states, and the number of consecutive ones that must agree. */
const MAX_TESTED_STATES = 12;
const AGREEING_STATES = 2;
/** Largest relative deviation of a steady motion from a symmetry. */
const STEADY_TOLERANCE = 1e-6;

/** A motion along a symmetry. */
interface Steady {
  readonly fields: Fields;
  /** Field with the rates of the state. */
  readonly field: Float64Array;
  /** Orthonormal basis of all symmetries. */
  readonly symmetries: readonly Float64Array[];
}

/** Relative distance of the nearest symmetry from the motion, and the body with the largest deviation. */
interface Unsteady {
  readonly missed: number;
  /** Index of the body; undefined if the deviation is that of time. */
  readonly body: number | undefined;
}

class SymmetryFinder {
  readonly #context: ReadContext;
  readonly #neighbours: NearbyStates;
  readonly #finder: BasisFinder;
  readonly #state: NearbyState;
  readonly #accelerations: Float64Array;
  readonly #variations: SeededVariations;
  readonly #fields: Fields;
  /** Time scale of the motion: its speed in radians, or lengths of the model, per second. */
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
    this.#variations = new SeededVariations(neighbours, bases, v.length);
    const [rate, change] = [v, accelerations].map((x) => neighbours.sizeOf(x));
    this.#speed = Math.max(rate!, Math.sqrt(change!));
    this.#fields = new Fields(this.#state, context.model.length, this.#speed);
  }

  /** Returns the symmetry that the motion follows, or the distance from the nearest one. */
  find(): Steady | Unsteady {
    const nearbyState = () => this.#nearbyState();
    const closed = this.#fieldsWithoutErrors(
      unitVectors(this.#fields.count),
      nearbyState,
      (place, basis) => {
        return this.#rowErrors(place, basis);
      },
    );
    const symmetries = this.#fieldsWithoutErrors(closed, nearbyState, (place, basis) => {
      return this.#accelerationErrors(place, basis);
    });
    return this.#fit(symmetries);
  }

  /** Returns the fields without errors, tested at as many states as needed. */
  #fieldsWithoutErrors(
    all: readonly Float64Array[],
    nearbyState: () => NearbyState,
    errorsOf: (place: NearbyState, basis: readonly Float64Array[]) => Errors,
  ): readonly Float64Array[] {
    let basis = all;
    let agreeing = 0;
    for (let i = 0; i < MAX_TESTED_STATES && basis.length > 0 && agreeing < AGREEING_STATES; i++) {
      const { columns, tolerance } = errorsOf(i === 0 ? this.#state : nearbyState(), basis);
      const remaining = nullSpace(columns, tolerance);
      agreeing = remaining.length === basis.length ? agreeing + 1 : 0;
      const before = basis;
      basis = remaining.map((factors) => combination(before, factors, this.#fields.count));
    }
    return basis;
  }

  /** Returns D_X Phi and D_X Phi' of each field, relative to the row sizes. */
  #rowErrors(place: NearbyState, basis: readonly Float64Array[]): Errors {
    const { rows, holonomicRows } = this.#context.probe.system.constraints;
    this.#neighbours.place(place, this.#zeroVariation(), 0, false);
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
    return { columns, tolerance: ROW_TOLERANCE };
  }

  /** Returns D_X a minus the change of a under the field, relative to the squared speed. */
  #accelerationErrors(place: NearbyState, basis: readonly Float64Array[]): Errors {
    const neighbours = this.#neighbours;
    neighbours.place(place, this.#zeroVariation(), 0, false);
    const accelerations = neighbours.accelerations();
    const { length } = this.#context.model;
    const square = this.#speed * this.#speed;
    const columns = basis.map((field) => {
      const expected = this.#fields.at(field, place, accelerations).acceleration;
      const found = this.#along(place, field, true, () => neighbours.accelerations());
      return found.map((x, i) => (x - expected[i]!) / (square * (i % 6 < 3 ? length : 1)));
    });
    const variation = this.#variations.next(1, this.#speed);
    const other = neighbours.derivative(place, variation, true, this.#speed, () => {
      return neighbours.accelerations();
    });
    return {
      columns,
      tolerance: ACCELERATION_TOLERANCE + (STIFFNESS_TOLERANCE * neighbours.sizeOf(other)) / square,
    };
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

  /** Returns the symmetry with the rates of the state; if there are several, the one that rotates the world least. */
  #fit(symmetries: readonly Float64Array[]): Steady | Unsteady {
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
    if (!(missing[worst]! <= STEADY_TOLERANCE)) {
      const body = worst < 2 * v.length ? Math.floor((worst % v.length) / 6) : undefined;
      return { missed: missing[worst]!, body };
    }
    const field = combination(fast, factors, fields.count);
    const idle = nullSpace(columns, STEADY_TOLERANCE).map((free) =>
      combination(fast, free, fields.count),
    );
    const left = fields.isLeftRotation();
    const turning = (x: Float64Array) => x.map((value, i) => (left[i] ? value : 0));
    const back = combination(idle, leastSquares(idle.map(turning), turning(field)), fields.count);
    return { fields, field: field.map((value, i) => value - back[i]!), symmetries };
  }

  /** Returns the rates of positions, of velocities and of time, in the scales of the motion. */
  #scaled(positions: Float64Array, velocities: Float64Array, time: number): Float64Array {
    const { length } = this.#context.model;
    const unit = (i: number) => this.#speed * (i % 6 < 3 ? length : 1);
    return Float64Array.from([
      ...positions.map((x, i) => x / unit(i)),
      ...velocities.map((x, i) => x / (unit(i) * this.#speed)),
      time / this.#speed,
    ]);
  }

  /**
   * Returns a nearby state that the joints allow, at a later time: tables and formulas may be undefined before the
   * initial time.
   */
  #nearbyState(): NearbyState {
    const variation = {
      ...this.#variations.next(TEST_DISTANCE, TEST_DISTANCE * this.#speed),
      time: TEST_DISTANCE / this.#speed,
    };
    return this.#neighbours.place(this.#state, variation, 1, true);
  }

  #rowSize(row: Float64Array): number {
    const { length } = this.#context.model;
    const scaled = row.map((x, i) => (i % 6 < 3 ? x * length : x));
    const size = Math.sqrt(dot(scaled, scaled));
    return size > 0 ? size : 1;
  }

  #zeroVariation() {
    const zero = new Float64Array(this.#state.v.length);
    return { displacement: zero, velocity: zero };
  }
}

/** Errors of each field, and the bounds below which they are treated as zero. */
interface Errors {
  readonly columns: readonly Float64Array[];
  readonly tolerance: number;
}

// The matrix of small motions about a state.
//
// Z spans the displacements that the joints allow, orthonormal in the metric of the masses. A nearby state is described
// by z, the displacement Z z, and u, the velocity v + Z u, both then projected onto the joints. To first order
// the projection changes neither, as it moves along M^-1 J^T, which is orthogonal to Z. Hence
//
//   z' = Z^T M (v, w + theta x w / 2),   u' = Z^T M a,
//
// where theta, the rotation of a body from its pose at the state, has the rate w + theta x w / 2 + ... in its axes. The
// states y' = f are velocities of auxiliary bodies (plan/carriers.ts): they are among u, and their bodies are not
// displaced. The matrix of z', u' by z, u is computed by finite differences of fourth order. With rolling or blades,
// velocities are more constrained than displacements: they have a smaller basis.
//
// In a moving state these rates are not zero, and their derivatives depend on the coordinates as much as on
// the motion. A steady motion follows a symmetry X. For an observer moving with it the rates
// are f - X, which are zero at the state: there A = D(f - X) is the same in all coordinates, and as X is a symmetry,
// the same at all times.

/** Change of a state below which a symmetry leaves it unchanged. */
const IDLE_TOLERANCE = 1e-7;

/** The linearised state, and the indices of its states. */
interface LinearContext extends Pick<ReadContext, "present"> {
  readonly carried: CarriedStates;
}

/** The state space about a state, and its rates by finite differences. */
class StateSpace {
  readonly #context: LinearContext;
  readonly #finder: BasisFinder;
  readonly #neighbours: NearbyStates;
  readonly #bases: Bases;
  readonly #steady: Steady | undefined;

  constructor(
    context: LinearContext,
    finder: BasisFinder,
    neighbours: NearbyStates,
    bases: Bases,
    steady: Steady | undefined,
  ) {
    this.#context = context;
    this.#finder = finder;
    this.#neighbours = neighbours;
    this.#bases = bases;
    this.#steady = steady;
  }

  /** Computes the columns of A. */
  columns(): Float64Array[] {
    const present = this.#context.present();
    const still = new Float64Array(present.v.length);
    const [displacements, velocities] = this.#bases;
    const derivative = (displacement: Float64Array, velocity: Float64Array, size?: number) =>
      this.#neighbours.derivative(
        present,
        { displacement, velocity },
        true,
        1,
        (place, h) => this.#rates(place, displacement, h),
        size,
      );
    return [
      ...displacements.map((d) => derivative(d, still)),
      ...velocities.map((u) => derivative(still, u, this.#sizeOfState(u, present.v))),
    ];
  }

  /** Returns the size of the state that a velocity changes, in its own unit; undefined for velocities of bodies. */
  #sizeOfState(u: Float64Array, v: Float64Array): number | undefined {
    const index = this.#context.carried.active.find((slot) => u[slot] !== 0);
    return index === undefined ? undefined : Math.max(1, Math.abs(v[index]!));
  }

  /** Returns the directions of other steady states, as z and u. */
  orbit(): Float64Array[] {
    if (!this.#steady) return [];
    const { fields, symmetries } = this.#steady;
    const present = this.#context.present();
    const lasting = nullSpace(
      symmetries.map((field) => Float64Array.of(fields.timeOf(field))),
      0,
    );
    return lasting.flatMap((factors) => {
      const field = combination(symmetries, factors, fields.count);
      const { displacement, velocity } = fields.at(field, present);
      if (
        this.#neighbours.sizeOf(displacement) + this.#neighbours.sizeOf(velocity) <
        IDLE_TOLERANCE
      )
        return [];
      return [this.#coordinates([displacement, velocity])];
    });
  }

  #coordinates(rates: readonly Float64Array[]): Float64Array {
    return Float64Array.from(
      rates.flatMap((rate, i) => this.#finder.components(this.#bases[i]!, rate)),
    );
  }

  /** Returns z' and u' at a state rotated by h d. */
  #rates(place: NearbyState, d: Float64Array, h: number): Float64Array {
    const rates = this.#steady
      ? this.#relativeRates(this.#steady, place)
      : [rotatedRate(place.v, d, h), this.#neighbours.accelerations()];
    return this.#coordinates(rates);
  }

  /** Returns the rates minus those of the steady motion: no first-order rotation remains in them. */
  #relativeRates({ fields, field }: Steady, place: NearbyState): Float64Array[] {
    const { displacement, velocity } = fields.at(field, place);
    const accelerations = this.#neighbours.accelerations();
    return [
      place.v.map((value, i) => value - displacement[i]!),
      accelerations.map((value, i) => value - velocity[i]!),
    ];
  }
}

/** Returns (v, w + theta x w / 2) with theta = h d. */
function rotatedRate(v: Float64Array, d: Float64Array, h: number): Float64Array {
  const rate = v.slice();
  for (let body = 0; body < v.length; body += 6) {
    for (let i = 0; i < 3; i++) {
      const [j, k] = [body + 3 + ((i + 1) % 3), body + 3 + ((i + 2) % 3)];
      rate[body + 3 + i] = v[body + 3 + i]! + (h * (d[j]! * v[k]! - d[k]! * v[j]!)) / 2;
    }
  }
  return rate;
}

/**
 * Eigenvalues treated as zero, relative to the largest or to the rate of the motion: double zeros of free motions are
 * accurate to a square root.
 */
const ZERO_TOLERANCE = 1e-6;
/** Velocities and accelerations treated as rest, in lengths of the model or radians. */
const REST_TOLERANCE = 1e-6;
/** Rotation rates treated as zero, relative to the fastest. */
const RATE_TOLERANCE = 1e-9;

/** Options of `linearise`. */
export interface LineariseOptions {
  /**
   * Linearise at an unsteady state as if it were frozen. Shows stiffness, not stability. Default: false (such states
   * throw).
   */
  readonly frozen?: boolean | undefined;
}

/** Small motions about a state. */
export interface Linearisation {
  /** Independent displacements; with rolling or blades there are fewer velocities. */
  readonly degreesOfFreedom: number;
  /** The state is a static equilibrium. */
  readonly equilibrium: boolean;
  /**
   * The state is an equilibrium or a steady motion along a symmetry of the mechanism: a precessing top, a bicycle
   * in a bend. If false, the linearisation is frozen in time and its eigenvalues do not decide stability.
   */
  readonly steady: boolean;
  /**
   * Angular velocity, in the world, of the frame in which the small motions of each body are observed, by body name.
   * Eigenvalues in a rotating frame differ from those in a fixed one by multiples of i times its rate.
   */
  readonly frames: Readonly<Record<string, Vector>>;
  /**
   * Eigenvalues of displacements and velocities: two for each degree of freedom. In steady motion those of its
   * symmetries (another position, another heading) come last; they are zeros, or i times rates of the frames.
   */
  readonly eigenvalues: readonly { readonly re: number; readonly im: number }[];
  /** Natural frequencies |s| / 2 pi in hertz of the pairs of complex eigenvalues s of the motion, ascending. */
  readonly frequencies: readonly number[];
  /** Damping ratio -re(s) / |s| of each pair. */
  readonly dampingRatios: readonly number[];
  /** Matrix A of (z', u') = A (z, u) to first order, row-major. */
  readonly A: readonly (readonly number[])[];
  /** Displacements (then velocities) of all bodies for each z (then u): columns of Z. */
  readonly basis: readonly Float64Array[];
}

/**
 * Linearises the motion about the present state of a simulation, or about a state of a solution, which must be at rest or
 * in steady motion: natural frequencies, damping, stability. Throws at other states unless they are to be frozen.
 *
 * @example
 * const [lowest] = linearise(simulation).frequencies;
 * const { eigenvalues } = linearise(solve(governor, { span: [0, 60] }).end);
 */
export function linearise(
  motion: BodySimulation | BodyState,
  options: LineariseOptions = {},
  ...more: undefined[]
): Linearisation {
  refuseMore("linearise", "STEP", more);
  checkKeys("linearise", options, [], ["frozen"]);
  const frozen = flag("linearise", "frozen", options.frozen ?? false);
  const readout = reading(
    locationOf("linearise", "STEP", "the simulation or state"),
    () => (motion as Partial<BodySimulation> | null | undefined)?.readout,
  );
  if (readout === undefined) {
    throw new NodriftError(
      "STEP",
      "linearise takes a simulation of a mechanism, or a state of its solution: linearise(simulation), linearise(solution.end)",
    );
  }
  return lineariseAt(readout, frozen);
}

/** Linearises the motion about the present state of a reader. */
export function lineariseAt(context: ReadContext, frozen: boolean): Linearisation {
  const { probe, reactions } = context;
  const carried = carriedStates(context.model.plan);
  refuseSingular(context);
  const { system } = probe;
  const accelerations = reactions.accelerations();
  const finder = new BasisFinder(probe, context.model.length);
  const { all, idle } = carried;
  const displacements = finder.basis(system.constraints.holonomicRows, all);
  const velocities =
    system.constraints.rows === system.constraints.holonomicRows && all.length === 0
      ? displacements
      : finder.basis(system.constraints.rows, idle);
  const bases = [displacements, velocities] as const;
  const neighbours = new NearbyStates(context);
  const v = context.present().v.map((value, i) => (all.includes(i) ? 0 : value));
  const equilibrium = [v, accelerations].every((x) => neighbours.sizeOf(x) < REST_TOLERANCE);
  const find = () => {
    refuseChangingStates(context, carried, accelerations);
    refuseStarting(context, neighbours, accelerations);
    const symmetries = new SymmetryFinder(context, neighbours, finder, accelerations, bases);
    return steadyOf(context, symmetries.find());
  };
  try {
    const steady = equilibrium || frozen ? undefined : find();
    const space = new StateSpace(
      { present: context.present, carried },
      finder,
      neighbours,
      bases,
      steady,
    );
    const columns = space.columns();
    const found = splitEigenvalues(columns, space.orbit(), ratesOf(steady));
    return {
      degreesOfFreedom: displacements.length,
      equilibrium,
      steady: equilibrium || steady !== undefined,
      frames: framesOf(context, steady),
      ...spectrum(
        found,
        Math.max(neighbours.sizeOf(v), Math.sqrt(neighbours.sizeOf(accelerations))),
      ),
      A: columns.map((_, row) => columns.map((column) => column[row]!)),
      basis: [...displacements, ...velocities],
    };
  } finally {
    neighbours.leave();
  }
}

/** Throws if joints lose rank: motions branch there. */
export function refuseSingular({ model, reactions, probe }: ReadContext): void {
  const { rows } = probe.system.constraints;
  const rank = rows - reactions.nullVectors().length;
  if (rank >= model.report.rank) return;
  throw new NodriftError(
    "SINGULAR",
    `${model.data.name}: the pose is singular (${rank} independent rows, ${model.report.rank} at poses ` +
      "nearby): the motion bifurcates there and cannot be linearised. Choose a pose away from it",
  );
}

/**
 * Throws if states of the model change, or if a model with states moves: steady motions are found for bodies alone.
 */
function refuseChangingStates(
  context: ReadContext,
  { active }: CarriedStates,
  a: Float64Array,
): void {
  if (active.length === 0) return;
  const { data } = context.model;
  const names = data.states.flatMap(({ name, names: own }) => own.map((each) => `${name} ${each}`));
  const fastest = active.reduce(
    (best, slot, i) => (Math.abs(a[slot]!) > Math.abs(a[active[best]!]!) ? i : best),
    0,
  );
  const rate = a[active[fastest]!]!;
  const why =
    Math.abs(rate) > REST_TOLERANCE
      ? `state "${names[fastest]}" changes by ${rate.toPrecision(2)} a second`
      : "it moves, and steady motions of models with states are not known";
  throw notSteady(data.name, context.present().time, why);
}

/** A state at rest with non-zero acceleration is not steady: skip the search for symmetries. */
function refuseStarting(context: ReadContext, neighbours: NearbyStates, a: Float64Array): void {
  const { v, time } = context.present();
  const { data } = context.model;
  const largest = neighbours.sizeOf(a);
  if (neighbours.sizeOf(v) > REST_TOLERANCE * Math.sqrt(largest)) return;
  const sizes = data.bodies.map((_, body) => {
    return neighbours.sizeOf(a.map((x, i) => (Math.floor(i / 6) === body ? x : 0)));
  });
  const { name } = data.bodies[sizes.indexOf(largest)]!;
  throw notSteady(data.name, time, `"${name}" begins to move`);
}

function steadyOf(context: ReadContext, found: Steady | Unsteady): Steady {
  if ("field" in found) return found;
  const { data } = context.model;
  const why =
    found.body === undefined
      ? "forces or drives change with time"
      : `"${data.bodies[found.body]!.name}" deviates from the nearest steady motion by ` +
        `${found.missed.toPrecision(2)} (relative)`;
  throw notSteady(data.name, context.present().time, why);
}

function notSteady(name: string, time: number, why: string): NodriftError {
  return new NodriftError(
    "STEADY",
    `${name}: the motion at t = ${time} is not steady, so its eigenvalues do not decide stability: ` +
      `${why}. Linearise at an equilibrium or steady motion, or pass linearise({ frozen: true }) ` +
      "to see the stiffness only",
  );
}

/** Returns the angular velocities of the frames in which bodies are observed. */
function framesOf({ model }: ReadContext, steady: Steady | undefined) {
  const { bodies } = model.data;
  const rates = ratesOf(steady);
  const still = RATE_TOLERANCE * Math.max(0, ...rates);
  const clean = (x: number) => (Math.abs(x) > still ? x : 0);
  return Object.fromEntries(
    bodies.map(({ name }, body): [string, Vector] => {
      const [x, y, z] = steady ? steady.fields.rotationRateOf(steady.field, body) : NO_ROTATION;
      return [name, [clean(x), clean(y), clean(z)]];
    }),
  );
}

/** Returns the rates of the rotations of a steady motion. */
function ratesOf(steady: Steady | undefined): number[] {
  if (!steady) return [];
  const { fields, field } = steady;
  const rates = fields.rotationRatesOf(field).map(norm);
  const fastest = Math.max(...rates);
  return rates.filter((rate) => rate > RATE_TOLERANCE * fastest);
}

/** Returns eigenvalues, frequencies and damping ratios; `rate` is that of the motion itself. */
function spectrum({ motion, symmetry }: SplitEigenvalues, rate: number) {
  const sizes = motion.map(({ real, imaginary }) => hypotenuse(real, imaginary));
  const least = ZERO_TOLERANCE * sizes.reduce((most, size) => Math.max(most, size), rate);
  const pairs = motion
    .map(({ real, imaginary }, i) => ({ real, imaginary, size: sizes[i]! }))
    .filter(({ imaginary, size }) => size > least && imaginary > ZERO_TOLERANCE * size)
    .sort((one, other) => one.size - other.size);
  return {
    eigenvalues: [...motion, ...symmetry].map(({ real, imaginary }) => ({
      re: real,
      im: imaginary,
    })),
    frequencies: pairs.map(({ size }) => size / (2 * Math.PI)),
    dampingRatios: pairs.map(({ real, size }) => -real / size),
  };
}
