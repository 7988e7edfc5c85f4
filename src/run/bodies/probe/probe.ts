// A second system that evaluates states of a simulation in its own memory; results are cached per state.

import type { ModelData } from "../../../describe/model/model-data.js";
import { NodriftError } from "../../../ground/errors.js";
import type { Arena, Segment } from "../../../ground/memory/arena.js";
import type { System } from "../../../seam/index.js";
import { bindProjector, type Projector } from "../../../seam/projection/projector.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import type { ConstraintReport } from "../../../systems/bodies/redundancy/constraint-report.js";
import { turnSlots } from "../../../systems/bodies/system/angle-continuation.js";
import type { BodySystem } from "../../../systems/bodies/system/system.js";
import type { CurrentState } from "./current-state.js";
import { PresentNulls } from "./null-vector-reader.js";
import type { TreeModel } from "./planned-tree.js";

/** A compiled model, as far as reading needs it. */
export interface ReadModel extends TreeModel {
  readonly data: ModelData;
  readonly plan: Plan;
  readonly report: ConstraintReport;
  /** A typical length. */
  readonly length: number;
  bodySystem(plan?: Plan): BodySystem;
  /** Gives a system with other masses, gravity and forces the numbers of this model. */
  adjust(system: System): void;
}

const PROJECTION = { iterations: 50, tolerance: 1e-15 } as const;

export class Probe {
  readonly system: BodySystem;
  readonly arena: Arena;
  /** Null vectors of J^T; undefined where there are none. */
  readonly nulls: PresentNulls | undefined;
  readonly projector: Projector;
  /** Scratch: one number for each row, and for each velocity. */
  readonly rows: Segment;
  readonly otherRows: Segment;
  readonly vector: Segment;
  readonly other: Segment;
  /** Jacobian blocks, and records of the sensors. */
  readonly jacobian: Float64Array;
  #present: () => CurrentState;
  readonly #state: Float64Array;
  readonly #data: Float64Array;
  /** Forces or drives are user functions, whose data may have changed. */
  readonly #changeable: boolean;
  /** Slots of the turns that angles are on: the same pose on another turn is another state. */
  readonly #turns: readonly number[];
  readonly #turnsSeen: Float64Array;
  readonly #loads: Float64Array;
  readonly #gamma: Float64Array;
  #time = Number.NaN;
  #depth = 0;
  /** Whether the viewed state stays as it is, with what functions of the user read; and whether it has been loaded since. */
  #pin: "none" | "set" | "loaded" = "none";
  #known = new Map<string, unknown>();

  constructor(model: ReadModel, present: () => CurrentState) {
    const { plan, data, length } = model;
    this.#present = present;
    const system = model.bodySystem();
    this.system = system;
    const { workspace } = system;
    const { segments } = system.quantities;
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
    this.#data = system.quantities.arrays.data;
    this.#turns = turnSlots(plan);
    this.#turnsSeen = new Float64Array(this.#data.length);
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

  /** Views other states from now on. */
  lookAt(present: () => CurrentState): void {
    this.#present = present;
  }

  /** The viewed state. */
  get present(): CurrentState {
    return this.#present();
  }

  /** Finds something at the present state, unless it was found there before. */
  once<T>(what: string, find: () => T): T {
    // Nested queries refer to the same state.
    if (this.#depth === 0) this.load();
    if (!this.#known.has(what)) this.#known.set(what, this.guarded(find));
    return this.#known.get(what) as T;
  }

  /** Calls a function while user functions may not read the state. */
  guarded<T>(find: () => T): T {
    this.#depth++;
    try {
      return find();
    } finally {
      this.#depth--;
    }
  }

  /** Reads one state several times, which is compared with the one before only once. */
  pinned<T>(read: () => T): T {
    this.#pin = "set";
    try {
      return read();
    } finally {
      this.#pin = "none";
    }
  }

  /** Evaluates at the present state from now on. */
  load(): void {
    if (this.#pin === "loaded") return;
    if (this.#pin === "set") this.#pin = "loaded";
    const { q, v, time, data } = this.#present();
    const { positions } = this.system.coordinates;
    const same =
      time === this.#time &&
      equal(q, this.#state, 0) &&
      equal(v, this.#state, positions) &&
      this.#sameTurns(data);
    if (same && !this.#changeable) return;
    this.#state.set(q);
    this.#state.set(v, positions);
    this.#data.set(data);
    this.#turnsSeen.set(data);
    this.#time = time;
    this.#depth++;
    try {
      this.evaluate();
      if (!(same && this.#unchanged()) && this.#known.size > 0) this.#known = new Map();
    } finally {
      this.#depth--;
    }
  }

  #sameTurns(data: Float64Array): boolean {
    for (let i = 0; i < this.#turns.length; i++) {
      const slot = this.#turns[i]!;
      if (data[slot] !== this.#turnsSeen[slot]) return false;
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

  /** Whether the user's functions give what they gave before, at the same state. */
  #unchanged(): boolean {
    const { system } = this;
    system.dynamics.forces();
    system.constraints.gamma();
    const { loads, gamma } = system.quantities.arrays;
    const unchanged = equal(loads, this.#loads, 0) && equal(gamma, this.#gamma, 0);
    this.#loads.set(loads);
    this.#gamma.set(gamma);
    return unchanged;
  }

  /** The accepted state becomes the trial state. */
  evaluate(): void {
    this.system.load(this.#time);
  }

  /** The numbers of the mechanism have changed. */
  renew(): void {
    this.forget();
    this.#known = new Map();
  }

  /** The state has been used for something else. */
  forget(): void {
    this.#time = Number.NaN;
  }
}

function equal(values: Float64Array, kept: Float64Array, offset: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== kept[offset + i]) return false;
  return true;
}
