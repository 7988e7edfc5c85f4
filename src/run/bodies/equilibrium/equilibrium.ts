// Static equilibrium: the pose at which a mechanism rests, its reactions there, and its stability.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { eigenvalues } from "../../../base/algebra/eigenvalues.js";
import { combination, dot, leastSquares, nullSpace } from "../../../base/algebra/gram-schmidt.js";
import { hypotenuse } from "../../../base/algebra/portable-trigonometry.js";
import { norm, subtract, threeAt } from "../../../base/algebra/vectors.js";
import { refuseMore } from "../../../base/checking/index.js";
import { checkKeys, finite, numbers, positive } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import type { StateData } from "../../../interfaces/index.js";
import { continuationSlots } from "../../../systems/bodies/system/angle-continuation.js";
import { refusePenetration } from "../../contact/contact.js";
import type { CompiledModel } from "../compiled-model.js";
import { type CarriedStates, carriedStates } from "../linearise/carried-states.js";
import { type Linearisation, lineariseAt } from "../linearise/linearise.js";
import { BasisFinder } from "../linearise/linearise-basis.js";
import { type NearbyState, NearbyStates } from "../linearise/nearby-states.js";
import type { ReadModel } from "../probe/probe.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import type { BodyState } from "../reading/readout.js";
import { Readout } from "../reading/readout.js";

// A descending Newton step towards equilibrium: (K + s I) d = r with the least s >= 0 for which K + s I is positive
// definite and d not longer than a radius (Levenberg 1944; Moré and Sorensen 1983 for the radius). Without s, Newton's
// method converges to a saddle when it starts near one: a nearly upright pendulum would be put upright.

/** Trial shifts relative to the largest entry of K: the first one, their growth factor and their largest number. */
const SHIFT = { first: 1e-6, growth: 4, most: 60 } as const;
/** Smallest pivot that counts as positive, relative to the largest entry of K. */
const PIVOT_TOLERANCE = 1e-13;

interface Step {
  /** Coefficients of the basis vectors. */
  readonly factors: Float64Array;
  /** Work of the forces along the step, to second order. */
  readonly work: number;
  /** Whether it is a full Newton step. */
  readonly whole: boolean;
}

/** Computes the step for the forces r and K = -dr/dz, column-major; the radius limits sizeOf of the step. */
function descend(
  r: Float64Array,
  columns: readonly Float64Array[],
  radius: number,
  sizeOf: (factors: Float64Array) => number,
): Step {
  const n = r.length;
  const largest = columns.reduce(
    (most, column) => column.reduce((m, x) => Math.max(m, Math.abs(x)), most),
    0,
  );
  // Without any stiffness the step follows the force.
  const scale = largest > 0 ? largest : 1;
  const unit = columns.map((column) => column.map((x) => x / scale));
  const right = r.map((x) => x / scale);
  let shift = 0;
  for (let i = 0; ; i++) {
    if (isPositive(unit, shift)) {
      const factors = solved(unit, shift, right);
      if (sizeOf(factors) <= radius || i === SHIFT.most) {
        const work = dot(r, factors) - dot(factors, combination(columns, factors, n)) / 2;
        return { factors, work, whole: shift === 0 };
      }
    }
    shift = Math.max(SHIFT.first, SHIFT.growth * shift);
  }
}

/**
 * Returns (A + shift I)^-1 b by elimination without pivoting, which is safe if the symmetric part is positive
 * definite (Golub & Van Loan, 4th ed., section 4.1.4).
 */
function solved(
  columns: readonly Float64Array[],
  shift: number,
  right: Float64Array,
): Float64Array {
  const n = columns.length;
  const left = columns.map((column, j) => column.map((x, i) => (i === j ? x + shift : x)));
  const x = right.slice();
  for (let k = 0; k < n; k++) {
    const below = left[k]!;
    for (let i = k + 1; i < n; i++) below[i] = below[i]! / below[k]!;
    for (let j = k + 1; j < n; j++) {
      const [column, factor] = [left[j]!, left[j]![k]!];
      for (let i = k + 1; i < n; i++) column[i] = column[i]! - below[i]! * factor;
    }
    for (let i = k + 1; i < n; i++) x[i] = x[i]! - below[i]! * x[k]!;
  }
  for (let k = n - 1; k >= 0; k--) {
    x[k] = x[k]! / left[k]![k]!;
    for (let i = 0; i < k; i++) x[i] = x[i]! - left[k]![i]! * x[k]!;
  }
  return x;
}

