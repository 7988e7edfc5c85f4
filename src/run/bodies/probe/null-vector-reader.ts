// Null vectors of J^T at the present state: which joint forces can be shared. Found in a system of its own that
// knows no masses, so that uniqueness is a matter of geometry.

import type { BodyData } from "../../../describe/model/model-data.js";
import type { Arena, Segment } from "../../../ground/memory/arena.js";
import { geometric, referTo } from "../../../systems/bodies/plan/massless-geometry.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { NullSpace, type NullVector } from "../../../systems/bodies/redundancy/null-vectors.js";
import type { BodySystem } from "../../../systems/bodies/system/system.js";
import type { CurrentState } from "./current-state.js";

export class PresentNulls {
  readonly #bodies: readonly BodyData[];
  readonly #system: BodySystem;
  readonly #space: NullSpace;
  readonly #arena: Arena;
  readonly #rows: Segment;
  readonly #force: Segment;

  constructor(plan: Plan, length: number, make: (plan: Plan) => BodySystem) {
    this.#bodies = plan.model.bodies;
    this.#system = make(geometric(plan, length));
    const { workspace } = this.#system;
    const { velocities } = this.#system.coordinates;
    const { rows } = this.#system.constraints;
    this.#space = new NullSpace(this.#system);
    this.#rows = workspace.reserve("multipliers that are balanced", rows);
    this.#force = workspace.reserve("forces of multipliers", velocities);
    this.#arena = workspace.seal();
  }

  vectors(present: CurrentState): NullVector[] {
    this.#load(present);
    return this.#space.vectors(this.#space.dependentRows());
  }

  /** Takes out of `after` what rounding has added to the forces J^T lambda of `before`. */
  balance(present: CurrentState, before: Float64Array, after: Float64Array): void {
    this.#load(present);
    const view = this.#arena.floats(this.#rows);
    this.#space.dependentRows();
    view.set(before);
    this.#system.constraints.jacobianTransposeTimes(this.#rows.address, this.#force.address);
    view.set(after);
    this.#space.correct(this.#rows.address, this.#force.address);
    after.set(view);
  }

  #load({ q, v, time, data }: CurrentState): void {
    const { arrays, plan } = this.#system.quantities;
    const state = referTo(this.#bodies, plan.model.bodies, q, v);
    arrays.q.set(state.q);
    arrays.v.set(state.v);
    arrays.data.set(data);
    this.#system.at(time);
  }
}
