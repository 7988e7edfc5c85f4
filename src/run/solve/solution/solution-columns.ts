import type { State } from "../../../interfaces/index.js";
import type { Body, Force, Handle, Joint } from "../../../model/handles.js";
import type { ForceReadingOf } from "../../bodies/reactions/force-reading.js";
import type { JointReadingOf } from "../../bodies/reactions/joint-reading.js";

/** Three or four numbers read from a body or joint. */
type Numbers = readonly number[];

/** Source of the columns of a body. */
interface BodyLike {
  readonly position: Numbers;
  readonly orientation: Numbers;
  readonly velocity: Numbers;
  readonly angularVelocity: Numbers;
  readonly acceleration: Numbers;
}

/** Source of the columns of a joint. */
interface JointLike {
  force(): Numbers;
  torque(): Numbers;
  readonly angle: number | undefined;
  readonly displacement: number | undefined;
  readonly length: number | undefined;
  readonly driveForce: number | undefined;
  readonly multipliers: Readonly<Record<string, number>>;
}

/** Source of the columns of a force. */
interface ForceLike {
  force(): Numbers;
  torque(): Numbers;
  readonly length: number | undefined;
  readonly angle: number | undefined;
  readonly driveForce: number | undefined;
  readonly power: number;
  readonly energy: number;
}

/** A state with bodies, joints and forces by name. */
export interface NamedBodiesState extends State {
  body(body: string | Body): BodyLike & { readonly name: string };
  joint(joint: string | Joint): JointLike & { readonly name: string };
  force(force: string | Force): ForceLike & { readonly name: string };
}

/** Columns by component: [x, y, z], or Euler parameters. */
export type Columns = readonly Float64Array[];

/**
 * Motion of a body, in world coordinates, of the origin of its frame. Each column is computed when it is first read.
 */
export interface BodyColumns {
  /** x, y, z of its origin. */
  readonly position: Columns;
  /** Euler parameters, scalar first. */
  readonly orientation: Columns;
  /** Velocity of its origin. */
  readonly velocity: Columns;
  /** Angular velocity. */
  readonly angularVelocity: Columns;
  /** Acceleration of its origin. */
  readonly acceleration: Columns;
}

/**
 * Forces on the second body of a joint, in the world, and the joint's measurements; undefined if it has none. In
 * modes without the joint, forces are zero and measurements are NaN.
 */
export interface JointColumns {
  /** Force of the joint. */
  readonly force: Columns;
  /** Torque of the joint. */
  readonly torque: Columns;
  /** Unwrapped angle, beyond full revolutions. */
  readonly angle: Float64Array | undefined;
  /** Displacement along the axis. */
  readonly displacement: Float64Array | undefined;
  /** Distance of its points. */
  readonly length: Float64Array | undefined;
  /** Signed force or torque of a drive. */
  readonly driveForce: Float64Array | undefined;
  /** Multipliers by row name, for user rows that act on several bodies. */
  readonly multipliers: Readonly<Record<string, Float64Array>>;
}

/**
 * Force on its second body, in the world, and its measurements; undefined if it has none. In modes without the force,
 * forces are zero and measurements are NaN.
 */
export interface ForceColumns {
  /** The force. */
  readonly force: Columns;
  /** Its torque about its point on the body. */
  readonly torque: Columns;
  /** Distance of its points. */
  readonly length: Float64Array | undefined;
  /** The angle it acts on. */
  readonly angle: Float64Array | undefined;
  /** Signed torque or force of a motor at the joint. */
  readonly driveForce: Float64Array | undefined;
  /** Power it supplies to the bodies. */
  readonly power: Float64Array;
  /** Potential energy in its spring. */
  readonly energy: Float64Array;
}

/** Columns that a joint is known to have, by the type of its handle. */
export type JointColumnsOf<Type extends string> = JointColumns &
  Certain<JointColumns, JointReadingOf<Type>>;

/** Columns that a force is known to have, by the type of its handle. */
export type ForceColumnsOf<Type extends string> = ForceColumns &
  Certain<ForceColumns, ForceReadingOf<Type>>;

/** Columns of numbers that a reading is known to have. */
type Certain<All, Reading> = {
  readonly [Key in keyof All & keyof Reading as Reading[Key] extends number
    ? Key
    : never]: Float64Array;
};

/** The states that columns are read from. */
interface StateList {
  readonly length: number;
  state(index: number): NamedBodiesState;
}

