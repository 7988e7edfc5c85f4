// Rest: poses at which nothing begins to move.
//
// At rest M a = Q + J^T lambda with J a = 0, and a is what no joint takes up. With Z as for small motions
// (linear-system.ts) r = Z^T M a are the forces along the displacements that joints, wheels and blades allow; r = 0
// is solved by Newton's method, K = -dr/dz by differences. Steps go downhill only, as r d > 0, and are as long as
// the work (r0 + r1) d / 2 agrees with what was expected: forces need no potential for that.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { combination, dot, leastSquares } from "../../../ground/algebra/gram-schmidt.js";
import { norm, subtract, threeAt } from "../../../ground/algebra/vectors.js";
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
}

interface Load {
  readonly size: number;
  readonly body: number;
  readonly isTorque: boolean;
}

export class EquilibriumSearch {
  readonly #context: ReadContext;
  readonly #neighbours: NearbyStates;
  readonly #finder: BasisFinder;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#neighbours = new NearbyStates(context);
    this.#finder = new BasisFinder(context.probe, context.model.length);
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
    const found = this.#search(start, tolerance, most);
    const { place, load } = found;
    const still = new Float64Array(place.v.length);
    this.#neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const { rows } = this.#context.probe.system.constraints;
    // A flat truss holds its load; a search that fails near a singular pose does so because of it.
    const open = this.#finder.basis(rows, [], found.found ? {} : { tolerance: ROWS.weak });
    const isSingular = open.length > place.v.length - this.#context.model.report.rank;
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

  #search(
    start: NearbyState,
    tolerance: number,
    most: number,
  ): Omit<Found, "unbounded" | "isSingular"> {
    const still = new Float64Array(start.v.length);
    const nowhere = { displacement: still, velocity: still };
    let rest = this.#restAt(this.#neighbours.place({ ...start, v: still }, nowhere, 0, true));
    let load = this.#largest(this.#loads()).size;
    const closed = 2 * this.#openness() + CLOSED * this.#context.model.length;
    let [radius, polished]: [number, number] = [RADIUS.first, 0];
    for (let iterations = 0; ; iterations++) {
      const unbalanced = this.#largest(this.#finder.massTimes(rest.accelerations));
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
      const next = this.#neighbours.place(rest.place, { displacement, velocity: still }, 1, true);
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

  #restAt(place: NearbyState): RestPose {
    const neighbours = this.#neighbours;
    const { system } = this.#context.probe;
    const still = new Float64Array(place.v.length);
    neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const { rows } = system.constraints;
    // The rank stays what it is elsewhere until a singular pose is met to rounding: directions that come and go with
    // a threshold around it end no search.
    const most = this.#context.model.report.rank;
    const basis = this.#finder.basis(rows, [], { tolerance: ROWS.rounding, most });
    const weak = this.#finder.basis(rows, [], { tolerance: ROWS.weak, most });
    const accelerations = neighbours.accelerations();
    const isNear = weak.length > basis.length;
    const forces = isNear ? this.#heldForces(basis, accelerations) : () => this.#forces(basis);
    const stiffness = basis.map((displacement) =>
      neighbours
        .derivative(place, { displacement, velocity: still }, !isNear, 1, forces)
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
