// Rest: poses at which nothing begins to move.
//
// At rest M a = Q + J^T lambda with J a = 0, and a is what no joint takes up. With Z as for small motions
// (linear-system.ts) r = Z^T M a are the forces along the displacements that joints, wheels and blades allow; r = 0
// is solved by Newton's method, K = -dr/dz by differences. Steps go downhill only, as r d > 0, and are as long as
// the work (r0 + r1) d / 2 agrees with what was expected: forces need no potential for that.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { combination, dot, leastSquares } from "../../../ground/algebra/gram-schmidt.js";
import { norm, subtract, threeAt } from "../../../ground/algebra/vectors.js";
import { type CarriedStates, carriedStates } from "../linearise/carried-states.js";
import { BasisFinder } from "../linearise/linearise-basis.js";
import { type NearbyState, NearbyStates } from "../linearise/nearby-states.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import { descend } from "./equilibrium-step.js";

/** Longest and first steps, in radians or lengths of the model. */
const RADIUS = { first: 0.5, most: 1, least: 1e-14 } as const;
/** Ratio of actual to predicted work: accept the step, shrink or grow the trust region. */
const WORK = { stands: 0.05, poor: 0.25, good: 0.75 } as const;
/** Beyond this many model lengths the mechanism is unsupported. */
const LOST = 100;
/**
 * What a step may leave joints open, in lengths of the model, beyond twice what the start leaves. Its root is less
 * than what a singular pose is known by.
 */
const CLOSED = 1e-10;
/** Squared lengths of rows, relative to those they had, that are rounding; and that a singular pose is near. */
const ROWS = { rounding: 1e-22, weak: 1e-4 } as const;
/** Least tolerance of steps near a singular pose: joints that close to rounding do so for poses within its root. */
const ROOT = 1e-8;
/** Newton steps for states in a pose, and relative changes that end them; steps for poses and states together. */
const SETTLE = 20;
const SETTLED = 1e-12;
const STEER = 50;
/** Rates that are rest: over how much of them states and poses make, and if these make none. */
const CHANGING = { slope: 1e-8, least: 1e-12 } as const;
/** Part of the load that may act where only unbounded reactions, at a singular pose, would take it up. */
const UNBOUNDED = 1e-3;
/** Steps after the tolerance is met, while they help. */
const POLISH = 3;

/** Forces at a pose, and how they change. */
export interface RestPose {
  readonly place: NearbyState;
  /** Displacements that are free. */
  readonly basis: readonly Float64Array[];
  /** Forces along these. */
  readonly r: Float64Array;
  /** K by columns. */
  readonly stiffness: readonly Float64Array[];
  readonly accelerations: Float64Array;
  /** A singular pose is near. */
  readonly isNear: boolean;
}

/** A pose at rest, or the last one of a search for it. */
export interface Found extends RestPose {
  readonly found: boolean;
  readonly iterations: number;
  /** Largest distance of a body from where it started, in lengths of the model. */
  readonly moved: number;
  /** Largest force, or torque over the length of the model, that nothing takes up, and the body it acts on. */
  readonly unbalanced: Load;
  /** Largest one of the model's forces, gravity among them, on a body. */
  readonly load: number;
  /** At a singular pose: the load that only unbounded reactions would take up. */
  readonly unbounded: Load | undefined;
  /** Joints lose rank at the pose. */
  readonly isSingular: boolean;
  /** A state, by its place among all, that does not rest. */
  readonly changing?: { readonly state: number; readonly rate: number } | undefined;
}

type Sought = Omit<Found, "unbounded" | "isSingular">;

interface Load {
  readonly size: number;
  readonly body: number;
  readonly isTorque: boolean;
}

export class EquilibriumSearch {
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

  /** Largest turn, or slide over the length of the model. */
  sizeOf(x: Float64Array): number {
    return this.#neighbours.sizeOf(x);
  }

  /** How far joints stay open where a start is closed. */
  open(start: NearbyState): number {
    const still = new Float64Array(start.v.length);
    this.#neighbours.place(start, { displacement: still, velocity: still }, 0, true);
    return this.#openness();
  }