export function bodyColumns(states: StateList, given: string | Body): BodyColumns {
  const name = nameIn(states, given, (state, body) => state.body(body));
  const read = (part: keyof BodyLike) => () =>
    vectors(states, (state) => state.body(name)[part] as Numbers);
  return lazy({
    position: read("position"),
    orientation: read("orientation"),
    velocity: read("velocity"),
    angularVelocity: read("angularVelocity"),
    acceleration: read("acceleration"),
  });
}

export function jointColumns(states: StateList, given: string | Joint): JointColumns {
  const name = nameIn(states, given, (state, joint) => state.joint(joint));
  const jointIn = finder(states, (state) => state.joint(name));
  const measured = (part: "angle" | "displacement" | "length" | "driveForce") => () => {
    const values = vectors(states, (state) => [jointIn(state)?.[part] ?? Number.NaN])[0];
    return values?.some((value) => !Number.isNaN(value)) ? values : undefined;
  };
  const zero = [0, 0, 0];
  return lazy({
    force: () => vectors(states, (state) => jointIn(state)?.force() ?? zero),
    torque: () => vectors(states, (state) => jointIn(state)?.torque() ?? zero),
    angle: measured("angle"),
    displacement: measured("displacement"),
    length: measured("length"),
    driveForce: measured("driveForce"),
    multipliers: () => {
      let rows: readonly string[] = [];
      const columns = vectors(states, (state) => {
        const own = jointIn(state)?.multipliers;
        if (own) rows = Object.keys(own);
        return own ? Object.values(own) : [];
      });
      return Object.fromEntries(rows.map((row, i) => [row, columns[i]!]));
    },
  });
}

export function forceColumns(states: StateList, given: string | Force): ForceColumns {
  const name = nameIn(states, given, (state, force) => state.force(force));
  const forceIn = finder(states, (state) => state.force(name));
  const measured = (part: "length" | "angle" | "driveForce") => () => {
    const values = vectors(states, (state) => [forceIn(state)?.[part] ?? Number.NaN])[0];
    return values?.some((value) => !Number.isNaN(value)) ? values : undefined;
  };
  const number = (part: "power" | "energy") => () =>
    vectors(states, (state) => [forceIn(state)?.[part] ?? 0])[0] ?? new Float64Array(0);
  const zero = [0, 0, 0];
  return lazy({
    force: () => vectors(states, (state) => forceIn(state)?.force() ?? zero),
    torque: () => vectors(states, (state) => forceIn(state)?.torque() ?? zero),
    length: measured("length"),
    angle: measured("angle"),
    driveForce: measured("driveForce"),
    power: number("power"),
    energy: number("energy"),
  });
}

/**
 * Returns the name of a handle, which may be of the model of any mode. Columns are found by name, as another mode may
 * be another model.
 */
function nameIn<Given extends Handle>(
  states: StateList,
  given: string | Given,
  read: (state: NamedBodiesState, given: Given) => { readonly name: string },
): string {
  if (typeof given === "string") return given;
  const find = finder(states, (state) => read(state, given).name);
  for (let i = 0; i < states.length; i++) {
    const name = find(states.state(i));
    if (name !== undefined) return name;
  }
  return given.name;
}

/** Returns a reader that is undefined in states of modes without the object. Some state must have it. */
function finder<Found>(
  states: StateList,
  read: (state: NamedBodiesState) => Found,
): (state: NamedBodiesState) => Found | undefined {
  const find = (state: NamedBodiesState) => {
    try {
      return read(state);
    } catch {
      return undefined;
    }
  };
  for (let i = 0; i < states.length; i++) if (find(states.state(i))) return find;
  // Nowhere: the error lists the names.
  return read;
}

/** Reads a vector from each state: one column for each of its components. */
function vectors(states: StateList, read: (state: NamedBodiesState) => Numbers): Float64Array[] {
  const columns: Float64Array[] = [];
  for (let i = 0; i < states.length; i++) {
    read(states.state(i)).forEach((value, k) => {
      columns[k] ??= new Float64Array(states.length);
      (columns[k] as Float64Array)[i] = value;
    });
  }
  return columns;
}

/** Returns an object whose properties are computed when they are first read. */
function lazy<R extends object>(find: { readonly [K in keyof R]: () => R[K] }): R {
  const cache = new Map<string, unknown>();
  return new Proxy({} as R, {
    get(_, key) {
      if (typeof key !== "string" || !(key in find)) return undefined;
      if (!cache.has(key)) cache.set(key, find[key as keyof R]());
      return cache.get(key);
    },
    has: (_, key) => key in find,
    ownKeys: () => Object.keys(find),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}