/**
 * Whether the symmetric part of a matrix plus a shift is positive definite, by the pivots of Cholesky's factorisation.
 */
function isPositive(columns: readonly Float64Array[], shift: number): boolean {
  const n = columns.length;
  const lower = columns.map((column, j) =>
    Float64Array.from(column, (x, i) => (x + columns[i]![j]!) / 2 + (i === j ? shift : 0)),
  );
  for (let j = 0; j < n; j++) {
    const pivot = lower[j]![j]!;
    if (!(pivot > PIVOT_TOLERANCE)) return false;
    for (let k = j + 1; k < n; k++) {
      const factor = lower[j]![k]! / pivot;
      for (let i = k; i < n; i++) lower[k]![i] = lower[k]![i]! - factor * lower[j]![i]!;
    }
  }
  return true;
}

// Search for poses at rest.
//
// At rest M a = Q + J^T lambda with J a = 0, and a is the acceleration that the joints leave. With Z as for small
// motions (linearise.ts), r = Z^T M a are the forces along the displacements that joints, wheels and blades allow;
// r = 0 is solved by Newton's method, with K = -dr/dz by finite differences. Steps only go downhill, as r d > 0. Their
// length is limited so that the work (r0 + r1) d / 2 agrees with the prediction; forces need no potential for that.

/** First, largest and smallest radius of a step, in radians or lengths of the model. */
const RADIUS = { first: 0.5, most: 1, least: 1e-14 } as const;
/**
 * Ratios of actual to predicted work: from which a step is accepted, and the trust region shrinks below or grows above.
 */
const WORK_RATIOS = { stands: 0.05, poor: 0.25, good: 0.75 } as const;
/** Beyond this many model lengths the mechanism is unsupported. */
const MAX_DISPLACEMENT_IN_MODEL_LENGTHS = 100;
/**
 * Opening of joints allowed after a step, in lengths of the model, in addition to twice that of the initial pose. Its
 * square root is less than the threshold for a singular pose.
 */
const CLOSURE_TOLERANCE = 1e-10;
/** Squared row lengths relative to the original ones: treated as zero, and indicating a singular pose nearby. */
const ROW_TOLERANCES = { rounding: 1e-22, weak: 1e-4 } as const;
/**
 * Smallest step tolerance near a singular pose: joint errors of rounding size determine the pose only to their square
 * root.
 */
const MIN_SINGULAR_TOLERANCE = 1e-8;
/** Newton steps for states in a pose, and relative changes that end them; steps for poses and states together. */
const MAX_SETTLE_ITERATIONS = 20;
const SETTLE_TOLERANCE = 1e-12;
const MAX_JOINT_ITERATIONS = 50;
/** Rates treated as zero: relative to the rates that states and poses cause, and absolute if they cause none. */
const RATE_TOLERANCES = { slope: 1e-8, least: 1e-12 } as const;
/** Fraction of the load that may remain for unbounded reactions at a singular pose. */
const MAX_UNBOUNDED_SHARE = 1e-3;
/** Maximum number of further steps after the tolerance is met. */
const POLISH_STEPS = 3;

/** Forces at a pose, and their derivatives. */
interface RestPose {
  readonly place: NearbyState;
  /** Basis of the free displacements. */
  readonly basis: readonly Float64Array[];
  /** Forces along the basis. */
  readonly r: Float64Array;
  /** K, column-major. */
  readonly stiffness: readonly Float64Array[];
  readonly accelerations: Float64Array;
  /** Whether a singular pose is near. */
  readonly isNear: boolean;
}

/** A pose at rest, or the last pose of a failed search. */
interface SearchResult extends RestPose {
  readonly found: boolean;
  readonly iterations: number;
  /** Largest displacement of a body from its initial position, in lengths of the model. */
  readonly moved: number;
  /** Largest unbalanced force, or torque over the length of the model, and the body on which it acts. */
  readonly unbalanced: Load;
  /** Largest force of the model on a body, gravity included. */
  readonly load: number;
  /** At a singular pose: the load that only unbounded reactions could balance. */
  readonly unbounded: Load | undefined;
  /** Whether joints lose rank at the pose. */
  readonly isSingular: boolean;
  /** A state, by its index among all, that does not rest. */
  readonly changing?: { readonly state: number; readonly rate: number } | undefined;
}

