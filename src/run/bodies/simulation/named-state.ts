// A state by the names of bodies and joints: it moves between simulations of the same model, or of one that was changed.

import { BODY_POSITIONS, BODY_VELOCITIES } from "../../../../assembly/layout-bodies.js";
import type { ModelData, Vector } from "../../../describe/model/model-data.js";
import {
  checkKeys,
  descriptionError,
  label,
  numbers,
  vector,
} from "../../../describe/model/option-checks.js";
import {
  add,
  cross,
  normalised,
  rotationOf,
  times,
  transposeTimes,
  ZERO,
} from "../../../ground/algebra/vectors.js";
import {
  finite,
  isRecord,
  meant,
  needed,
  optionsOf,
  recordOf,
  rule,
  type Shape,
} from "../../../ground/checking/index.js";
import type { StateData } from "../../../seam/index.js";
import { carrierOf } from "../../../systems/bodies/plan/carriers.js";
import type { ReadModel } from "../probe/probe.js";
import type { Readout } from "../reading/readout.js";
import { writeRotors } from "./rotor-state.js";

/** A body in the world: of the origin of its frame. */
export interface NamedBody {
  readonly position: Vector;
  /** Euler parameters, scalar first. */
  readonly orientation: readonly number[];
  readonly velocity: Vector;
  /** In the world. */
  readonly angularVelocity: Vector;
}

/** A state by names: plain data. */
export interface NamedState {
  readonly time: number;
  readonly bodies: Readonly<Record<string, NamedBody>>;
  /** Unwrapped angles by joints, and what couplings hold. */
  readonly turns: Readonly<Record<string, number>>;
  /** States by the names of their sets, and their own. */
  readonly states?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const SHAPE: Shape<NamedState> = {
  time: needed(finite),
  bodies: needed(rule<NamedState["bodies"]>("bodies by their names", isRecord)),
  turns: needed(recordOf(finite, "numbers by the names of joints")),
  states: rule<NonNullable<NamedState["states"]>>(
    "numbers of states by their names",
    (value) =>
      isRecord(value) &&
      Object.values(value).every(
        (set) => isRecord(set) && Object.values(set).every((each) => Number.isFinite(each)),
      ),
  ),
};

/** The state of a mechanism by names. */
export function namedStateOf(
  { data }: ReadModel,
  readout: Pick<Readout, "body" | "state">,
  { time, turns }: { readonly time: number; readonly turns: Float64Array },
  turnNames: readonly string[],
): NamedState {
  const bodies = data.bodies.map(({ name }) => {
    const { position, orientation, velocity, angularVelocity } = readout.body(name);
    return [name, { position, orientation, velocity, angularVelocity }] as const;
  });
  const counted = [...turns].map((value, i) => [turnNames[i]!, value] as const);
  const states = data.states.map(({ name }) => [name, readout.state(name)] as const);
  return {
    time,
    bodies: Object.fromEntries(bodies),
    turns: Object.fromEntries(counted),
    ...(states.length > 0 && { states: Object.fromEntries(states) }),
  };
}

/** The numbers of a mechanism in a state that is given by names; bodies that it does not name stay where they are. */
export function numbersFrom(
  source: ReadModel,
  given: unknown,
  present: Pick<StateData, "q" | "v" | "turns">,
  turnNames: readonly string[],
): StateData {
  const { bodies, name, states } = source.data;
  const state = optionsOf("setNamedState", "STEP", given, SHAPE);
  refuseMisspelt(
    "bodies",
    Object.keys(state.bodies),
    bodies.map((body) => body.name),
  );
  refuseMisspelt("turns", Object.keys(state.turns), turnNames);
  const [q, v] = [present.q.slice(), present.v.slice()];
  let known = 0;
  for (const [index, { name: body, centre }] of bodies.entries()) {
    const own = Object.hasOwn(state.bodies, body) ? state.bodies[body] : undefined;
    if (own === undefined) continue;
    known++;
    write(label("body", body), own, centre, index, q, v);
  }
  // What this model does not have is no reason to take nonsense.
  const [scrap, rates] = [new Float64Array(BODY_POSITIONS), new Float64Array(BODY_VELOCITIES)];
  for (const [body, own] of Object.entries(state.bodies)) {
    write(label("body", body), own, ZERO, 0, scrap, rates);
  }
  if (known === 0) {
    throw descriptionError("setNamedState", `${name} has none of the bodies of this state`);
  }
  writeStates(states, state.states ?? {}, source.plan.model, v);
  const turns = present.turns.slice();
  for (const [i, each] of turnNames.entries()) {
    if (Object.hasOwn(state.turns, each)) turns[i] = state.turns[each]!;
  }
  const found = { q, v, time: state.time, turns };
  writeRotors(source, found);
  return found;
}

/**
 * Names that this model does not have may belong to parts it had before it was changed; but not where they are nearly those
 * of parts that the state leaves out.
 */
function refuseMisspelt(what: string, given: readonly string[], own: readonly string[]): void {
  const missing = own.filter((name) => !given.includes(name));
  for (const name of given.filter((each) => !own.includes(each))) {
    const near = meant(name, missing);
    if (near === undefined) continue;
    throw descriptionError("setNamedState", `${what} has no "${name}": did you mean ${near}?`);
  }
}

/** Writes those that the model has where their carriers are. */
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
  let place = 0;
  for (const { name, names } of sets) {
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    if (own !== undefined) refuseMisspelt(label("states", name), Object.keys(own), names);
    for (const each of names) {
      const [body, axis] = carrierOf(carried, place);
      const value = own?.[each];
      if (value !== undefined) {
        v[BODY_VELOCITIES * body + axis] = value;
      }
      place++;
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
  const turn = normalised([w!, x!, y!, z!]);
  const rotation = rotationOf(turn);
  const omega = vector(where, "angularVelocity", own.angularVelocity);
  const arm = times(rotation, centre);
  q.set(add(vector(where, "position", own.position), arm), BODY_POSITIONS * index);
  q.set(turn, BODY_POSITIONS * index + 3);
  v.set(add(vector(where, "velocity", own.velocity), cross(omega, arm)), BODY_VELOCITIES * index);
  v.set(transposeTimes(rotation, omega), BODY_VELOCITIES * index + 3);
}
