// A model as plain data, the input of `compile`. It is internal: recipes in joints/ and forces/ write it.

import type { ForceKind, RowKind, SensorKind } from "../../assembly/layout-bodies.js";
import type { Matrix, Quaternion, Vector } from "../base/algebra/vectors.js";
import type { MeasuredFormula } from "./formula-data.js";
import type { Identity, MODEL_IDENTITY } from "./handles.js";
import type { QuantityReader } from "./quantity-reader.js";

export type { Matrix, Quaternion, Vector };

/** Body index of the ground. */
export const GROUND = -1;

/** A shape as plain data: its type and dimensions. */
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
  /** Inertia tensor about the centre of mass, in the body's axes, 3 x 3. */
  readonly inertia: Matrix;
  /** Centre of mass in the body's frame. */
  readonly centre: Vector;
  /** Origin of the body's frame in the world. */
  readonly position: Vector;
  /** Unit quaternion, body to world. */
  readonly orientation: Quaternion;
  /** Velocity of the origin in the world. If undefined, it follows from the joints. */
  readonly velocity: Vector | undefined;
  /** Angular velocity in the world. If undefined, it follows from the joints. */
  readonly angularVelocity: Vector | undefined;
  /** Shape around the centre of mass, in the body's axes; undefined if the inertia was given. */
  readonly shape: ShapeDescription | undefined;
  /** Names of the states it carries, for auxiliary bodies only (systems/bodies/plan/carriers.ts). */
  readonly states?: readonly string[] | undefined;
  /** Whether it carries rotors of motors, which have energy. */
  readonly isRotor?: boolean | undefined;
}

/** A point and a frame fixed to a body, in the body's frame (origin, not centre of mass). */
export interface MarkerData {
  /** Name in messages. */
  readonly name: string;
  /** Index of its body; {@link GROUND} for the ground. */
  readonly body: number;
  /** Its origin. */
  readonly point: Vector;
  /** x, y and z axes of the marker in the body's axes: orthonormal, right-handed. */
  readonly axes: Matrix;
  /** It belongs to a locked coordinate. */
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
  /** Values of the parameters in it, if it is a formula; other values make another function. */
  readonly parameters?: readonly number[] | undefined;
}

/** A quantity measured between two markers: an angle, a displacement, a length. */
export interface SensorData {
  /** The measured quantity. */
  readonly kind: SensorKind;
  /** The first marker. */
  readonly a: number;
  /** The second marker. */
  readonly b: number;
  /** The joint or force that owns it. */
  readonly owner: string;
}

/** Kinds of rows that recipes create. User rows have functions instead of a kind. */
export type PrimitiveKind = Exclude<RowKind, RowKind.USER>;

/** One primitive. */
export interface RowData {
  /** Names of the rows: "axial", "tilt 1". */
  readonly names: readonly string[];
  /** The primitive. */
  readonly kind: PrimitiveKind;
  /** The first marker; for COUPLE, a sensor. */
  readonly a: number;
  /** The second marker or sensor. */
  readonly b: number;
  /** The axis of marker a that the kind uses. */
  readonly axisA: number;
  /** The axis of marker b that the kind uses. */
  readonly axisB: number;
  /** Constants after the prescribed value, in the order of the kind. */
  readonly constants: readonly number[];
  /**
   * The prescribed value, if the kind has one: a constant, or a function of time. Undefined for COUPLE: the value of
   * the assembled initial state is held.
   */
  readonly prescribed?: number | Drive | undefined;
  /** Unit of the multiplier, which decides the default compliance. */
  readonly unit: "force" | "torque";
}

/** User rows: functions of the poses of some bodies. */
export interface UserRows {
  /** Names of the rows. */
  readonly names: readonly string[];
  /** Bodies, not the ground, in the order the functions get them. */
  readonly bodies: readonly number[];
  /** Computes the values of the rows, unless formulas do. */
  readonly value?: UserRowFunction | undefined;
  /** One formula for each row, instead of a function. Formulas of rows on velocities are the rates themselves. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Whether these are rows on velocities whose Jacobian depends on velocities. */
  readonly areNonlinear?: boolean | undefined;
  /** Unit of the multipliers. */
  readonly unit: "force" | "torque";
}

/** Writes the value of each row; `out` may be returned instead. */
export type UserRowFunction = (
  poses: readonly BodyPose[],
  out: Float64Array,
  t: number,
  // biome-ignore lint/suspicious/noConfusingVoidType: what a function that only writes returns is void
) => void | ArrayLike<number>;

/** Pose of a body passed to user functions: views that the next evaluation overwrites. */
export interface BodyPose {
  /** Origin of the body's frame. */
  readonly position: Float64Array;
  /** Unit Euler parameters. */
  readonly orientation: Float64Array;
  /** Rotation matrix, 3 x 3 column-major, body to world. */
  readonly rotation: Float64Array;
}