type Sought = Omit<SearchResult, "unbounded" | "isSingular">;

interface Load {
  readonly size: number;
  readonly body: number;
  readonly isTorque: boolean;
}

class EquilibriumSearch {
  readonly #context: ReadContext;
  readonly #neighbours: NearbyStates;
  readonly #finder: BasisFinder;
  readonly #carried: CarriedStates;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#neighbours = new NearbyStates(context);
    this.#finder = new BasisFinder(context.probe, context.model.length);
    this.#carried = carriedStates(context.model.plan);
  }

  /** Largest rotation, or translation over the length of the model. */
  sizeOf(x: Float64Array): number {
    return this.#neighbours.sizeOf(x);
  }

  /** Closes the joints of an initial pose and returns their remaining error. */
  open(start: NearbyState): number {
    const still = new Float64Array(start.v.length);
    this.#neighbours.place(start, { displacement: still, velocity: still }, 0, true);
    return this.#openness();
  }

  #openness(): number {
    return this.#neighbours.rows().phi.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  run(start: NearbyState, tolerance: number, most: number): SearchResult {
    const settled = this.#search(start, tolerance, most);
    const found = this.#findChangingState(settled.place)
      ? this.#solveWithStates(start, settled, tolerance)
      : settled;
    const { place, load } = found;
    const still = new Float64Array(place.v.length);
    this.#neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const { rows } = this.#context.probe.system.constraints;
    // A flat truss carries its load; a search that fails near a singular pose fails because of it.
    const open = this.#finder.basis(
      rows,
      this.#carried.all,
      found.found ? {} : { tolerance: ROW_TOLERANCES.weak },
    );
    const isSingular =
      open.length > place.v.length - this.#carried.all.length - this.#context.model.report.rank;
    // Part of the load along displacements that rows prevent only to second order.
    const loads = this.#loads();
    const along = combination(
      open,
      open.map((displacement) => dot(displacement, loads)),
      still.length,
    );
    const left = this.#largest(this.#finder.massTimes(along));
    const unbounded = isSingular && left.size > MAX_UNBOUNDED_SHARE * load ? left : undefined;
    return { ...found, found: found.found && !unbounded, unbounded, isSingular };
  }

  #search(start: NearbyState, tolerance: number, most: number): Sought {
    const still = new Float64Array(start.v.length);
    const zeroVariation = { displacement: still, velocity: still };
    const v = start.v.map((value, i) => (this.#carried.active.includes(i) ? value : 0));
    const closedStart = this.#neighbours.place({ ...start, v }, zeroVariation, 0, true);
    let rest = this.#restAt(this.#settleStates(closedStart));
    let load = this.#largest(this.#loads()).size;
    const closed = 2 * this.#openness() + CLOSURE_TOLERANCE * this.#context.model.length;
    let [radius, polished]: [number, number] = [RADIUS.first, 0];
    for (let iterations = 0; ; iterations++) {
      const unbalanced = this.#unbalanced(rest.accelerations);
      const step = descend(rest.r, rest.stiffness, radius, (factors) =>
        this.sizeOf(combination(rest.basis, factors, still.length)),
      );
      const displacement = combination(rest.basis, step.factors, still.length);
      const size = this.sizeOf(displacement);
      const met =
        unbalanced.size <= tolerance * load ||
        (step.whole &&
          size <= (rest.isNear ? Math.max(tolerance, MIN_SINGULAR_TOLERANCE) : tolerance));
      const moved = this.#distance(start, rest.place);
      const result = { ...rest, iterations, moved, unbalanced, load };
      if (met && (unbalanced.size === 0 || polished++ === POLISH_STEPS))
        return { ...result, found: true };
      if (iterations === most || moved > MAX_DISPLACEMENT_IN_MODEL_LENGTHS)
        return { ...result, found: met };
      const next = this.#settleStates(
        this.#neighbours.place(rest.place, { displacement, velocity: still }, 1, true),
      );
      // Near a singular pose there may be no pose that closes the joints.
      const isClosed = this.#openness() <= closed;
      const after = this.#forces(rest.basis);
      const worth = isClosed
        ? (dot(rest.r, step.factors) + dot(after, step.factors)) / (2 * step.work)
        : Number.NaN;
      if (worth > WORK_RATIOS.stands || (isClosed && dot(after, after) < dot(rest.r, rest.r))) {
        this.#context.probe.system.continuation.finaliseState(next.time);
        if (worth > WORK_RATIOS.good) radius = Math.min(2 * radius, RADIUS.most);
        rest = this.#restAt(next);
        load = Math.max(load, this.#largest(this.#loads()).size);
      } else if (met || size < RADIUS.least) return { ...result, found: met };
      if (!(worth > WORK_RATIOS.poor)) radius = size / 4;
    }
  }

  /** Returns the largest unbalanced force; rates of states are ignored. */
  #unbalanced(accelerations: Float64Array): Load {
    const { all } = this.#carried;
    const moving = accelerations.map((x, i) => (all.includes(i) ? 0 : x));
    return this.#largest(this.#finder.massTimes(moving));
  }

  /** Returns the rates of the states in the state placed last. */
  #rates(): Float64Array {
    const accelerations = this.#neighbours.accelerations();
    return Float64Array.from(this.#carried.active, (slot) => accelerations[slot]!);
  }

  /** Returns variations that change one state each, by its size. */
  #stateVariations({ v }: NearbyState): Float64Array[] {
    return this.#carried.active.map((slot) =>
      new Float64Array(v.length).fill(Math.max(1, Math.abs(v[slot]!)), slot, slot + 1),
    );
  }

  /** Returns derivatives of forces and rates along a change of velocities, or a displacement. */
  #along(
    place: NearbyState,
    variation: Float64Array,
    isState: boolean,
    sample: () => Float64Array,
  ) {
    const still = new Float64Array(place.v.length);
    const [displacement, velocity] = isState ? [still, variation] : [variation, still];
    const given = isState ? 1 : undefined;
    const closed = !isState;
    return this.#neighbours.derivative(place, { displacement, velocity }, closed, 1, sample, given);
  }

  /**
   * Places a pose with the states at which their rates vanish there: Newton's method with the smallest change. Rates
   * that no state affects, such as those of integrators, do not change the states.
   */
  #settleStates(place: NearbyState): NearbyState {
    if (this.#carried.active.length === 0) return place;
    let now = place;
    for (let i = 0; i < MAX_SETTLE_ITERATIONS; i++) {
      const right = this.#rates();
      const variations = this.#stateVariations(now);
      const columns = variations.map((variation) =>
        this.#along(now, variation, true, () => this.#rates()),
      );
      const change = scaledLeastSquares(columns, right);
      const still = new Float64Array(place.v.length);
      const velocity = combination(variations, change, still.length);
      now = this.#neighbours.place(now, { displacement: still, velocity }, 1, false);
      if (change.every((x) => Math.abs(x) < SETTLE_TOLERANCE)) break;
    }
    return now;
  }

  /** Returns the state that changes most at a pose, relative to rounding; undefined if all are at rest. */
  #findChangingState(
    place: NearbyState,
  ): { readonly state: number; readonly rate: number } | undefined {
    if (this.#carried.active.length === 0) return undefined;
    const still = new Float64Array(place.v.length);
    const variations = [
      ...this.#stateVariations(place),
      ...this.#finder.basis(this.#context.probe.system.constraints.rows, this.#carried.all),
    ];
    const { length } = this.#carried.active;
    const columns = variations.map((variation, i) =>
      this.#along(place, variation, i < length, () => this.#rates()),
    );
    this.#neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const over = this.#rates().map((rate, row) => {
      const size = columns.reduce((sum, column) => sum + Math.abs(column[row]!), 0);
      return Math.abs(rate) / (RATE_TOLERANCES.slope * size + RATE_TOLERANCES.least);
    });
    const state = over.reduce((best, x, i) => (x > over[best]! ? i : best), 0);
    return over[state]! > 1 ? { state, rate: this.#rates()[state]! } : undefined;
  }

  /**
   * States that do not affect their own rate, such as integrals of controllers, determine the pose that they request.
   * Applies Newton's method to poses and states together, starting from the settled pose, or from the initial pose if
   * none was found.
   */
  #solveWithStates(start: NearbyState, settled: Sought, tolerance: number): Sought {
    const still = new Float64Array(start.v.length);
    const zeroVariation = { displacement: still, velocity: still };
    const v = start.v.map((value, i) => (this.#carried.active.includes(i) ? value : 0));
    let now = settled.found
      ? settled.place
      : this.#neighbours.place({ ...start, v }, zeroVariation, 0, true);
    const { rows } = this.#context.probe.system.constraints;
    const most = this.#context.model.report.rank;
    for (let iterations = 1; iterations <= MAX_JOINT_ITERATIONS; iterations++) {
      this.#neighbours.place(now, zeroVariation, 0, false);
      const basis = this.#finder.basis(rows, this.#carried.all, {
        tolerance: ROW_TOLERANCES.rounding,
        most,
      });
      const variations = this.#stateVariations(now);
      const sample = () => Float64Array.of(...this.#forces(basis), ...this.#rates());
      const columns = [
        ...basis.map((variation) => this.#along(now, variation, false, sample)),
        ...variations.map((variation) => this.#along(now, variation, true, sample)),
      ];
      this.#neighbours.place(now, zeroVariation, 0, false);
      const change = scaledLeastSquares(columns, sample());
      const displacement = combination(basis, change.slice(0, basis.length), still.length);
      const size = this.sizeOf(displacement);
      const part = Math.min(1, RADIUS.first / Math.max(size, Number.MIN_VALUE));
      const states = change.slice(basis.length);
      const velocity = combination(variations, states, still.length);
      now = this.#neighbours.place(now, { displacement, velocity }, part, true);
      this.#context.probe.system.continuation.finaliseState(now.time);
      const isMet = size <= tolerance && states.every((x) => Math.abs(x) <= tolerance);
      if (!isMet && iterations < MAX_JOINT_ITERATIONS) continue;
      const rest = this.#restAt(now);
      const unbalanced = this.#unbalanced(rest.accelerations);
      const load = Math.max(settled.load, this.#largest(this.#loads()).size);
      const changing = this.#findChangingState(now);
      const found = isMet && !changing && unbalanced.size <= Math.sqrt(tolerance) * load;
      const moved = this.#distance(start, now);
      return { ...rest, found, iterations, moved, unbalanced, load, changing };
    }
    return settled;
  }

  #restAt(place: NearbyState): RestPose {
    const neighbours = this.#neighbours;
    const { system } = this.#context.probe;
    const still = new Float64Array(place.v.length);
    neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const { rows } = system.constraints;
    // Keep the regular rank until the pose is singular to rounding: directions that appear and disappear with
    // a larger threshold would prevent convergence.
    const most = this.#context.model.report.rank;
    const basis = this.#finder.basis(rows, this.#carried.all, {
      tolerance: ROW_TOLERANCES.rounding,
      most,
    });
    const weak = this.#finder.basis(rows, this.#carried.all, {
      tolerance: ROW_TOLERANCES.weak,
      most,
    });
    const accelerations = neighbours.accelerations();
    const isNear = weak.length > basis.length;
    const forces = isNear
      ? this.#forcesWithHeldReactions(basis, accelerations)
      : () => this.#forces(basis);
    const stiffness = basis.map((displacement) =>
      neighbours
        .derivative(place, { displacement, velocity: still }, !isNear, 1, (at) => {
          this.#settleStates(at);
          return forces();
        })
        .map((x) => -x),
    );
    neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const r = Float64Array.from(this.#finder.components(basis, accelerations));
    return { place, basis, r, stiffness, accelerations, isNear };
  }

  /**
   * Returns a function for Z^T (Q + J^T lambda) at other poses, with lambda of this pose. Where branches of the motion
   * meet, closed poses near one branch lie on another; K is then that of the Lagrangian, whose poses need not be closed
   * (Nocedal and Wright, 2nd ed., section 18.1). Rejected: shorter differences, which rounding of nearly dependent rows
   * spoils.
   */
  #forcesWithHeldReactions(
    basis: readonly Float64Array[],
    accelerations: Float64Array,
  ): () => Float64Array {
    const { rows } = this.#context.probe.system.constraints;
    const loads = this.#loads();
    const carried = this.#finder.massTimes(accelerations).map((x, i) => x - loads[i]!);
    const lambda = leastSquares(this.#finder.jacobian(rows), carried);
    return () => {
      const reactions = combination(this.#finder.jacobian(rows), lambda, carried.length);
      const sum = this.#loads().map((x, i) => x + reactions[i]!);
      return Float64Array.from(basis, (displacement) => dot(displacement, sum));
    };
  }

  /** Returns Z^T M a for the state placed last. */
  #forces(basis: readonly Float64Array[]): Float64Array {
    return Float64Array.from(this.#finder.components(basis, this.#neighbours.accelerations()));
  }

  /** Returns the forces of the model in the state placed last. */
  #loads(): Float64Array {
    const { system, arena } = this.#context.probe;
    const { velocities } = system.coordinates;
    return arena.floats({ name: "forces", address: system.dynamics.forces(), slots: velocities });
  }

  /** Returns the largest force or torque among the loads on bodies. */
  #largest(loads: Float64Array): Load {
    const { length } = this.#context.model;
    let largest: Load = { size: 0, body: 0, isTorque: false };
    for (let i = 0; i < loads.length; i += 3) {
      const isTorque = i % BODY_VELOCITIES === 3;
      const size = norm(threeAt(loads, i)) / (isTorque ? length : 1);
      if (size > largest.size) largest = { size, body: Math.floor(i / BODY_VELOCITIES), isTorque };
    }
    return largest;
  }

  #distance(from: NearbyState, to: NearbyState): number {
    let most = 0;
    for (let i = 0; i < from.q.length; i += BODY_POSITIONS) {
      most = Math.max(most, norm(subtract(threeAt(to.q, i), threeAt(from.q, i))));
    }
    return most / this.#context.model.length;
  }
}

