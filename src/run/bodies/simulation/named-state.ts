// A state by the names of bodies and joints, for transfer between simulations of the same model or of a changed one.

import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  Sensor,
  Want,
} from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  normalised,
  rotationOf,
  times,
  transposeTimes,
  ZERO,
} from "../../../base/algebra/vectors.js";
import {
  finite,
  isRecord,
  meant,
  needed,
  optionsOf,
  recordOf,
  rule,
  type Shape,
} from "../../../base/checking/index.js";
import {
  checkKeys,
  descriptionError,
  label,
  numbers,
  vector,
} from "../../../base/checking/values.js";
import type { StateData } from "../../../interfaces/index.js";
import type { ModelData, Vector } from "../../../model/model-data.js";
import { auxiliaryBodyOf } from "../../../systems/bodies/plan/carriers.js";
import { angleCount } from "../../../systems/bodies/system/angle-continuation.js";
import { currentState } from "../probe/current-state.js";
import { Probe, type ReadModel } from "../probe/probe.js";
import type { Readout } from "../reading/readout.js";

/**
 * Rotors move with their motors: for the angle, displacement or length s of a motor, the coordinate of its rotor is
 * x = sqrt(J) n s minus the offset of their coupling. Writes x and x' for the bodies of a state. Without this,
 * projection onto the couplings would distribute the difference between bodies and rotors, weighted by their masses.
 */
function writeRotors(source: ReadModel, state: StateData): void {
  const { data, plan } = source;
  const rotors = data.forces.filter(({ rotor }) => rotor !== undefined);
  if (rotors.length === 0) return;
  const probe = new Probe(source, () => currentState(plan, state));
  probe.load();
  const { system } = probe;
  system.requireSensors(Want.PHI | Want.RATES);
  const { sensors } = system.arrays;
  for (const [i, { a, rotor }] of rotors.entries()) {
    const own = data.sensors.length + i;
    const coupling = plan.couplings.findIndex((each) => each.sensors.includes(own));
    const held = state.unwrappedAngles[angleCount(plan) + coupling]!;
    const factor = Math.sqrt(rotor!);
    const [body, axis] = [data.bodies.length + Math.floor(i / 3), i % 3];
    const at = Sensor.LENGTH * a;
    state.q[BODY_POSITIONS * body + axis] = factor * sensors[at + Sensor.VALUE]! - held;
    state.v[BODY_VELOCITIES * body + axis] = factor * sensors[at + Sensor.RATE]!;
  }
}

/** Pose of a body's frame in the world, and the velocity of its origin. */
export interface NamedBody {
  readonly position: Vector;
  /** Euler parameters, scalar first. */
  readonly orientation: readonly number[];
  readonly velocity: Vector;
  /** Angular velocity in the world. */
  readonly angularVelocity: Vector;
}

