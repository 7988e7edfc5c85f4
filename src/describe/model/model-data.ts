// A model as plain data: what `compile` reads. Recipes in joints/ and forces/ write it, the user
// never sees it.

import type { ForceKind, RowKind, SensorKind } from "../../../assembly/layout-bodies.js";
import type { Matrix, Quaternion, Vector } from "../../ground/algebra/vectors.js";
import type { MeasuredFormula } from "./formula-data.js";
import type { Identity, MODEL_IDENTITY } from "./handles.js";
import type { QuantityReader } from "./quantity-reader.js";

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

/** A rigid body. */
export interface BodyData {
  /** Name in messages and readings. */
  readonly name: string;
  /** Its mass. */
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
  /** Names of what it carries; bodies of users carry nothing (systems/bodies/plan/carriers.ts). */
  readonly states?: readonly string[] | undefined;
  /** What it carries are rotors of motors, which have energy. */
  readonly isRotor?: boolean | undefined;
}

/** A point and a frame fixed to a body, in the body's frame (origin, not centre of mass). */
export interface MarkerData {
  /** Name in messages. */
  readonly name: string;
  /** Number of its body; {@link GROUND} for the ground. */
  readonly body: number;
  /** Its origin. */
  readonly point: Vector;
  /** x, y, z of the marker in the body's axes: orthonormal, right-handed. */
  readonly axes: Matrix;
  /** It belongs to what is locked. */
  readonly holds?: true;
}

/** A function of time; derivatives not given are computed by finite differences. */
export interface Drive {
  /** The prescribed value. */
  readonly value: (t: number) => number;
  /** Its first derivative. */
  readonly rate?: ((t: number) => number) | undefined;
  /** Its second derivative. */
  readonly acceleration?: ((t: number) => number) | undefined;
  /** Values of the named numbers in it, if it is a formula: with others it is another function. */
  readonly parameters?: readonly number[] | undefined;
}

