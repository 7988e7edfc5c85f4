// States y' = f are velocities: three of them are the velocity of a body of unit mass that nothing holds, pulls or
// draws, on which f acts as a force. So every formulation, stabilisation and integrator, in every kind of coordinates,
// integrates them as it integrates motion, and saves, restores and interpolates them.
// docs/decisions/0020-states.md has the alternatives.

import type { BodyData, ModelData } from "../../../describe/model/model-data.js";

/** States in a body. */
const PER_BODY = 3;

const REST = {
  mass: 1,
  inertia: Object.freeze([1, 0, 0, 0, 1, 0, 0, 0, 1]),
  centre: Object.freeze([0, 0, 0]),
  position: Object.freeze([0, 0, 0]),
  orientation: Object.freeze([1, 0, 0, 0]),
  angularVelocity: Object.freeze([0, 0, 0]),
  shape: undefined,
} as unknown as Omit<BodyData, "name" | "velocity">;

/** The model with the bodies that carry its states, behind those of the user. */
export function withStateCarriers(data: ModelData): ModelData {
  if (movingBodies(data.bodies) < data.bodies.length) return data;
  const states = data.states.flatMap(({ name, names, start }) =>
    names.map((own, i) => ({ name: `${name} ${own}`, start: start[i]! })),
  );
  if (states.length === 0) return data;
  const carriers: BodyData[] = [];
  for (let first = 0; first < states.length; first += PER_BODY) {
    const own = states.slice(first, first + PER_BODY);
    const [x = 0, y = 0, z = 0] = own.map(({ start }) => start);
    const names = Object.freeze(own.map(({ name }) => name));
    carriers.push(
      Object.freeze({
        ...REST,
        name: `states ${names.join(", ")}`,
        velocity: Object.freeze([x, y, z] as const),
        states: names,
      }),
    );
  }
  return Object.freeze({ ...data, bodies: Object.freeze([...data.bodies, ...carriers]) });
}

/** How many bodies move: those of the user, which come first. */
export function movingBodies(bodies: readonly BodyData[]): number {
  const first = bodies.findIndex(({ states }) => states !== undefined);
  return first < 0 ? bodies.length : first;
}

/** Which body carries a state, by its place among all states, and along which axis. */
export function carrierOf(data: ModelData, state: number): readonly [body: number, axis: number] {
  return [movingBodies(data.bodies) + Math.floor(state / PER_BODY), state % PER_BODY];
}

/** How many states there are. */
export function stateCount({ states }: ModelData): number {
  return states.reduce((sum, { names }) => sum + names.length, 0);
}

/** The place of the first state of a set among all. */
export function firstState({ states }: ModelData, set: number): number {
  return states.slice(0, set).reduce((sum, { names }) => sum + names.length, 0);
}
