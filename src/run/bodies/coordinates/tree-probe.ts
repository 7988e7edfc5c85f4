// A system along the tree, in memory of its own, that evaluates states of a simulation or solution.

import { ReentryGuard } from "../../../base/checking/index.js";
import type { Arena, Segment } from "../../../base/memory/arena.js";
import type { RelativeSystem } from "../../../systems/relative/system/system.js";
import type { CurrentState } from "../probe/current-state.js";

/** Joint coordinates in the layout of the kernels. */
export interface TreeState {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

export class TreeProbe {
  readonly system: RelativeSystem;
  readonly arena: Arena;
  /** Scratch memory: two vectors of velocities, six values for each body, and one for each row. */
  readonly vector: Segment;
  readonly forces: Segment;
  readonly loads: Segment;
  readonly rows: Segment;
  /** The accepted state: q, then v. */
  readonly state: Float64Array;
  readonly #seen: Segment;
  readonly #guard = new ReentryGuard("the reading of joint coordinates");

  constructor(system: RelativeSystem) {
    const { workspace, coordinates, constraints, publicState } = system;
    const { positions, velocities } = publicState.coordinates;
    this.system = system;
    this.vector = workspace.reserve("velocities that are read", coordinates.velocities);
    this.forces = workspace.reserve("forces that are read", coordinates.velocities);
    this.loads = workspace.reserve("loads that are read", velocities);
    this.rows = workspace.reserve("rows that are read", constraints.rows);
    this.#seen = workspace.reserve("state of the bodies", positions + velocities);
    // Allocates the memory of the solver in the workspace.
    system.dynamics.solver("auto");
    this.arena = workspace.seal();
    const slots = coordinates.positions + coordinates.velocities;
    this.state = this.arena.floats({ name: "state", address: system.state.q, slots });
  }

  /** Returns the joint coordinates of a state. */
  coordinates(present: CurrentState): TreeState {
    this.#guard.refuse("coordinates");
    this.#accept(present);
    const { positions } = this.system.coordinates;
    return { q: this.state.slice(0, positions), v: this.state.slice(positions) };
  }

  /** Evaluates at a state; user functions called meanwhile must not query the state. */
  at<T>(present: CurrentState, what: string, find: (system: RelativeSystem) => T): T {
    this.#guard.enter(what);
    try {
      this.#accept(present);
      this.system.continuation.beginStep(present.time, 0);
      this.system.load(present.time);
      return find(this.system);
    } finally {
      this.#guard.leave();
    }
  }

  /** Returns the public positions and velocities of the accepted state. */
  publicState(): TreeState {
    const { system, arena } = this;
    const { positions } = system.publicState.coordinates;
    system.publicState.write(system.state.q, this.#seen.address);
    const seen = arena.floats(this.#seen);
    return { q: seen.slice(0, positions), v: seen.slice(positions) };
  }

  /**
   * Accepts a state: its integrated coordinates, or those found from the bodies. Then measured joint angles are on
   * their counted turn, and others between -pi and pi, independent of earlier readings.
   */
  #accept({ q, v, unwrappedAngles, integrated }: CurrentState): void {
    const { system, arena, state } = this;
    system.continuation.unwrappedAngles.write(unwrappedAngles);
    if (integrated) {
      state.set(integrated.q);
      state.set(integrated.v, integrated.q.length);
      return;
    }
    const seen = arena.floats(this.#seen);
    seen.set(q);
    seen.set(v, q.length);
    state.fill(0);
    system.publicState.read(this.#seen.address, system.state.q);
  }
}