/** Pose and velocities of a body passed to user forces. */
export interface BodyMotion extends BodyPose {
  /** Velocity of the origin, world. */
  readonly velocity: Float64Array;
  /** Angular velocity, world. */
  readonly angularVelocity: Float64Array;
}

/** Rows on the same bodies that are eliminated together: a joint has one, or two if it also rolls. */
export interface BlockData {
  /** Whether the rows are on positions, not on velocities. */
  readonly holonomic: boolean;
  /** Its primitives. */
  readonly rows: readonly RowData[];
  /** User rows, instead of primitives. */
  readonly user?: UserRows | undefined;
}

/** Symbols of joints in drawings. */
export type JointSymbol =
  | "pin"
  | "ball"
  | "cross"
  | "block"
  | "sleeve"
  | "thread"
  | "plate"
  | "rods"
  | "weld"
  | "blade"
  | "foot";

/** Appearance of a joint in reports and views. */
export interface JointAppearance {
  /** Symbol drawn at the joint. */
  readonly symbol?: JointSymbol;
  /** Line drawn from one marker to the other. */
  readonly line?: "bar" | "actuator";
  /** Sides whose links extend to their marker; on other sides the marker defines a line or a plane. */
  readonly attaches: "both" | "second" | "neither";
  /** Whether the joint slides along the axis of one side, on a rail. */
  readonly slides?: true;
  /** Whether a joint at the ground has a base there. */
  readonly stands?: true;
  /** Whether its axis may be the axle of a wheel. */
  readonly isAxle?: true;
  /** "normal": its axis is the normal of a planar mechanism; "leaves": mechanisms with it are not planar. */
  readonly plane?: "normal" | "leaves";
  /** Shape that rolls on the plane of the first marker. */
  readonly rolls?: "disk" | "ball";
  /** Pitch circles to draw: of two gears, or of the pinion only. */
  readonly meshes?: "gears" | "pinion";
}

/** Appearance of a force in reports and views. Wheels and roads of tyres are drawn as such. */
export interface ForceAppearance {
  readonly symbol?: "load" | "spring" | "spiral" | "bushing" | "motor";
  /** Sides whose links extend to their marker. */
  readonly attaches: JointAppearance["attaches"];
}

/** Returns the appearance of a joint; those that hold coordinates at run time are not drawn. */
export function appearanceOf({ appearance = UNDRAWN }: JointData): JointAppearance {
  return appearance;
}

const UNDRAWN: JointAppearance = { attaches: "neither" };

/** A joint, a drive or the user's own constraint. */
export interface JointData {
  /** Name in messages and readings. */
  readonly name: string;
  /** The recipe: "revolute". */
  readonly type: string;
  /** Markers at which, and in whose axes, the reaction is reported; undefined for user rows. */
  readonly markers: readonly [number, number] | undefined;
  /** Its rows. */
  readonly blocks: readonly BlockData[];
  /** Whether it prescribes a motion, and so does work. */
  readonly isDrive: boolean;
  /** Whether it holds a coordinate that is locked or rests at a stop at run time. */
  readonly holds?: true | undefined;
  /** Sensors the joint offers: "angle", "displacement", "length". */
  readonly sensors: Readonly<Record<string, number>>;
  /** Compliance by row name, as far as the user gave it. */
  readonly compliance?: Readonly<Record<string, number>> | undefined;
  readonly appearance?: JointAppearance;
}

/** Motion of a marker in the world, passed to force laws. */
export interface MarkerMotion {
  /** Its origin, world. */
  readonly point: Float64Array;
  /** Velocity of its origin, world. */
  readonly velocity: Float64Array;
  /** Angular velocity of its body, world. */
  readonly angularVelocity: Float64Array;
  /** Axes of the marker, 3 x 3 column-major, marker to world. */
  readonly axes: Float64Array;
}

/** A force with one of the laws of the kernels. */
export interface ForceData {
  /** Name in messages. */
  readonly name: string;
  /** The recipe: "spring". */
  readonly type: string;
  readonly appearance: ForceAppearance;
  /** The law. */
  readonly kind: ForceKind;
  /** The first marker, or the sensor for laws that act on one; -1 if absent. */
  readonly a: number;
  /** The second marker; -1 if absent. */
  readonly b: number;
  /** Variant of the law; its meaning depends on the kind. */
  readonly flag: number;
  /** Constants of the law, in the order of the kind. */
  readonly constants: readonly number[];
  /**
   * Writes the constants before each evaluation. `motion` holds the markers a and b (the markers of the sensor, if a
   * is one). `measured` holds the value and rate of the sensor, or the length and its rate for SPRING.
   */
  readonly update?: ForceUpdate | undefined;
  /** Writes the further constants that implicit methods need; called after `update`, for these methods only. */
  readonly derive?: ForceUpdate | undefined;
  /** Constants given by formulas, instead of `update`. Their derivatives are derived from the formulas. */
  readonly formulas?: readonly ConstantFormula[] | undefined;
  /** Its function reads the mechanism. */
  readonly reads?: boolean | undefined;
  /** Name of the joint whose reaction multiplies FRICTION. */
  readonly reaction?: string | undefined;
  /** Inertia of a geared rotor, reduced to its sensor. */
  readonly rotor?: number | undefined;
}

