// A second system that evaluates states of a simulation in its own memory; results are cached per state.

import { NodriftError } from "../../../base/errors.js";
import type { Arena, Segment } from "../../../base/memory/arena.js";
import type { System } from "../../../interfaces/index.js";
import { bindProjector, type Projector } from "../../../interfaces/projection/projector.js";
import type { BodyData, ModelData } from "../../../model/model-data.js";
import { geometric, referTo } from "../../../systems/bodies/plan/massless-geometry.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import type { ConstraintReport } from "../../../systems/bodies/redundancy/constraint-report.js";
import { NullSpace, type NullVector } from "../../../systems/bodies/redundancy/redundancy.js";
import { continuationSlots } from "../../../systems/bodies/system/angle-continuation.js";
import type { BodySystem } from "../../../systems/bodies/system/system.js";
import type { CurrentState } from "./current-state.js";
import type { TreeModel } from "./planned-tree.js";

// Null vectors of J^T at the present state: joint forces whose sharing is indeterminate. They are found in a separate
// system without masses, so that uniqueness depends only on geometry.

class PresentNulls {
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

  /** Removes from `after` the rounding errors relative to the forces J^T lambda of `before`. */
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
    const { arrays, plan } = this.#system;
    const state = referTo(this.#bodies, plan.model.bodies, q, v);
    arrays.q.set(state.q);
    arrays.v.set(state.v);
    arrays.data.set(data);
    this.#system.at(time);
  }
}

/** Parts of a compiled model that readings need. */
export interface ReadModel extends TreeModel {
  readonly data: ModelData;
  readonly plan: Plan;
  readonly report: ConstraintReport;
  /** Characteristic length. */
  readonly length: number;
  bodySystem(plan?: Plan): BodySystem;
  /** Writes the masses, gravity and forces of this model into a system of another one. */
  adjust(system: System): void;
}

const PROJECTION = { iterations: 50, tolerance: 1e-15 } as const;

export class Probe {
  readonly system: BodySystem;
  readonly arena: Arena;
  /** Null vectors of J^T; undefined without loops. */
  readonly nulls: PresentNulls | undefined;
  readonly projector: Projector;
  /** Scratch memory: one value for each row, and for each velocity. */
  readonly rows: Segment;
  readonly otherRows: Segment;
  readonly vector: Segment;
  readonly other: Segment;
  /** Jacobian blocks, and records of the sensors. */
  readonly jacobian: Float64Array;
  #present: () => CurrentState;
  readonly #state: Float64Array;
  readonly #data: Float64Array;
  /** Whether forces or drives are user functions, whose data may have changed. */
  readonly #changeable: boolean;
  /** Slots of the unwrapped angles: the same pose with another number of turns is another state. */
  readonly #angleSlots: readonly number[];
  readonly #lastData: Float64Array;
  readonly #loads: Float64Array;
  readonly #gamma: Float64Array;
  #time = Number.NaN;
  #depth = 0;
  /**
   * Whether the viewed state, with the data that user functions read, is fixed; and whether it has been loaded since.
   */
  #pin: "none" | "set" | "loaded" = "none";
  #cache = new Map<string, unknown>();

  constructor(model: ReadModel, present: () => CurrentState) {
    const { plan, data, length } = model;
    this.#present = present;
    const system = model.bodySystem();
    this.system = system;
    const { workspace } = system;
    const { segments } = system;
    const { velocities, positions } = system.coordinates;
    const { rows } = system.constraints;
    this.nulls = plan.hasLoops
      ? new PresentNulls(plan, length, (own) => model.bodySystem(own))
      : undefined;
    this.projector = bindProjector(system, PROJECTION);
    this.rows = workspace.reserve("rows that are read", rows);
    this.otherRows = workspace.reserve("other rows that are read", rows);
    this.vector = workspace.reserve("velocities that are read", velocities);
    this.other = workspace.reserve("other velocities that are read", velocities);
    this.arena = workspace.seal();
    const state = { ...segments.state, slots: positions + velocities };
    this.#state = this.arena.floats(state);
    this.#data = system.arrays.data;
    this.#angleSlots = continuationSlots(plan);
    this.#lastData = new Float64Array(this.#data.length);
    this.#loads = new Float64Array(velocities).fill(Number.NaN);
    this.#gamma = new Float64Array(rows);
    this.jacobian = this.arena.floats(segments.jacobian);
    this.#changeable =
      plan.drives.length > 0 ||
      data.userForces.length > 0 ||
      data.states.length > 0 ||
      data.forces.some(({ update }) => update !== undefined) ||
      plan.blocks.some(({ block }) => block.user !== undefined);
  }