  #openness(): number {
    return this.#neighbours.rows().phi.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  run(start: NearbyState, tolerance: number, most: number): Found {
    const settled = this.#search(start, tolerance, most);
    const found = this.#changing(settled.place)
      ? this.#steered(start, settled, tolerance)
      : settled;
    const { place, load } = found;
    const still = new Float64Array(place.v.length);
    this.#neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const { rows } = this.#context.probe.system.constraints;
    // A flat truss holds its load; a search that fails near a singular pose does so because of it.
    const open = this.#finder.basis(
      rows,
      this.#carried.all,
      found.found ? {} : { tolerance: ROWS.weak },
    );
    const isSingular =
      open.length > place.v.length - this.#carried.all.length - this.#context.model.report.rank;
    // What of the load acts along displacements that rows prevent to the second order only.
    const loads = this.#loads();
    const along = combination(
      open,
      open.map((displacement) => dot(displacement, loads)),
      still.length,
    );
    const left = this.#largest(this.#finder.massTimes(along));
    const unbounded = isSingular && left.size > UNBOUNDED * load ? left : undefined;
    return { ...found, found: found.found && !unbounded, unbounded, isSingular };
  }

  #search(start: NearbyState, tolerance: number, most: number): Sought {
    const still = new Float64Array(start.v.length);
    const nowhere = { displacement: still, velocity: still };
    const v = start.v.map((value, i) => (this.#carried.active.includes(i) ? value : 0));
    const closedStart = this.#neighbours.place({ ...start, v }, nowhere, 0, true);
    let rest = this.#restAt(this.#settled(closedStart));
    let load = this.#largest(this.#loads()).size;
    const closed = 2 * this.#openness() + CLOSED * this.#context.model.length;
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
        (step.whole && size <= (rest.isNear ? Math.max(tolerance, ROOT) : tolerance));
      const moved = this.#distance(start, rest.place);
      const result = { ...rest, iterations, moved, unbalanced, load };
      if (met && (unbalanced.size === 0 || polished++ === POLISH))
        return { ...result, found: true };
      if (iterations === most || moved > LOST) return { ...result, found: met };
      const next = this.#settled(
        this.#neighbours.place(rest.place, { displacement, velocity: still }, 1, true),
      );
      // Near a singular pose there may be none that closes the joints.
      const isClosed = this.#openness() <= closed;
      const after = this.#forces(rest.basis);
      const worth = isClosed
        ? (dot(rest.r, step.factors) + dot(after, step.factors)) / (2 * step.work)
        : Number.NaN;
      if (worth > WORK.stands || (isClosed && dot(after, after) < dot(rest.r, rest.r))) {
        this.#context.probe.system.continuation.finaliseState(next.time);
        if (worth > WORK.good) radius = Math.min(2 * radius, RADIUS.most);
        rest = this.#restAt(next);
        load = Math.max(load, this.#largest(this.#loads()).size);
      } else if (met || size < RADIUS.least) return { ...result, found: met };
      if (!(worth > WORK.poor)) radius = size / 4;
    }
  }

  /** Largest force that nothing takes up: rates of states are none. */
  #unbalanced(accelerations: Float64Array): Load {
    const { all } = this.#carried;
    const moving = accelerations.map((x, i) => (all.includes(i) ? 0 : x));
    return this.#largest(this.#finder.massTimes(moving));
  }

  /** Rates of the states where it was placed last. */
  #rates(): Float64Array {
    const accelerations = this.#neighbours.accelerations();
    return Float64Array.from(this.#carried.active, (slot) => accelerations[slot]!);
  }

  /** Ways that change one state each, by its size. */
  #stateWays({ v }: NearbyState): Float64Array[] {
    return this.#carried.active.map((slot) =>
      new Float64Array(v.length).fill(Math.max(1, Math.abs(v[slot]!)), slot, slot + 1),
    );
  }

  /** Derivatives of forces and rates along a change of velocities, or a displacement. */
  #along(place: NearbyState, way: Float64Array, isState: boolean, sample: () => Float64Array) {
    const still = new Float64Array(place.v.length);
    const [displacement, velocity] = isState ? [still, way] : [way, still];
    const given = isState ? 1 : undefined;
    const closed = !isState;
    return this.#neighbours.derivative(place, { displacement, velocity }, closed, 1, sample, given);
  }

  /**
   * Places it with the states at which their rates are zero in this pose: Newton's method with the smallest change. Those
   * that no state changes, as of integrators, stay as they are.
   */
  #settled(place: NearbyState): NearbyState {
    if (this.#carried.active.length === 0) return place;
    let now = place;
    for (let i = 0; i < SETTLE; i++) {
      const right = this.#rates();
      const ways = this.#stateWays(now);
      const columns = ways.map((way) => this.#along(now, way, true, () => this.#rates()));
      const change = scaledLeastSquares(columns, right);
      const still = new Float64Array(place.v.length);
      const velocity = combination(ways, change, still.length);
      now = this.#neighbours.place(now, { displacement: still, velocity }, 1, false);
      if (change.every((x) => Math.abs(x) < SETTLED)) break;
    }
    return now;
  }

  /** The state that changes most at a pose, over what would be rounding; undefined where all are at rest. */
  #changing(place: NearbyState): { readonly state: number; readonly rate: number } | undefined {
    if (this.#carried.active.length === 0) return undefined;
    const still = new Float64Array(place.v.length);
    const ways = [
      ...this.#stateWays(place),
      ...this.#finder.basis(this.#context.probe.system.constraints.rows, this.#carried.all),
    ];
    const { length } = this.#carried.active;
    const columns = ways.map((way, i) => this.#along(place, way, i < length, () => this.#rates()));
    this.#neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const over = this.#rates().map((rate, row) => {
      const size = columns.reduce((sum, column) => sum + Math.abs(column[row]!), 0);
      return Math.abs(rate) / (CHANGING.slope * size + CHANGING.least);
    });
    const state = over.reduce((best, x, i) => (x > over[best]! ? i : best), 0);
    return over[state]! > 1 ? { state, rate: this.#rates()[state]! } : undefined;
  }

  /**
   * States without a rate of their own, as integrals of controllers, are what holds a pose that they ask for: Newton's method on
   * poses and states together, from where the others settled or, if they did nowhere, from the start.
   */
  #steered(start: NearbyState, settled: Sought, tolerance: number): Sought {
    const still = new Float64Array(start.v.length);
    const nowhere = { displacement: still, velocity: still };
    const v = start.v.map((value, i) => (this.#carried.active.includes(i) ? value : 0));
    let now = settled.found
      ? settled.place
      : this.#neighbours.place({ ...start, v }, nowhere, 0, true);
    const { rows } = this.#context.probe.system.constraints;
    const most = this.#context.model.report.rank;
    for (let iterations = 1; iterations <= STEER; iterations++) {
      this.#neighbours.place(now, nowhere, 0, false);
      const basis = this.#finder.basis(rows, this.#carried.all, {
        tolerance: ROWS.rounding,
        most,
      });
      const ways = this.#stateWays(now);
      const sample = () => Float64Array.of(...this.#forces(basis), ...this.#rates());
      const columns = [
        ...basis.map((way) => this.#along(now, way, false, sample)),
        ...ways.map((way) => this.#along(now, way, true, sample)),
      ];
      this.#neighbours.place(now, nowhere, 0, false);
      const change = scaledLeastSquares(columns, sample());
      const displacement = combination(basis, change.slice(0, basis.length), still.length);
      const size = this.sizeOf(displacement);
      const part = Math.min(1, RADIUS.first / Math.max(size, Number.MIN_VALUE));
      const states = change.slice(basis.length);
      const velocity = combination(ways, states, still.length);
      now = this.#neighbours.place(now, { displacement, velocity }, part, true);
      this.#context.probe.system.continuation.finaliseState(now.time);
      const isMet = size <= tolerance && states.every((x) => Math.abs(x) <= tolerance);
      if (!isMet && iterations < STEER) continue;
      const rest = this.#restAt(now);
      const unbalanced = this.#unbalanced(rest.accelerations);
      const load = Math.max(settled.load, this.#largest(this.#loads()).size);
      const changing = this.#changing(now);
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
    // The rank stays what it is elsewhere until a singular pose is met to rounding: directions that come and go with
    // a threshold around it end no search.
    const most = this.#context.model.report.rank;
    const basis = this.#finder.basis(rows, this.#carried.all, { tolerance: ROWS.rounding, most });
    const weak = this.#finder.basis(rows, this.#carried.all, { tolerance: ROWS.weak, most });
    const accelerations = neighbours.accelerations();
    const isNear = weak.length > basis.length;
    const forces = isNear ? this.#heldForces(basis, accelerations) : () => this.#forces(basis);
    const stiffness = basis.map((displacement) =>
      neighbours
        .derivative(place, { displacement, velocity: still }, !isNear, 1, (at) => {
          this.#settled(at);
          return forces();
        })
        .map((x) => -x),
    );
    neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const r = Float64Array.from(this.#finder.components(basis, accelerations));
    return { place, basis, r, stiffness, accelerations, isNear };
  }

  /**
   * Z^T (Q + J^T lambda) at other poses, with lambda as it is here. Where branches of the motion meet, closed poses near
   * one branch lie on another; K is then that of the Lagrangian, whose poses need not be closed (Nocedal and
   * Wright, 2nd ed., section 18.1). Rejected: shorter differences, which rounding of nearly dependent rows spoils.
   */
  #heldForces(basis: readonly Float64Array[], accelerations: Float64Array): () => Float64Array {
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

  /** Z^T M a where it was placed last. */
  #forces(basis: readonly Float64Array[]): Float64Array {
    return Float64Array.from(this.#finder.components(basis, this.#neighbours.accelerations()));
  }

  /** Forces of the model where it was placed last. */
  #loads(): Float64Array {
    const { system, arena } = this.#context.probe;
    const { velocities } = system.coordinates;
    return arena.floats({ name: "forces", address: system.dynamics.forces(), slots: velocities });
  }

  /** The largest force or torque among those on the bodies. */
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

/** The smallest factors with which columns add up to minus a vector, each row over its own size. */
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