/** A formula that writes one of the constants of a law. */
export interface ConstantFormula {
  /** Index of the constant. */
  readonly slot: number;
  /** Formula of the constant. */
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

/** A user force on some bodies. */
export interface UserForceData {
  /** Name in messages. */
  readonly name: string;
  /** Indices of the bodies, in the order in which `apply` receives them. */
  readonly bodies: readonly number[];
  /** Adds to forces (world, at the origin of the body's frame) and torques (world) of each body. */
  readonly apply?: UserForceFunction | undefined;
  /** Formulas instead of a function: force and torque of each body, six per body. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Its function reads the mechanism. */
  readonly reads?: boolean | undefined;
}

/** Adds to forces and torques of bodies. A function that `reads` must be given the reader. */
export type UserForceFunction = (
  motions: readonly BodyMotion[],
  loads: readonly { readonly force: Float64Array; readonly torque: Float64Array }[],
  t: number,
  read?: QuantityReader,
) => void;

/** Unknowns in addition to the motion: y' = f(t, y, measurements). */
export interface StateSetData {
  /** Name in messages and readings. */
  readonly name: string;
  /** Names of the unknowns. */
  readonly names: readonly string[];
  /** Initial values of the unknowns. */
  readonly start: readonly number[];
  /** Writes the rates of all unknowns. */
  readonly rates: StateRates;
  /** The rates as formulas with derivatives, if all rates are formulas of the motion and of states. */
  readonly formulas?: readonly MeasuredFormula[] | undefined;
  /** Constants of the rates, if a force of the model has added the states. */
  readonly constants?: readonly number[] | undefined;
  /** Whether the states belong to the force of the same name. */
  readonly isOfForce?: boolean | undefined;
}

/** Writes y' for y. Both are views that the next evaluation overwrites. */
export type StateRates = (
  t: number,
  y: Float64Array,
  read: QuantityReader,
  out: Float64Array,
) => void;

/** Force constants that depend on controller outputs. */
export interface ControllerParameterData {
  /** The outputs, each with the index of its controller. */
  readonly outputs: readonly { readonly controller: number; readonly output: number }[];
  /** Returns the constants of all forces by name, for given values of these outputs. */
  constants(values: ArrayLike<number>): ReadonlyMap<string, readonly number[]>;
}

/** A sampled controller. */
export interface ControllerData {
  /** Outputs that set parameters: the index of the output and the name of the parameter. */
  readonly sets?: readonly { readonly output: number; readonly parameter: string }[];
  /** Name in messages and readings. */
  readonly name: string;
  /** Sample period in seconds. */
  readonly every: number;
  /** Offset of the samples from multiples of the period, in seconds. */
  readonly offset: number;
  /** Delay in seconds until the outputs take effect. */
  readonly delay: number;
  /** Names of the outputs. */
  readonly outputs: readonly string[];
  /** Values of the outputs until those of the first sample take effect. */
  readonly start: readonly number[];
  /** Names of the values stored from sample to sample. */
  readonly memory: readonly string[];
  /** Initial values of the memory. */
  readonly memoryStart: readonly number[];
  /** Writes the outputs and the memory. */
  readonly sample: (
    t: number,
    read: QuantityReader,
    memory: Float64Array,
    out: Float64Array,
  ) => void;
}

/** A model as plain data. Bodies, markers and sensors are referred to by their indices in these lists. */
export interface ModelData {
  /** @internal The model whose handles name parts of it. */
  readonly [MODEL_IDENTITY]?: Identity | undefined;
  /** Name of the model. */
  readonly name: string;
  /** Acceleration of gravity in the world. */
  readonly gravity: Vector;
  /** All bodies except the ground. */
  readonly bodies: readonly BodyData[];
  /** All markers. */
  readonly markers: readonly MarkerData[];
  /** All sensors. */
  readonly sensors: readonly SensorData[];
  /** All joints, drives and constraints. */
  readonly joints: readonly JointData[];
  /** All forces with laws of the kernels. */
  readonly forces: readonly ForceData[];
  /** All user forces. */
  readonly userForces: readonly UserForceData[];
  /** All states. */
  readonly states: readonly StateSetData[];
  /** All sampled controllers. */
  readonly controllers: readonly ControllerData[];
  /** Force constants that depend on parameters set by controllers. */
  readonly driven?: ControllerParameterData;
}