/** Returns the smallest coefficients with which columns add up to minus a vector, each row scaled by its own size. */
function scaledLeastSquares(columns: readonly Float64Array[], right: Float64Array): Float64Array {
  const sizes = right.map((_, row) =>
    columns.reduce((most, column) => Math.max(most, Math.abs(column[row]!)), 0),
  );
  const scaled = (x: Float64Array) =>
    x.map((value, row) => (sizes[row]! > 0 ? value / sizes[row]! : 0));
  return leastSquares(
    columns.map(scaled),
    scaled(right).map((x) => -x),
  );
}

/** Options of {@link equilibrium}. */
export interface EquilibriumOptions {
  /** Initial positions, seven values for each body as in `q`. Default: the initial state of the model. */
  readonly q?: ArrayLike<number> | undefined;
  /** Time at which drives and forces are held. Default: that of the model. */
  readonly time?: number | undefined;
  /**
   * Convergence: residual force relative to the largest force on a body, or the last displacement in radians. Default:
   * 1e-10.
   */
  readonly tolerance?: number | undefined;
  /** Maximum number of steps. Default: 200. */
  readonly iterations?: number | undefined;
}

/** A static equilibrium. */
export interface Equilibrium {
  /** Bodies and joints by their names: `state.joint("hinge").force()` is the static reaction. */
  readonly state: BodyState;
  /** Positions, seven values for each body. */
  readonly q: Float64Array;
  /** Time at which drives and forces are held. */
  readonly time: number;
  /**
   * Stability under small disturbances. "neutral": some displacement needs no force (see `free`), or the pose is
   * singular (`linearisation` is undefined), and terms of higher order decide.
   */
  readonly stability: "stable" | "unstable" | "neutral";
  /** Smallest eigenvalue of the stiffness relative to the masses, in 1/s^2; Infinity without degrees of freedom. */
  readonly stiffness: number;
  /** Bodies that can be moved without a force: the equilibrium is one of many. */
  readonly free: readonly string[];
  /** Small motions about it, with damping; undefined at a singular pose. */
  readonly linearisation: Linearisation | undefined;
  /** Largest unbalanced force (or torque divided by model length). */
  readonly residual: number;
  /** Number of steps of the search. */
  readonly iterations: number;
  /** Largest displacement of a body's centre of mass from its initial position. */
  readonly moved: number;
}

