// The matrix of small motions about a state.
//
// Z spans the displacements that the joints allow, orthonormal in the metric of the masses. A nearby state is described
// by z, the displacement Z z (then projected onto the joints), and u, the velocity v + Z u (likewise). To first order
// the projection changes neither, as it moves along M^-1 J^T, which is orthogonal to Z. Hence
//
//   z' = Z^T M (v, w + theta x w / 2),   u' = Z^T M a,
//
// where theta, the turn of a body from where it was, has the rate w + theta x w / 2 + ... in its axes. The
// States y' = f are velocities of carriers (plan/carriers.ts): they are among u, and their carriers are not displaced. The
// matrix of z', u' by z, u is computed by finite differences of fourth order. With rolling or blades, velocities
// are more constrained than displacements: they have a smaller basis.
//
// Where the state moves, these rates are not zero, and their derivatives depend on the coordinates as much as on
// the motion. A steady motion follows a symmetry X (linearise-symmetries.ts). For an observer moving with it the rates
// are f - X, which are zero at the state: there A = D(f - X) is the same in all coordinates, and as X is a symmetry,
// the same at all times.

import { combination, nullSpace } from "../../../ground/algebra/gram-schmidt.js";
import type { ReadContext } from "../reactions/joint-reading.js";
import type { CarriedStates } from "./carried-states.js";
import type { BasisFinder } from "./linearise-basis.js";
import type { Steady } from "./linearise-symmetries.js";
import type { NearbyState, NearbyStates } from "./nearby-states.js";
import type { Bases } from "./seeded-variations.js";

/** Symmetries that change a state by less than this leave it alone. */
const IDLE = 1e-7;

/** What is linearised, and where its states are. */
export interface LinearContext extends Pick<ReadContext, "present"> {
  readonly carried: CarriedStates;
}

/** The state space about a state, and its rates by differences. */
export class StateSpace {
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

  /** Columns of A. */
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

  /** How large the state is that a velocity changes, in its own units; undefined for velocities of bodies. */
  #sizeOfState(u: Float64Array, v: Float64Array): number | undefined {
    const index = this.#context.carried.active.find((slot) => u[slot] !== 0);
    return index === undefined ? undefined : Math.max(1, Math.abs(v[index]!));
  }

  /** Directions, as z and u, in which there are other steady states. */
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
      if (this.#neighbours.sizeOf(displacement) + this.#neighbours.sizeOf(velocity) < IDLE)
        return [];
      return [this.#coordinates([displacement, velocity])];
    });
  }

  #coordinates(rates: readonly Float64Array[]): Float64Array {
    return Float64Array.from(
      rates.flatMap((rate, i) => this.#finder.components(this.#bases[i]!, rate)),
    );
  }

  /** z' and u' at a state that is turned by h d. */
  #rates(place: NearbyState, d: Float64Array, h: number): Float64Array {
    const rates = this.#steady
      ? this.#beyond(this.#steady, place)
      : [turningRate(place.v, d, h), this.#neighbours.accelerations()];
    return this.#coordinates(rates);
  }

  /** The rates less those of the steady motion: no turn of the first order is left in them. */
  #beyond({ fields, field }: Steady, place: NearbyState): Float64Array[] {
    const { displacement, velocity } = fields.at(field, place);
    const accelerations = this.#neighbours.accelerations();
    return [
      place.v.map((value, i) => value - displacement[i]!),
      accelerations.map((value, i) => value - velocity[i]!),
    ];
  }
}

/** (v, w + theta x w / 2) with theta = h d. */
function turningRate(v: Float64Array, d: Float64Array, h: number): Float64Array {
  const rate = v.slice();
  for (let body = 0; body < v.length; body += 6) {
    for (let i = 0; i < 3; i++) {
      const [j, k] = [body + 3 + ((i + 1) % 3), body + 3 + ((i + 2) % 3)];
      rate[body + 3 + i] = v[body + 3 + i]! + (h * (d[j]! * v[k]! - d[k]! * v[j]!)) / 2;
    }
  }
  return rate;
}