/** A quantity measured between two markers: an angle, a displacement, a length. */
export interface SensorData {
  /** What it measures. */
  readonly kind: SensorKind;
  /** Markers. */
  readonly a: number;
  /** The second marker. */
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
  /** The primitive. */
  readonly kind: PrimitiveKind;
  /** Markers; for COUPLE sensors. */
  readonly a: number;
  /** The second marker or sensor. */
  readonly b: number;
  /** Which axis of marker a the kind uses. */
  readonly axisA: number;
  /** Which axis of marker b the kind uses. */
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
  /** Names of the rows. */
  readonly names: readonly string[];
  /** Bodies, not the ground, in the order the functions get them. */
  readonly bodies: readonly number[];
  /** Computes the values of the rows, where formulas do not. */
  readonly value?: UserRowFunction | undefined;
  /** One for each row, in place of a function. Those on velocities are their rates themselves. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Rows on velocities whose Jacobian changes with velocities. */
  readonly areNonlinear?: boolean | undefined;
  /** What the multipliers are: forces, or torques. */
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

/** A body as user forces see it: its pose and velocities. */
export interface BodyMotion extends BodyPose {
  /** Of the origin, world. */
  readonly velocity: Float64Array;
  /** World. */
  readonly angularVelocity: Float64Array;
}

/** Rows on the same bodies that are eliminated together: a joint has one, or two if it also rolls. */
export interface BlockData {
  /** Rows on positions; else on velocities. */
  readonly holonomic: boolean;
  /** Its primitives. */
  readonly rows: readonly RowData[];
  /** Rows of the user, in place of primitives. */
  readonly user?: UserRows | undefined;
}

/** A joint, a drive or the user's own constraint. */
export interface JointData {
  /** Name in messages and readings. */
  readonly name: string;
  /** The recipe: "revolute". */
  readonly type: string;
  /** Where the reaction is told, and in whose axes: markers. Those of the user's own rows: none. */
  readonly markers: readonly [number, number] | undefined;
  /** Its rows. */
  readonly blocks: readonly BlockData[];
  /** It prescribes a motion, and does work. */
  readonly isDrive: boolean;
  /** It holds what is locked or rests at a stop, while a mechanism runs. */
  readonly holds?: true | undefined;
  /** Sensors the joint offers: "angle", "displacement", "length". */
  readonly sensors: Readonly<Record<string, number>>;
  /** Compliance for each row name, where the user gives it. */
  readonly compliance?: Readonly<Record<string, number>> | undefined;
}

/** Motion of a marker in the world, passed to force laws. */
export interface MarkerMotion {
  /** Its origin, world. */
  readonly point: Float64Array;
  /** Velocity of its origin, world. */
  readonly velocity: Float64Array;
  /** Of its body, world. */
  readonly angularVelocity: Float64Array;
  /** 3 x 3 by columns. */
  readonly axes: Float64Array;
}

/** A force by one of the laws of the kernels. */
export interface ForceData {
  /** Name in messages. */
  readonly name: string;
  /** The recipe: "spring". */
  readonly type: string;
  /** The law. */
  readonly kind: ForceKind;
  /** Markers; for SENSOR_SPRING a is a sensor. -1 where there is none. */
  readonly a: number;
  /** The second marker; -1 where there is none. */
  readonly b: number;
  /** A choice within the law, as the kind wants it. */
  readonly flag: number;
  /** Constants of the law, as the kind wants them. */
  readonly constants: readonly number[];
  /**
   * Before each evaluation: writes into the constants. `motion` are the markers a and b (of a sensor: those of
   * the sensor), `measured` are value and rate of the sensor, or length and its rate for SPRING.
   */
  readonly update?: ForceUpdate | undefined;
  /** What else implicit methods need of such a law: called after `update`, and only for them. */
  readonly derive?: ForceUpdate | undefined;
  /** Constants that are formulas, in place of `update`; their derivatives are found from them. */
  readonly formulas?: readonly ConstantFormula[] | undefined;
  /** Its function reads the mechanism. */
  readonly reads?: boolean | undefined;
  /** The joint whose reaction multiplies FRICTION: its name. */
  readonly reaction?: string | undefined;
  /** Inertia along its sensor, of a rotor behind a gear. */
  readonly rotor?: number | undefined;
}

/** A formula that writes one of the constants of a law. */
export interface ConstantFormula {
  /** Which constant. */
  readonly slot: number;
  /** What it is. */
  readonly formula: MeasuredFormula;
}

/** Writes the constants of a law from the motion of its markers, before forces are evaluated. */
export type ForceUpdate = (
  constants: Float64Array,
  motion: readonly MarkerMotion[],
  measured: Float64Array,
  t: number,
  read?: QuantityReader,
) => void;

/** A force of the user on some bodies. */
export interface UserForceData {
  /** Name in messages. */
  readonly name: string;
  /** Numbers of the bodies, in the order `apply` gets them. */
  readonly bodies: readonly number[];
  /** Adds to forces (world, at the origin of the body's frame) and torques (world) of each body. */
  readonly apply?: UserForceFunction | undefined;
  /** The same as formulas, in place of a function: force and torque of each body, six numbers. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Its function reads the mechanism. */
  readonly reads?: boolean | undefined;
}

/** Adds to forces and torques of bodies. One that `reads` must be given the reader. */
export type UserForceFunction = (
  motions: readonly BodyMotion[],
  loads: readonly { readonly force: Float64Array; readonly torque: Float64Array }[],
  t: number,
  read?: QuantityReader,
) => void;

/** Unknowns besides the motion: y' = f(t, y, what is measured). */
export interface StateSetData {
  /** Name in messages and readings. */
  readonly name: string;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  /** Their values at the start. */
  readonly start: readonly number[];
  /** Writes the rates of all of them. */
  readonly rates: StateRates;
  /** The same as formulas, where all are such and follow from the motion and from states: they have derivatives. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Numbers the rates are made from, where a force of the model has added them. */
  readonly constants?: readonly number[] | undefined;
  /** They belong to the force of the same name. */
  readonly isOfForce?: boolean | undefined;
}

/** Writes y' for y, both views that are overwritten by the next evaluation. */
export type StateRates = (
  t: number,
  y: Float64Array,
  read: QuantityReader,
  out: Float64Array,
) => void;

/** Constants of forces that follow outputs of controllers. */
export interface DrivenData {
  /** The outputs, by their controllers. */
  readonly outputs: readonly { readonly controller: number; readonly output: number }[];
  /** Constants of all forces by their names, for the values of these outputs. */
  constants(values: ArrayLike<number>): ReadonlyMap<string, readonly number[]>;
}

/** A controller that takes samples. */
export interface ControllerData {
  /** Outputs that set parameters: their places, and the names of the parameters. */
  readonly sets?: readonly { readonly output: number; readonly parameter: string }[];
  /** Name in messages and readings. */
  readonly name: string;
  /** Seconds from sample to sample. */
  readonly every: number;
  /** Seconds by which samples are late against multiples of that. */
  readonly offset: number;
  /** Seconds until outputs act. */
  readonly delay: number;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  /** What they are before the first sample acts. */
  readonly start: readonly number[];
  /** Names of what is kept from sample to sample. */
  readonly memory: readonly string[];
  /** Its values at the start. */
  readonly memoryStart: readonly number[];
  /** Writes the outputs, and the memory. */
  readonly sample: (
    t: number,
    read: QuantityReader,
    memory: Float64Array,
    out: Float64Array,
  ) => void;
}

/** A model as plain data. Bodies, markers and sensors are referred to by their place in these lists. */
export interface ModelData {
  /** @internal The model whose handles name parts of it. */
  readonly [MODEL_IDENTITY]?: Identity | undefined;
  /** Name of the model. */
  readonly name: string;
  /** Acceleration of gravity in the world. */
  readonly gravity: Vector;
  /** All bodies but the ground. */
  readonly bodies: readonly BodyData[];
  /** All markers. */
  readonly markers: readonly MarkerData[];
  /** All sensors. */
  readonly sensors: readonly SensorData[];
  /** All joints, drives and constraints. */
  readonly joints: readonly JointData[];
  /** All forces by laws of the kernels. */
  readonly forces: readonly ForceData[];
  /** All forces by functions of the user. */
  readonly userForces: readonly UserForceData[];
  /** All states. */
  readonly states: readonly StateSetData[];
  /** All controllers that take samples. */
  readonly controllers: readonly ControllerData[];
  /** What follows from parameters that controllers set. */
  readonly driven?: DrivenData;
}