/** A compiled model with stationary drives. */
export interface StillModel extends ReadModel {
  readonly q: Float64Array;
  /** Velocities; the states are the last of them. */
  readonly v: Float64Array;
  readonly time: number;
  state(data: StateData): BodyState;
}

const DEFAULT = { tolerance: 1e-10, iterations: 200 } as const;

/** Largest opening of joints in the initial pose, relative to the length of the model, as in compilation. */
const OPEN_TOLERANCE = 1e-5;
/** Relative stiffness treated as zero. */
const ZERO_STIFFNESS = 1e-9;
/** Growth rate treated as zero, relative to the size of the eigenvalue. */
const GROWTH_TOLERANCE = 1e-7;
/**
 * Eigenvalues of models with states treated as zeros of free bodies, relative to the largest: double zeros are accurate
 * to a square root.
 */
const FREE_TOLERANCE = 3e-5;
/** Smallest displacement of a body in a free motion, relative to the largest, for it to count. */
const MIN_SHARE = 1e-3;

function checkEquilibrium(options: EquilibriumOptions, positions: number): void {
  const where = "equilibrium";
  checkKeys(where, options, [], ["q", "time", "tolerance", "iterations"]);
  const { q, time, tolerance, iterations } = options;
  if (q !== undefined) numbers(where, "q", q, positions);
  if (time !== undefined) finite(where, "time", time);
  if (tolerance !== undefined) positive(where, "tolerance", tolerance);
  if (iterations !== undefined) positive(where, "iterations", iterations);
}

