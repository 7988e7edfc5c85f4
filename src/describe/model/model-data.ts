// A model as plain data: what `compile` reads. Recipes in joints/ and forces/ write it, the user
// never sees it.

import type { ForceKind, RowKind, SensorKind } from "../../../assembly/layout-bodies.js";
import type { Matrix, Quaternion, Vector } from "../../ground/algebra/vectors.js";

export type { Matrix, Quaternion, Vector };

/** The number of the ground among bodies. */
export const GROUND = -1;

/** A shape as plain data: what it was made from. */
export type ShapeDescription =
  | { readonly type: "box"; readonly x: number; readonly y: number; readonly z: number }
  | { readonly type: "rod"; readonly length: number; readonly axis?: Vector }
  | {
      readonly type: "cylinder";
      readonly radius: number;
      readonly length: number;
      readonly axis?: Vector;
    }
  | { readonly type: "sphere"; readonly radius: number; readonly shell?: boolean };

export interface BodyData {
  readonly name: string;
  readonly mass: number;
  /** About the centre of mass, in the body's axes, 3 x 3. */
  readonly inertia: Matrix;
  /** Centre of mass in the body's frame. */
  readonly centre: Vector;
  /** Origin of the body's frame in the world. */
  readonly position: Vector;
  /** Unit, body to world. */
  readonly orientation: Quaternion;
  /** Of the origin, in the world. Undefined: not given, follows from the joints. */
  readonly velocity: Vector | undefined;
  /** In the world. Undefined: not given. */
  readonly angularVelocity: Vector | undefined;
  /** Around the centre of mass, in the body's axes; undefined if its inertia was given. */
  readonly shape: ShapeDescription | undefined;
}

/** A point and a frame fixed to a body, in the body's frame (origin, not centre of mass). */
export interface MarkerData {
  readonly name: string;
  readonly body: number;
  readonly point: Vector;
  /** x, y, z of the marker in the body's axes: orthonormal, right-handed. */
  readonly axes: Matrix;
}

/** A function of time with the derivatives it knows; others are found by differences. */
export interface Drive {
  readonly value: (t: number) => number;
  readonly rate?: ((t: number) => number) | undefined;
  readonly acceleration?: ((t: number) => number) | undefined;
}

export interface SensorData {
  readonly kind: SensorKind;
  /** Markers. */
  readonly a: number;
  readonly b: number;
  /** The joint or force that asked for it. */
  readonly owner: string;
}

/** Kinds of rows that recipes make. Rows of the user have functions in place of a kind. */
export type PrimitiveKind = Exclude<RowKind, RowKind.USER>;

/** One primitive. */
export interface RowData {
  /** Of each row: "axial", "tilt 1". */
  readonly names: readonly string[];
  readonly kind: PrimitiveKind;
  /** Markers; for COUPLE sensors. */
  readonly a: number;
  readonly b: number;
  readonly axisA: number;
  readonly axisB: number;
  /** Constants behind the prescribed value, as the kind wants them. */
  readonly constants: readonly number[];
  /**
   * The prescribed value, if the kind has one: a constant, or a function of time. Undefined for COUPLE:
   * what the assembled start has is held.
   */
  readonly prescribed?: number | Drive | undefined;
  /** What the multiplier is: a force, or a torque. For the default compliance. */
  readonly unit: "force" | "torque";
}

/** Rows of the user: functions of the poses of some bodies. */
export interface UserRows {
  readonly names: readonly string[];
  /** Bodies, not the ground, in the order the functions get them. */
  readonly bodies: readonly number[];
  readonly value: UserRowFunction;
  readonly unit: "force" | "torque";
}

/** Writes the value of each row; `out` may be returned instead. */
export type UserRowFunction = (
  poses: readonly BodyPose[],
  out: Float64Array,
  t: number,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => void | ArrayLike<number>;

/** A body as user functions see it: views that are overwritten by the next evaluation. */
export interface BodyPose {
  /** Origin of the body's frame. */
  readonly position: Float64Array;
  /** Unit Euler parameters. */
  readonly orientation: Float64Array;
  /** 3 x 3 by columns, body to world. */
  readonly rotation: Float64Array;
}

export interface BodyMotion extends BodyPose {
  /** Of the origin, world. */
  readonly velocity: Float64Array;
  /** World. */
  readonly angularVelocity: Float64Array;
}

/** Rows on the same bodies that are eliminated together: a joint has one, or two if it also rolls. */
export interface BlockData {
  readonly holonomic: boolean;
  readonly rows: readonly RowData[];
  readonly user?: UserRows | undefined;
}

export interface JointData {
  readonly name: string;
  /** The recipe: "revolute". */
  readonly type: string;
  /** Where the reaction is told, and in whose axes: markers. Those of the user's own rows: none. */
  readonly markers: readonly [number, number] | undefined;
  readonly blocks: readonly BlockData[];
  /** It prescribes a motion, and does work. */
  readonly isDrive: boolean;
  /** Sensors the joint offers: "angle", "displacement", "length". */
  readonly sensors: Readonly<Record<string, number>>;
  /** Compliance for each row name, where the user gives it. */
  readonly compliance?: Readonly<Record<string, number>> | undefined;
}

/** What a law is told: markers in the world, before forces are evaluated. */
export interface MarkerMotion {
  readonly point: Float64Array;
  readonly velocity: Float64Array;
  /** Of its body, world. */
  readonly angularVelocity: Float64Array;
  /** 3 x 3 by columns. */
  readonly axes: Float64Array;
}

export interface ForceData {
  readonly name: string;
  readonly type: string;
  readonly kind: ForceKind;
  /** Markers; for SENSOR_SPRING a is a sensor. -1 where there is none. */
  readonly a: number;
  readonly b: number;
  readonly flag: number;
  readonly constants: readonly number[];
  /**
   * Before each evaluation: writes into the constants. `motion` are the markers a and b (of a sensor: those of
   * the sensor), `measured` are value and rate of the sensor, or length and its rate for SPRING.
   */
  readonly update?: ForceUpdate | undefined;
  /** What else implicit methods need of such a law: called after `update`, and only for them. */
  readonly derive?: ForceUpdate | undefined;
}

export type ForceUpdate = (
  constants: Float64Array,
  motion: readonly MarkerMotion[],
  measured: Float64Array,
  t: number,
) => void;

/** A force of the user on some bodies. */
export interface UserForceData {
  readonly name: string;
  readonly bodies: readonly number[];
  /** Adds to forces (world, at the origin of the body's frame) and torques (world) of each body. */
  readonly apply: (
    motions: readonly BodyMotion[],
    loads: readonly { readonly force: Float64Array; readonly torque: Float64Array }[],
    t: number,
  ) => void;
}

export interface ModelData {
  readonly name: string;
  readonly gravity: Vector;
  readonly bodies: readonly BodyData[];
  readonly markers: readonly MarkerData[];
  readonly sensors: readonly SensorData[];
  readonly joints: readonly JointData[];
  readonly forces: readonly ForceData[];
  readonly userForces: readonly UserForceData[];
}
