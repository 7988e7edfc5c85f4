// What is integrated with a mechanism besides its bodies is the motion of bodies of mass 1 that nothing else holds, pulls or
// draws, behind those of the user: three numbers in each, along x, y and z.
//
// States y' = f are velocities of such carriers, on which f acts as a force. So every formulation, stabilisation and
// integrator, in every kind of coordinates, integrates them as it integrates motion, and saves, restores and interpolates
// them. docs/decisions/0020-states.md has the alternatives.
//
// A rotor of inertia J behind a gear of ratio n has the energy J (n s')^2 / 2 = x'^2 / 2 for x = sqrt(J) n s: it is a
// carrier that a coupling moves with s, the angle, displacement or length of its motor. So it is exact in all coordinates. Rejected:
// J n^2 added to the inertia of a body, which is right only where the other is the ground; added to a pivot along the tree, which maximal
// coordinates do not have.

import { SensorKind } from "../../../../assembly/layout-bodies.js";
import { coupled, holonomic } from "../../../describe/joints/rows.js";
import type { MeasuredFormula, MeasuredInput } from "../../../describe/model/formula-data.js";
import {
  type BodyData,
  GROUND,
  type JointData,
  type MarkerData,
  type Matrix,
  type ModelData,
  type SensorData,
} from "../../../describe/model/model-data.js";
import { IDENTITY, ZERO } from "../../../ground/algebra/vectors.js";

/** Numbers in a carrier. */
const PER_BODY = 3;

const REST: Omit<BodyData, "name" | "velocity" | "states"> = {
  mass: 1,
  inertia: IDENTITY,
  centre: ZERO,
  position: ZERO,
  orientation: [1, 0, 0, 0],
  angularVelocity: ZERO,
  shape: undefined,
};

/** Axes whose third is x, y and z of the world. */
export const CARRIER_AXES: readonly Matrix[] = [
  [0, 1, 0, 0, 0, 1, 1, 0, 0],
  [0, 0, 1, 1, 0, 0, 0, 1, 0],
  IDENTITY,
];

/** The model with the bodies that carry its rotors and states, behind those of the user. */
export function withCarriers(data: ModelData): ModelData {
  if (movingBodies(data.bodies) < data.bodies.length) return data;
  const states = data.states.flatMap(({ name, names, start }) =>
    names.map((own, i) => ({ name: `${name} ${own}`, start: start[i] })),
  );
  const rotors = data.forces.filter(({ rotor }) => rotor !== undefined);
  if (states.length === 0 && rotors.length === 0) return data;
  const turning = carriersOf(
    rotors.map(({ name }) => ({ name: `${name} rotor`, start: undefined })),
    true,
  );
  const bodies = [...data.bodies, ...turning, ...carriersOf(states, false)];
  return readingCarriers(
    Object.freeze({ ...data, ...coupledRotors(data), bodies: Object.freeze(bodies) }),
  );
}

/** Formulas that name states read the velocities of their carriers. */
function readingCarriers(data: ModelData): ModelData {
  const { states, forces, userForces } = data;
  if (states.length === 0) return data;
  const input = (given: MeasuredInput): MeasuredInput => {
    if (given.kind !== "state") return given;
    const set = states.findIndex(({ name }) => name === given.set);
    const state = firstState(data, set) + states[set]!.names.indexOf(given.own);
    const [body, axis] = carrierOf(data, state);
    return { kind: "velocity", body, point: ZERO, axis };
  };
  const resolved = (formula: MeasuredFormula): MeasuredFormula => ({
    ...formula,
    inputs: formula.inputs.map(input),
  });
  return Object.freeze({
    ...data,
    states: states.map((one) =>
      one.formulas ? { ...one, formulas: one.formulas.map(resolved) } : one,
    ),
    forces: forces.map((one) =>
      one.formulas
        ? {
            ...one,
            formulas: one.formulas.map((own) => ({ ...own, formula: resolved(own.formula) })),
          }
        : one,
    ),
    userForces: userForces.map((one) =>
      one.formulas ? { ...one, formulas: one.formulas.map(resolved) } : one,
    ),
  });
}

function carriersOf(
  list: readonly { readonly name: string; readonly start: number | undefined }[],
  hasEnergy: boolean,
): BodyData[] {
  const carriers: BodyData[] = [];
  for (let first = 0; first < list.length; first += PER_BODY) {
    const own = list.slice(first, first + PER_BODY);
    const [x = 0, y = 0, z = 0] = own.map(({ start }) => start);
    const names = Object.freeze(own.map(({ name }) => name));
    carriers.push(
      Object.freeze({
        ...REST,
        name: names.join(", "),
        // How fast rotors turn follows from their joints.
        velocity: hasEnergy ? undefined : Object.freeze([x, y, z] as const),
        ...(hasEnergy && { angularVelocity: undefined, isRotor: true }),
        states: names,
      }),
    );
  }
  return carriers;
}

/** Markers, sensors and couplings of rotors, behind those of the model. */
function coupledRotors(data: ModelData): Pick<ModelData, "markers" | "sensors" | "joints"> {
  const markers: MarkerData[] = [...data.markers];
  const sensors: SensorData[] = [...data.sensors];
  const joints: JointData[] = [...data.joints];
  const rotors = data.forces.filter(({ rotor }) => rotor !== undefined);
  for (const [i, { name, a, rotor }] of rotors.entries()) {
    const body = data.bodies.length + Math.floor(i / PER_BODY);
    const axes = CARRIER_AXES[i % PER_BODY]!;
    const first = markers.push({ name: `${name} stator`, body: GROUND, point: ZERO, axes }) - 1;
    const second = markers.push({ name: `${name} rotor`, body, point: ZERO, axes }) - 1;
    const kind = SensorKind.DISPLACEMENT;
    const sensor = sensors.push({ kind, a: first, b: second, owner: `${name} rotor` }) - 1;
    const row = coupled("rotor", [a, sensor], [Math.sqrt(rotor!), -1], undefined, "force");
    joints.push({
      name,
      type: "rotor",
      markers: undefined,
      blocks: Object.freeze([holonomic(row)]),
      isDrive: false,
      sensors: {},
    });
  }
  return { markers, sensors, joints };
}

/** How many bodies are the user's, which come first. */
export function movingBodies(bodies: readonly BodyData[]): number {
  const first = bodies.findIndex(({ states }) => states !== undefined);
  return first < 0 ? bodies.length : first;
}

/** How many have energy: those of the user, and rotors. */
export function energeticBodies(bodies: readonly BodyData[]): number {
  const first = bodies.findIndex(({ states, isRotor }) => states !== undefined && !isRotor);
  return first < 0 ? bodies.length : first;
}

/** How many rotors there are: each a coordinate of its own, and a row. */
export function rotorCount(bodies: readonly BodyData[]): number {
  return bodies.reduce((sum, { states, isRotor }) => sum + (isRotor ? states!.length : 0), 0);
}

/** Which body carries a state, by its place among all states, and along which axis. */
export function carrierOf(data: ModelData, state: number): readonly [body: number, axis: number] {
  return [energeticBodies(data.bodies) + Math.floor(state / PER_BODY), state % PER_BODY];
}

/** How many states there are. */
export function stateCount({ states }: ModelData): number {
  return states.reduce((sum, { names }) => sum + names.length, 0);
}

/** The place of the first state of a set among all. */
export function firstState({ states }: ModelData, set: number): number {
  return states.slice(0, set).reduce((sum, { names }) => sum + names.length, 0);
}