/**
 * Finds the static equilibrium downhill from the initial state of a compiled model. Drives are held at `time`. Throws if
 * a body is unsupported.
 *
 * @example
 * const { state, stability } = equilibrium(await compile(crane));
 */
export function equilibrium(
  system: CompiledModel,
  options: EquilibriumOptions = {},
  ...more: undefined[]
): Equilibrium {
  refuseMore("equilibrium", "STEP", more);
  if (typeof (system as Partial<CompiledModel> | null)?.heldAt !== "function") {
    throw new NodriftError(
      "STEP",
      "equilibrium takes a compiled model: equilibrium(await compile(m))",
    );
  }
  checkEquilibrium(options, system.q.length);
  return search(system.heldAt(options.time ?? system.time), options);
}

/** Searches downhill from the initial pose of a model whose drives are held. */
function search(model: StillModel, options: EquilibriumOptions): Equilibrium {
  const { tolerance = DEFAULT.tolerance, iterations = DEFAULT.iterations } = options;
  const { time } = model;
  const { active } = carriedStates(model.plan);
  let v: Float64Array = model.v.map((value, i) => (active.includes(i) ? value : 0));
  let q: Float64Array = Float64Array.from(options.q ?? model.q);
  let data: Float64Array = Float64Array.from(model.plan.data);
  const slots = continuationSlots(model.plan);
  const readout = new Readout(model, () => {
    const unwrappedAngles = Float64Array.from(slots, (slot) => data[slot]!);
    return { q, v, time, data, unwrappedAngles, integrated: undefined };
  });
  readout.probe.load();
  const { system } = readout.probe;
  const searching = new EquilibriumSearch(readout);
  refuseOpen(model, searching.open({ q, v, time }));
  const found = searching.run({ q, v, time }, tolerance, iterations);
  if (!found.found) throw failure(model, found);
  q = found.place.q;
  v = found.place.v;
  data = system.arrays.data.slice();
  const unwrappedAngles = new Float64Array(system.continuation.unwrappedAngles.count);
  system.continuation.unwrappedAngles.read(unwrappedAngles);
  readout.probe.forget();
  readout.probe.load();
  refusePenetration("equilibrium", model.data, system.sensorValues(time));
  const linearisation = found.isSingular ? undefined : linearisationOf(readout);
  return {
    state: model.state({ q, v, time, unwrappedAngles }),
    q,
    time,
    ...verdict(model, searching, found, linearisation),
    linearisation,
    residual: found.unbalanced.size,
    iterations: found.iterations,
    moved: found.moved * model.length,
  };
}