  /** Switches to viewing other states. */
  viewStates(present: () => CurrentState): void {
    this.#present = present;
  }

  /** The viewed state. */
  get present(): CurrentState {
    return this.#present();
  }

  /** Returns a result for the present state, computed once per state. */
  once<T>(what: string, find: () => T): T {
    // Nested queries refer to the same state.
    if (this.#depth === 0) this.load();
    if (!this.#cache.has(what)) this.#cache.set(what, this.guarded(find));
    return this.#cache.get(what) as T;
  }

  /** Calls a function; user functions must not read the state meanwhile. */
  guarded<T>(find: () => T): T {
    this.#depth++;
    try {
      return find();
    } finally {
      this.#depth--;
    }
  }

  /** Reads one state several times; it is compared with the previous state only once. */
  pinned<T>(read: () => T): T {
    this.#pin = "set";
    try {
      return read();
    } finally {
      this.#pin = "none";
    }
  }

  /** Loads the present state and evaluates there. */
  load(): void {
    if (this.#pin === "loaded") return;
    if (this.#pin === "set") this.#pin = "loaded";
    const { q, v, time, data } = this.#present();
    const { positions } = this.system.coordinates;
    const same =
      time === this.#time &&
      equal(q, this.#state, 0) &&
      equal(v, this.#state, positions) &&
      this.#hasSameAngles(data);
    if (same && !this.#changeable) return;
    this.#state.set(q);
    this.#state.set(v, positions);
    this.#data.set(data);
    this.#lastData.set(data);
    this.#time = time;
    this.#depth++;
    try {
      this.evaluate();
      if (!(same && this.#unchanged()) && this.#cache.size > 0) this.#cache = new Map();
    } finally {
      this.#depth--;
    }
  }

  #hasSameAngles(data: Float64Array): boolean {
    for (let i = 0; i < this.#angleSlots.length; i++) {
      const slot = this.#angleSlots[i]!;
      if (data[slot] !== this.#lastData[slot]) return false;
    }
    return true;
  }

  /** Throws if a user function reads the state it is evaluated for (infinite recursion). */
  refuseInside(): void {
    if (this.#depth === 0) return;
    throw new NodriftError(
      "EVALUATION",
      "a user function of the model tried to read the model's state while it was being evaluated: use only its " +
        "arguments",
    );
  }

  /** Whether user functions return the same values as before at the same state. */
  #unchanged(): boolean {
    const { system } = this;
    system.dynamics.forces();
    system.constraints.gamma();
    const { loads, gamma } = system.arrays;
    const unchanged = equal(loads, this.#loads, 0) && equal(gamma, this.#gamma, 0);
    this.#loads.set(loads);
    this.#gamma.set(gamma);
    return unchanged;
  }

  /** Makes the accepted state the trial state. */
  evaluate(): void {
    this.system.load(this.#time);
  }

  /** Discards all results. Call after parameters of the mechanism have changed. */
  renew(): void {
    this.forget();
    this.#cache = new Map();
  }

  /** Forgets the loaded state. Call after its memory was used otherwise. */
  forget(): void {
    this.#time = Number.NaN;
  }
}

function equal(values: Float64Array, stored: Float64Array, offset: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== stored[offset + i]) return false;
  return true;
}
