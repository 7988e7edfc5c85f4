// Auxiliary bodies. Additional states of a mechanism are integrated as velocities of bodies of mass 1 that no joint
// and no other force acts on, appended after those of the user: three states per body, along x, y and z.
//
// States y' = f are velocities of such bodies, on which f acts as a force. So every formulation, stabilisation and
// integrator, in all coordinates, integrates them as it integrates motion, and saves, restores and interpolates them.
// docs/decisions/0020-states.md has the alternatives.
//
// A rotor of inertia J on a gear of ratio n has the energy J (n s')^2 / 2 = x'^2 / 2 for x = sqrt(J) n s. It is an
// auxiliary body that a coupling moves with s, the angle, displacement or length of its motor. So it is exact in all
// coordinates. Rejected: J n^2 added to the inertia of a body, which is right only if the other body is the ground;
// added to a pivot along the tree, which maximal coordinates do not have.

import { SensorKind } from "../../../../assembly/layout-bodies.js";
import { IDENTITY, ZERO } from "../../../base/algebra/vectors.js";
import { hint, show } from "../../../base/checking/values.js";
import { NodriftError } from "../../../base/errors.js";
import { oncePer } from "../../../base/once.js";
import type { MeasuredFormula, MeasuredInput } from "../../../model/formula-data.js";
import { coupled, holonomic } from "../../../model/joints/rows.js";
import {
  type BodyData,
  type ControllerData,
  GROUND,
  type JointData,
  type MarkerData,
  type Matrix,
  type ModelData,
  type SensorData,
} from "../../../model/model-data.js";

/** Number of states of an auxiliary body. */
const STATES_PER_BODY = 3;

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

/** Returns the model with the auxiliary bodies of its rotors and states, after those of the user. */
export function withAuxiliaryBodies(data: ModelData): ModelData {
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

/** Formulas that name states read the velocities of their auxiliary bodies. */
function readingCarriers(data: ModelData): ModelData {
  const { states, forces, userForces } = data;
  if (states.length === 0) return data;
  const input = (given: MeasuredInput): MeasuredInput => {
    if (given.kind !== "state") return given;
    const set = states.findIndex(({ name }) => name === given.set);
    const state = firstState(data, set) + states[set]!.names.indexOf(given.own);
    const [body, axis] = auxiliaryBodyOf(data, state);
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
  for (let first = 0; first < list.length; first += STATES_PER_BODY) {
    const own = list.slice(first, first + STATES_PER_BODY);
    const [x = 0, y = 0, z = 0] = own.map(({ start }) => start);
    const names = Object.freeze(own.map(({ name }) => name));
    carriers.push(
      Object.freeze({
        ...REST,
        name: names.join(", "),
        // Velocities of rotors follow from their joints.
        velocity: hasEnergy ? undefined : Object.freeze([x, y, z] as const),
        ...(hasEnergy && { angularVelocity: undefined, isRotor: true }),
        states: names,
      }),
    );
  }
  return carriers;
}

/** Markers, sensors and couplings of rotors, after those of the model. */
function coupledRotors(data: ModelData): Pick<ModelData, "markers" | "sensors" | "joints"> {
  const markers: MarkerData[] = [...data.markers];
  const sensors: SensorData[] = [...data.sensors];
  const joints: JointData[] = [...data.joints];
  const rotors = data.forces.filter(({ rotor }) => rotor !== undefined);
  for (const [i, { name, a, rotor }] of rotors.entries()) {
    const body = data.bodies.length + Math.floor(i / STATES_PER_BODY);
    const axes = CARRIER_AXES[i % STATES_PER_BODY]!;
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

/** Number of the user's bodies, which come first. */
export function movingBodies(bodies: readonly BodyData[]): number {
  const first = bodies.findIndex(({ states }) => states !== undefined);
  return first < 0 ? bodies.length : first;
}

/** Number of bodies with energy: those of the user, and rotors. */
export function energeticBodies(bodies: readonly BodyData[]): number {
  const first = bodies.findIndex(({ states, isRotor }) => states !== undefined && !isRotor);
  return first < 0 ? bodies.length : first;
}

/** Number of rotors: each adds a coordinate and a row. */
export function rotorCount(bodies: readonly BodyData[]): number {
  return bodies.reduce((sum, { states, isRotor }) => sum + (isRotor ? states!.length : 0), 0);
}

/** Returns the auxiliary body and the axis of a state, by its index among all states. */
export function auxiliaryBodyOf(
  data: ModelData,
  state: number,
): readonly [body: number, axis: number] {
  return [
    energeticBodies(data.bodies) + Math.floor(state / STATES_PER_BODY),
    state % STATES_PER_BODY,
  ];
}

/** Number of states. */
export function stateCount({ states }: ModelData): number {
  return states.reduce((sum, { names }) => sum + names.length, 0);
}

/** Index of the first state of a set among all states. */
export function firstState({ states }: ModelData, set: number): number {
  return states.slice(0, set).reduce((sum, { names }) => sum + names.length, 0);
}

// Data of controllers among the constants of the kernels: the index of the next sample, that of the first one since
// the controller began, outputs, memory, and the outputs of pending samples.

/** Offset of the outputs. */
export const CONTROLLER_OUTPUTS = 2;

/** Replaces an output for which constants have been computed: no output has this value. */
export const NOT_APPLIED = -Number.MAX_VALUE;

/** Number of samples stored until they act: the current one, and those that act later. */
export function keptSamples({ delay, every }: ControllerData): number {
  return Math.floor(delay / every) + 2;
}

/** Initial data of a controller: its first sample is the next one. */
export function controllerNumbers(controller: ControllerData): number[] {
  const { start, memoryStart } = controller;
  const underWay = new Array<number>(keptSamples(controller) * start.length).fill(0);
  return [Number.MIN_SAFE_INTEGER, 0, ...start, ...memoryStart, ...underWay];
}

/** Names of these data. */
export function controllerNames({ controllers }: ModelData): string[] {
  return controllers.flatMap((controller) =>
    controllerNumbers(controller).map((_, i) => `${controller.name}: held ${i}`),
  );
}

/** Returns the index of a body, by its name. */
export function bodyNamed({ bodies }: ModelData, name: string, where: string): number {
  const body = bodies.findIndex((each) => each.name === name);
  if (body >= 0) return body;
  const known = bodies.map((each) => each.name);
  throw new NodriftError(
    "DESCRIPTION",
    `${where}: there is no body ${show(name)}${hint(name, known)}`,
  );
}

const POSITION = ["x", "y", "z", "e0", "e1", "e2", "e3"];
const VELOCITY = ["vx", "vy", "vz", "w1", "w2", "w3"];

const namesOfPositions = oncePer((bodies: readonly BodyData[]) =>
  bodies.flatMap(({ name }) => POSITION.map((part) => `${name} ${part}`)),
);
const namesOfVelocities = oncePer((bodies: readonly BodyData[]) =>
  bodies.flatMap(({ name, states }) => VELOCITY.map((part, i) => states?.[i] || `${name} ${part}`)),
);

/** Names of all positions, body by body. */
export function positionNames({ bodies }: ModelData): readonly string[] {
  return namesOfPositions(bodies);
}

/** Names of all velocities; those of auxiliary bodies are the names of their states. */
export function velocityNames({ bodies }: ModelData): readonly string[] {
  return namesOfVelocities(bodies);
}
