// Assembly steps with held bodies, by dense least squares. A body between two held ones has more rows than degrees of
// freedom, so rows are redundant in ways that are not in the plan.
//
// Rejected, but for a first attempt, which is linear in the number of bodies: elimination of S = J M^-1 J^T. It
// squares the distance between rows, and after a weak pivot those of redundant rows become negative, beyond any
// tolerance that separates them from independent ones: in two of a thousand random starts, and in every eighth if
// ranks are not evaluated first.

import { BODY_VELOCITIES, BodyMass } from "../../../../assembly/layout-bodies.js";
import { leastSquares } from "../../../base/algebra/gram-schmidt.js";
import type { Address } from "../../../base/memory/arena.js";
import type { BodySystem } from "../system/system.js";

export class DenseSteps {
  readonly #system: BodySystem;
  readonly #product: Address;
  #unit = new Float64Array(0);
  #image = new Float64Array(0);
  #unitAt: Address = 0;

  /** Reserves memory. Call before the system is sealed. */
  constructor(system: BodySystem) {
    const { workspace } = system;
    const { velocities } = system.coordinates;
    const { rows } = system.constraints;
    this.#system = system;
    const unit = workspace.reserve("a velocity alone", velocities);
    const image = workspace.reserve("rates of a velocity alone", rows);
    this.#unitAt = unit.address;
    this.#product = image.address;
    workspace.whenSealed((arena) => {
      this.#unit = arena.floats(unit);
      this.#image = arena.floats(image);
    });
  }

  /**
   * Returns the least x, in the metric of the masses `free`, with J x nearest to `right` at the trial state.
   * Coordinates whose inverse mass in the system is zero are held: their x is zero. Rows are weighted by their own
   * length in that metric.
   */
  solve(right: ArrayLike<number>, free: Float64Array): Float64Array {
    const weights = weightsOf(free);
    const isFree = weightsOf(this.#system.quantities.arrays.masses).map((weight) =>
      weight > 0 ? 1 : 0,
    );
    const columns = Array.from(weights, (weight, i) => this.#column(i, weight));
    const lengths = Array.from({ length: right.length }, (_, row) =>
      Math.sqrt(columns.reduce((sum, column) => sum + column[row]! * column[row]!, 0)),
    );
    const divided = (x: ArrayLike<number>) =>
      Float64Array.from(lengths, (length, row) => (length > 0 ? x[row]! / length : 0));
    const moving = [...isFree.keys()].filter((i) => isFree[i] === 1);
    const factors = leastSquares(
      moving.map((i) => divided(columns[i]!)),
      divided(right),
    );
    const x = new Float64Array(weights.length);
    moving.forEach((i, k) => {
      x[i] = weights[i]! * factors[k]!;
    });
    return x;
  }

  /** A column of J times the weight of its velocity. */
  #column(index: number, weight: number): Float64Array {
    this.#unit.fill(0);
    this.#unit[index] = weight;
    this.#system.constraints.jacobianTimes(this.#unitAt, this.#product);
    return this.#image.slice();
  }
}

/** Square roots of inverse masses and moments, which are isotropic here: x = weight y with the length of y. */
function weightsOf(masses: Float64Array): Float64Array {
  const bodies = masses.length / BodyMass.LENGTH;
  return Float64Array.from({ length: BODY_VELOCITIES * bodies }, (_, i) => {
    const record = BodyMass.LENGTH * Math.floor(i / BODY_VELOCITIES);
    const isLinear = i % BODY_VELOCITIES < 3;
    return Math.sqrt(
      masses[record + (isLinear ? BodyMass.INVERSE_MASS : BodyMass.INVERSE_INERTIA)]!,
    );
  });
}