function refuseOpen({ data, length, time }: StillModel, open: number): void {
  if (open <= OPEN_TOLERANCE * length) return;
  throw new NodriftError(
    "ASSEMBLY",
    `${data.name}: equilibrium: assembly failed at t = ${time}: joints stay open by ` +
      `${open.toPrecision(3)}. Give a q closer to an assembled pose`,
  );
}

/** Linearises the found state. It is at rest whatever its absolute accelerations, so freezing it loses nothing. */
function linearisationOf(readout: Readout): Linearisation | undefined {
  try {
    return lineariseAt(readout, true);
  } catch (error) {
    if (error instanceof NodriftError && error.code === "SINGULAR") return undefined;
    throw error;
  }
}

function verdict(
  model: StillModel,
  search: EquilibriumSearch,
  { stiffness: columns, basis, load }: SearchResult,
  linearisation: Linearisation | undefined,
): Pick<Equilibrium, "stability" | "stiffness" | "free"> {
  const found = eigenvalues(
    columns.length,
    columns.flatMap((column) => [...column]),
  );
  const least = found.reduce((low, { real }) => Math.min(low, real), Number.POSITIVE_INFINITY);
  const largest = columns.reduce(
    (most, x) => x.reduce((m, y) => Math.max(m, Math.abs(y)), most),
    0,
  );
  // Without any stiffness, compare rounding with the effect of the load on the lightest body.
  const mass = model.data.bodies.reduce((low, body) => Math.min(low, body.mass), Infinity);
  const none = ZERO_STIFFNESS * Math.max(largest, load / (mass * model.length));
  const directions = nullSpace(
    columns.map((column) => column.map((x) => (none > 0 ? (x * ZERO_STIFFNESS) / none : x))),
    ZERO_STIFFNESS,
  ).map((factors) => combination(basis, factors, basis[0]!.length));
  const names = model.data.bodies.map(({ name }) => name);
  const free = names.filter((_, body) =>
    directions.some((direction) => {
      const own = direction.map((x, i) => (Math.floor(i / 6) === body ? x : 0));
      return search.sizeOf(own) > MIN_SHARE * search.sizeOf(direction);
    }),
  );
  // At a singular pose no motion may follow a displacement without stiffness.
  const stability =
    linearisation && (least < -none || grows(linearisation, free.length > 0))
      ? "unstable"
      : free.length > 0 || !linearisation
        ? "neutral"
        : "stable";
  if (model.data.states.length === 0 || !linearisation)
    return { stability, stiffness: least, free };
  // Poses and states depend on each other: only the eigenvalues of both together decide.
  const sizes = linearisation.eigenvalues.map(({ re, im }) => hypotenuse(re, im));
  const zero = (free.length > 0 ? FREE_TOLERANCE : ZERO_STIFFNESS) * Math.max(...sizes);
  const isFree = sizes.some((size) => size <= zero);
  const isGrowing = linearisation.eigenvalues.some(
    ({ re }, i) => re > (isFree ? zero : 0) + GROWTH_TOLERANCE * sizes[i]!,
  );
  return {
    stability: isGrowing ? "unstable" : isFree ? "neutral" : "stable",
    stiffness: least,
    free: isFree ? free : [],
  };
}

