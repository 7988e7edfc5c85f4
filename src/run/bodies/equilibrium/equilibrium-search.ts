// Rest: poses at which nothing begins to move.
//
// At rest M a = Q + J^T lambda with J a = 0, and a is what no joint takes up. With Z as for small motions
// (linear-system.ts) r = Z^T M a are the forces along the displacements that joints, wheels and blades allow; r = 0
// is solved by Newton's method, K = -dr/dz by differences. Steps go downhill only, as r d > 0, and are as long as
// the work (r0 + r1) d / 2 agrees with what was expected: forces need no potential for that.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import { combination, dot } from "../../../ground/algebra/gram-schmidt.js";
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
    return this.#neighbours.rows().phi.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  run(start: NearbyState, tolerance: number, most: number): Found {
    const still = new Float64Array(start.v.length);
    const nowhere = { displacement: still, velocity: still };
    let rest = this.#restAt(this.#neighbours.place({ ...start, v: still }, nowhere, 0, true));
    let load = this.#largest(this.#loads()).size;
    let [radius, polished]: [number, number] = [RADIUS.first, 0];
    for (let iterations = 0; ; iterations++) {
      const unbalanced = this.#largest(this.#finder.massTimes(rest.accelerations));
      const step = descend(rest.r, rest.stiffness, radius, (factors) =>
        this.sizeOf(combination(rest.basis, factors, still.length)),
      );
      const displacement = combination(rest.basis, step.factors, still.length);
      const size = this.sizeOf(displacement);
      const met = unbalanced.size <= tolerance * load || (step.whole && size <= tolerance);
      const moved = this.#distance(start, rest.place);
      const result = { ...rest, iterations, moved, unbalanced, load };
      if (met && (unbalanced.size === 0 || polished++ === POLISH))
        return { ...result, found: true };
      if (iterations === most || moved > LOST) return { ...result, found: met };
      const next = this.#neighbours.place(rest.place, { displacement, velocity: still }, 1, true);
      const after = this.#forces(rest.basis);
      const worth = (dot(rest.r, step.factors) + dot(after, step.factors)) / (2 * step.work);
      if (worth > WORK.stands || dot(after, after) < dot(rest.r, rest.r)) {
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
    const basis = this.#finder.basis(system.constraints.rows);
    const accelerations = neighbours.accelerations();
    const stiffness = basis.map((displacement) =>
      neighbours
        .derivative(place, { displacement, velocity: still }, true, 1, () => this.#forces(basis))
        .map((x) => -x),
    );
    neighbours.place(place, { displacement: still, velocity: still }, 0, false);
    const r = Float64Array.from(this.#finder.components(basis, accelerations));
    return { place, basis, r, stiffness, accelerations };
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
