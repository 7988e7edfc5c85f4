import type { State } from "../../../seam/index.js";

/** Three or four numbers read from a body or joint. */
type Numbers = readonly number[];

/** What the columns of a body are read from. */
interface BodyLike {
  readonly position: Numbers;
  readonly orientation: Numbers;
  readonly velocity: Numbers;
  readonly angularVelocity: Numbers;
  readonly acceleration: Numbers;
}

/** What the columns of a joint are read from. */
interface JointLike {
  force(): Numbers;
  torque(): Numbers;
  readonly angle: number | undefined;
  readonly displacement: number | undefined;
  readonly length: number | undefined;
  readonly driveForce: number | undefined;
  readonly multipliers: Readonly<Record<string, number>>;
}

/** What the columns of a force are read from. */
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
  body(name: string): BodyLike;
  joint(name: string): JointLike;
  force(name: string): ForceLike;
}

/** Columns by component: [x, y, z], or Euler parameters. */
export type Columns = readonly Float64Array[];

/** The motion of a body: each is found when it is first read. In the world; of the origin of its frame. */
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
 * Forces on the second body of a joint, in the world, and what the joint measures; undefined if it does not. In
 * modes without the joint forces are zero, and what it measures is NaN.
 */
export interface JointColumns {
  /** Force of the joint. */
  readonly force: Columns;
  /** Torque of the joint. */
  readonly torque: Columns;
  /** Angle, counted on beyond full turns. */
  readonly angle: Float64Array | undefined;
  /** Displacement along the axis. */
  readonly displacement: Float64Array | undefined;
  /** Distance of its points. */
  readonly length: Float64Array | undefined;
  /** Of a drive: its force or torque, with sign. */
  readonly driveForce: Float64Array | undefined;
  /** Multipliers by the names of its rows: what to read of the user's own rows that act on several bodies. */
  readonly multipliers: Readonly<Record<string, Float64Array>>;
}

/**
 * What a force does to its second body, in the world, and what it measures; undefined if it does not. In modes without the
 * force all is zero, and what it measures is NaN.
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
  /** Of a motor: its torque or force at the joint, with sign. */
  readonly driveForce: Float64Array | undefined;
  /** Power it gives to the bodies. */
  readonly power: Float64Array;
  /** Potential energy in its spring. */
  readonly energy: Float64Array;
}

/** The states that columns are read from. */
interface States {
  readonly length: number;
  state(index: number): NamedBodiesState;
}

export function bodyColumns(states: States, name: string): BodyColumns {
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

export function jointColumns(states: States, name: string): JointColumns {
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

export function forceColumns(states: States, name: string): ForceColumns {
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

/** Finds something in states, of which some may be of modes that do not have it; but not none of them. */
function finder<Found>(
  states: States,
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
  // Nowhere: the error says what there is.
  return read;
}

/** Reads a vector from each state: one column for each of its components. */
function vectors(states: States, read: (state: NamedBodiesState) => Numbers): Float64Array[] {
  const columns: Float64Array[] = [];
  for (let i = 0; i < states.length; i++) {
    read(states.state(i)).forEach((value, k) => {
      columns[k] ??= new Float64Array(states.length);
      (columns[k] as Float64Array)[i] = value;
    });
  }
  return columns;
}

/** Properties that are found when they are first read. */
function lazy<R extends object>(find: { readonly [K in keyof R]: () => R[K] }): R {
  const known = new Map<string, unknown>();
  return new Proxy({} as R, {
    get(_, key) {
      if (typeof key !== "string" || !(key in find)) return undefined;
      if (!known.has(key)) known.set(key, find[key as keyof R]());
      return known.get(key);
    },
    has: (_, key) => key in find,
    ownKeys: () => Object.keys(find),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}