/** A state by names. Plain data. */
export interface NamedState {
  readonly time: number;
  readonly bodies: Readonly<Record<string, NamedBody>>;
  /** Unwrapped angles by joint, and the offsets of couplings. */
  readonly unwrappedAngles: Readonly<Record<string, number>>;
  /** States, by the name of their set and their own name. */
  readonly states?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const SHAPE: Shape<NamedState> = {
  time: needed(finite),
  bodies: needed(rule<NamedState["bodies"]>("bodies by their names", isRecord)),
  unwrappedAngles: needed(recordOf(finite, "numbers by the names of joints")),
  states: rule<NonNullable<NamedState["states"]>>(
    "numbers of states by their names",
    (value) =>
      isRecord(value) &&
      Object.values(value).every(
        (set) => isRecord(set) && Object.values(set).every((each) => Number.isFinite(each)),
      ),
  ),
};

/** Returns the state of a mechanism by names. */
export function namedStateOf(
  { data }: ReadModel,
  readout: Pick<Readout, "body" | "state">,
  { time, unwrappedAngles }: { readonly time: number; readonly unwrappedAngles: Float64Array },
  angleNames: readonly string[],
): NamedState {
  const bodies = data.bodies.map(({ name }) => {
    const { position, orientation, velocity, angularVelocity } = readout.body(name);
    return [name, { position, orientation, velocity, angularVelocity }] as const;
  });
  const counted = [...unwrappedAngles].map((value, i) => [angleNames[i]!, value] as const);
  const states = data.states.map(({ name }) => [name, readout.state(name)] as const);
  return {
    time,
    bodies: Object.fromEntries(bodies),
    unwrappedAngles: Object.fromEntries(counted),
    ...(states.length > 0 && { states: Object.fromEntries(states) }),
  };
}

/** Returns the state vectors for a state given by names; bodies that it does not name keep their state. */
export function stateFromNames(
  source: ReadModel,
  given: unknown,
  present: Pick<StateData, "q" | "v" | "unwrappedAngles">,
  angleNames: readonly string[],
): StateData {
  const { bodies, name, states } = source.data;
  const state = optionsOf("setNamedState", "STEP", given, SHAPE);
  refuseMisspelt(
    "bodies",
    Object.keys(state.bodies),
    bodies.map((body) => body.name),
  );
  refuseMisspelt("unwrappedAngles", Object.keys(state.unwrappedAngles), angleNames);
  const [q, v] = [present.q.slice(), present.v.slice()];
  let known = 0;
  for (const [index, { name: body, centre }] of bodies.entries()) {
    const own = Object.hasOwn(state.bodies, body) ? state.bodies[body] : undefined;
    if (own === undefined) continue;
    known++;
    write(label("body", body), own, centre, index, q, v);
  }
  // Validate bodies that this model does not have, too.
  const [scrap, rates] = [new Float64Array(BODY_POSITIONS), new Float64Array(BODY_VELOCITIES)];
  for (const [body, own] of Object.entries(state.bodies)) {
    write(label("body", body), own, ZERO, 0, scrap, rates);
  }
  if (known === 0) {
    throw descriptionError("setNamedState", `${name} has none of the bodies of this state`);
  }
  writeStates(states, state.states ?? {}, source.plan.model, v);
  const unwrappedAngles = present.unwrappedAngles.slice();
  for (const [i, each] of angleNames.entries()) {
    if (Object.hasOwn(state.unwrappedAngles, each))
      unwrappedAngles[i] = state.unwrappedAngles[each]!;
  }
  const found = { q, v, time: state.time, unwrappedAngles };
  writeRotors(source, found);
  return found;
}

/**
 * Throws if an unknown name resembles that of a part the state omits. Other unknown names are accepted: they may belong
 * to parts the model had before it was changed.
 */
function refuseMisspelt(what: string, given: readonly string[], own: readonly string[]): void {
  const missing = own.filter((name) => !given.includes(name));
  for (const name of given.filter((each) => !own.includes(each))) {
    const near = meant(name, missing);
    if (near === undefined) continue;
    throw descriptionError("setNamedState", `${what} has no "${name}": did you mean ${near}?`);
  }
}

/** Writes the states that the model has into the velocities of their auxiliary bodies. */
function writeStates(
  sets: ModelData["states"],
  given: NonNullable<NamedState["states"]>,
  carried: ModelData,
  v: Float64Array,
): void {
  refuseMisspelt(
    "states",
    Object.keys(given),
    sets.map((set) => set.name),
  );
  let index = 0;
  for (const { name, names } of sets) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    if (own !== undefined) refuseMisspelt(label("states", name), Object.keys(own), names);
    for (const each of names) {
      const [body, axis] = auxiliaryBodyOf(carried, index);
      const value = own?.[each];
      if (value !== undefined) {
        v[BODY_VELOCITIES * body + axis] = value;
      }
      index++;
    }
  }
}

function write(
  where: string,
  own: NamedBody,
  centre: Vector,
  index: number,
  q: Float64Array,
  v: Float64Array,
): void {
  if (!isRecord(own)) throw descriptionError(where, "must be a body's position and velocity");
  checkKeys(where, own, ["position", "orientation", "velocity", "angularVelocity"], []);
  const [w, x, y, z] = numbers(where, "orientation", own.orientation, 4);
  const orientation = normalised([w!, x!, y!, z!]);
  const rotation = rotationOf(orientation);
  const omega = vector(where, "angularVelocity", own.angularVelocity);
  const arm = times(rotation, centre);
  q.set(add(vector(where, "position", own.position), arm), BODY_POSITIONS * index);
  q.set(orientation, BODY_POSITIONS * index + 3);
  v.set(add(vector(where, "velocity", own.velocity), cross(omega, arm)), BODY_VELOCITIES * index);
  v.set(transposeTimes(rotation, omega), BODY_VELOCITIES * index + 3);
}
