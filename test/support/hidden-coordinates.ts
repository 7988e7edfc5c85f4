// A mechanism whose methods integrate coordinates other than the public ones: a stand-in for systems in other coordinates, with
// the same motion as the plain system.

import type { Method, PublicState, StateData, System, SystemSource } from "nodrift";
import {
  type Body,
  type BodyOptions,
  type BodyState,
  type CompiledModel,
  compile,
  type Model,
  model,
} from "nodrift/bodies";
import type { BodySource } from "../../src/run/bodies/simulation/mechanism.js";
import { BodySimulation } from "../../src/run/bodies/simulation/simulation.js";

const [Q, V] = [7, 6];

/** Bodies of a mechanism by name; the other argument is called once with all of them. */
export type Build = (
  m: Model,
  bodies: (list: readonly (BodyOptions & { readonly name: string })[]) => Record<string, Body>,
) => void;

/** A source that can be solved and simulated, with its public states. */
export interface Hidden extends BodySource, SystemSource<BodyState> {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  state(data: StateData): BodyState;
  without(...names: string[]): Hidden;
  stateFrom(source: object, state: Pick<StateData, "q" | "v">): Pick<StateData, "q" | "v">;
}

/**
 * The plain mechanism, and one with the same public states whose own have the bodies in reverse order and a pendulum
 * more, in front, that is not public, so coordinates and rows have other indices. It swings fast, so that its errors
 * determine the steps unless errors are measured in public coordinates. Given Euler parameters become those of the
 * same rotation that begin with a negative value.
 */
export async function bothKinds(
  name: string,
  build: Build,
  gravity: readonly [number, number, number] = [0, 0, -9.81],
): Promise<{ plain: CompiledModel; hidden: Hidden }> {
  const one = model({ name, gravity });
  build(one, (list) => Object.fromEntries(list.map((each) => [each.name, one.body(each)])));
  const other = model({ name, gravity });
  addGhost(other);
  build(other, (list) =>
    Object.fromEntries([...list].reverse().map((each) => [each.name, other.body(each)])),
  );
  const plain = await compile(one, { coordinates: "maximal" });
  return { plain, hidden: hiddenOf(plain, await compile(other, { coordinates: "maximal" })) };
}

/** Creates the simulation as `simulate` of a compiled model does. */
export function simulateHidden(hidden: Hidden, options: { method: Method; step: number }) {
  return new BodySimulation(hidden, options);
}

function addGhost(m: Model): void {
  const ghost = m.body({
    name: "ghost",
    mass: 1,
    inertia: [1e-3, 1e-3, 1e-3],
    position: [100.1, 0, 0],
    velocity: [0, 0.3, 0],
  });
  m.spherical({ between: [m.ground, ghost], at: [100, 0, 0] });
}

function hiddenOf(plain: CompiledModel, own: CompiledModel): Hidden {
  return {
    data: plain.data,
    plan: plain.plan,
    report: plain.report,
    length: plain.length,
    q: plain.q,
    v: plain.v,
    time: plain.time,
    tree: plain.tree,
    relativeSystem: (tree) => plain.relativeSystem(tree),
    bodySystem: (plan) => plain.bodySystem(plan),
    state: (data) => plain.state(data),
    without: (...names) => hiddenOf(plain.without(...names), own.without(...names)),
    system: () => hiddenSystem(plain, own),
    settings: plain.settings,
    parameters: plain.parameters,
    adjust: (system) => plain.adjust(system),
    settingsAfter: (where, given) => plain.settingsAfter(where, given),
    withSettings: (settings) => plain.withSettings(settings),
    withLocks: (state) => plain.withLocks(state),
    // All have the same centres of mass.
    stateFrom: (_, state) => state,
  };
}

function hiddenSystem(plain: CompiledModel, own: CompiledModel): System {
  const system = own.bodySystem();
  const other = plain.bodySystem();
  const { count, names } = other.continuation.unwrappedAngles;
  if (
    count !== system.continuation.unwrappedAngles.count ||
    names.join() !== system.continuation.unwrappedAngles.names.join()
  ) {
    throw new Error(`turns of ${plain.name} differ: ${names.join()}`);
  }
  const bodies = plain.data.bodies.length;
  const positions = Q * bodies;
  const ghost = new Float64Array(Q + V);
  ghost.set(own.q.subarray(0, Q));
  ghost.set(own.v.subarray(0, V), Q);
  const ghostAt = system.workspace.constants("state of the ghost", [...ghost]);
  const copy = (slots: number, from: number, to: number) =>
    system.workspace.kernels.copyVector(slots, from, to);
  /** Calls `move` with the offsets of each body in the public state and in the system's own. */
  const each = (move: (slots: number, seen: number, hidden: number) => void) => {
    for (let i = 0; i < bodies; i++) {
      move(Q, 8 * Q * i, 8 * Q * (bodies - i));
      move(V, 8 * (positions + V * i), 8 * (positions + Q + V * (bodies - i)));
    }
  };
  let memory = new Float64Array(0);
  system.workspace.whenSealed((arena) => {
    memory = new Float64Array(arena.memory.buffer);
  });
  const makeNegative = (place: number) => {
    const e = memory.subarray(place, place + 4);
    if (e[0]! > 0) e.set(e.map((x) => -x));
  };
  const publicState: PublicState<System> = {
    coordinates: other.coordinates,
    isAutomatic: false,
    misfit: 0,
    write: (from, out) => each((slots, seen, own) => copy(slots, from + own, out + seen)),
    read(from, out) {
      each((slots, seen, own) => copy(slots, from + seen, out + own));
      for (let i = 1; i <= bodies; i++) makeNegative(out / 8 + Q * i + 3);
      copy(Q, ghostAt, out);
      copy(V, ghostAt + 8 * Q, out + 8 * (positions + Q));
      system.load(own.time);
      const { rows } = system.constraints;
      return system.workspace.kernels.largestMagnitude(rows, system.constraints.phi());
    },
    maximal: () => other,
  };
  return Object.assign(system, { publicState });
}