/** Whether some mode grows. Free motions have double zeros, which rounding splits. */
function grows({ eigenvalues: all, dampingRatios }: Linearisation, isFree: boolean): boolean {
  if (isFree) return dampingRatios.some((ratio) => ratio < -GROWTH_TOLERANCE);
  const sizes = all.map(({ re, im }) => hypotenuse(re, im));
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return all.some(({ re }, i) => re > GROWTH_TOLERANCE * sizes[i]! + ZERO_STIFFNESS * largest);
}

function failure({ data, time, length }: StillModel, found: SearchResult): NodriftError {
  if (found.changing) {
    const { state, rate } = found.changing;
    const name = data.states.flatMap((set) => set.names.map((own) => `${set.name} ${own}`))[state]!;
    return new NodriftError(
      "STEADY",
      `${data.name}: no equilibrium found from this start at t = ${time}: state "${name}" still changes by ` +
        `${rate.toPrecision(3)} a second. Check whether its rate can be zero, or start closer to where it is`,
    );
  }
  const { size, body, isTorque } = found.unbounded ?? found.unbalanced;
  const name = data.bodies[body]!.name;
  const amount = (isTorque ? size * length : size).toPrecision(3);
  const what = isTorque ? `torque of ${amount}` : `force of ${amount}`;
  const loose = found.unbounded
    ? "The pose is singular (taut or folded): only unbounded reactions would hold it. Start away from it " +
      "(option q), or let something give: longer links, or a bushing for a joint"
    : found.moved > 10
      ? `It moved by ${found.moved.toPrecision(2)} model lengths: the mechanism is probably unsupported`
      : "Start closer to equilibrium (option q) or raise `iterations`";
  return new NodriftError(
    "STEADY",
    `${data.name}: no equilibrium found from this start at t = ${time}: after ${found.iterations} iterations ` +
      `"${name}" still has an unbalanced ${what}. ${loose}`,
  );
}
