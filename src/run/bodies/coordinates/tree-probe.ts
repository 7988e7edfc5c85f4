// A system along the tree, in memory of its own, that evaluates states of a simulation or solution.

import { ReentryGuard } from "../../../base/checking/index.js";
import type { Arena, Segment } from "../../../base/memory/arena.js";
import { rotorCount } from "../../../systems/bodies/plan/carriers.js";
import type { RelativeSystem } from "../../../systems/relative/system/system.js";
import type { CurrentState } from "../probe/current-state.js";
import type { ReadModel } from "../probe/probe.js";

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

/** Returns an object with a value for each name, in order. */
export function byName(
  names: readonly string[],
  values: ArrayLike<number>,
): Readonly<Record<string, number>> {
  // Plain assignment would drop a key named "__proto__".
  return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
}

/** The minimal state of a mechanism: joint coordinates along its tree, by name. */
export interface JointCoordinateValues {
  /** Angles, displacements, Euler parameters of spherical joints, and poses of free bodies. */
  readonly positions: Readonly<Record<string, number>>;
  /** Rates of the positions; angular velocities for Euler parameters. */
  readonly velocities: Readonly<Record<string, number>>;
}

/** Data from which a view of joint coordinates reads. */
export interface JointSpaceContext {
  readonly model: ReadModel;
  readonly treeProbe: TreeProbe;
  present(): CurrentState;
}

/** Returns the names of joint coordinates and of their velocities, without the states, which follow. */
export function namesOf({ treeProbe, model }: JointSpaceContext): {
  readonly positionNames: readonly string[];
  readonly velocityNames: readonly string[];
} {
  const { positionNames, velocityNames, states } = treeProbe.system.coordinates;
  // Rotors of motors precede the states, and are no joint coordinates either.
  const rotors = rotorCount(model.plan.model.bodies);
  const end = (first: number | undefined, all: number) => (first ?? all) - rotors;
  return {
    positionNames: positionNames.slice(0, end(states?.firstPosition, positionNames.length)),
    velocityNames: velocityNames.slice(0, end(states?.firstVelocity, velocityNames.length)),
  };
}

/** Returns the joint coordinates and velocities by name. If a run integrates them they are bitwise its values. */
export function jointCoordinates(context: JointSpaceContext): JointCoordinateValues {
  const { positionNames, velocityNames } = namesOf(context);
  const { q, v } = context.treeProbe.coordinates(context.present());
  return { positions: byName(positionNames, q), velocities: byName(velocityNames, v) };
}
