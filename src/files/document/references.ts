// Lists the options of joints and forces that are references to other entries or functions. All other options
// are written to files unchanged. An option of a joint or force that is missing here does not compile.

import type { BodyOrMarker, ForceMethods, Joint, JointMethods, Model } from "../../bodies.js";

type Methods = JointMethods & ForceMethods & Pick<Model, "userForce">;
type Options = { readonly [Type in keyof Methods]-?: Required<Parameters<Methods[Type]>[0]> };

/** Names of options that are only handles of a kind, or names of such handles. */
type NamesOf<Value> = {
  [Type in keyof Options]: {
    [Name in keyof Options[Type] & string]: [Options[Type][Name]] extends [
      Value | string | undefined,
    ]
      ? [Extract<Options[Type][Name], Value>] extends [never]
        ? never
        : Name
      : never;
  }[keyof Options[Type] & string];
}[keyof Options];

/** Types and names of options that may be functions, such as "driveAngle.angle". */
type Functional = {
  [Type in keyof Options & string]: {
    [Name in keyof Options[Type] & string]: [
      Extract<Options[Type][Name], (...given: never) => unknown>,
    ] extends [never]
      ? never
      : `${Type}.${Name}`;
  }[keyof Options[Type] & string];
}[keyof Options & string];

const ends: Readonly<Record<NamesOf<BodyOrMarker>, true>> = {
  body: true,
  on: true,
  wheel: true,
  road: true,
};
const joints: Readonly<Record<NamesOf<Joint>, true>> = { joint: true, pinion: true, rack: true };

/** Options that name a body, the ground, or a marker of one. */
export const ENDS: ReadonlySet<string> = new Set(Object.keys(ends));
/** Options that name a joint. */
export const JOINTS: ReadonlySet<string> = new Set(Object.keys(joints));
/** Option that is a list of bodies. */
export const BODIES = "bodies";
/** Options that are pairs of ends or of joints. */
export const END_PAIR = "between";
export const JOINT_PAIR = "joints";
/** Option that names a plane of a body, or a marker. */
export const PLANE = "plane";

/** The arguments of a function. */
export type FunctionRole =
  | "time"
  | "live"
  | "length"
  | "angle"
  | "along"
  | "about"
  | "load"
  | "road"
  | "loads"
  | "rows";

/** Roles of functions by entry type and option name. The slope of a road follows from its height. */
const FUNCTIONS: Readonly<
  Record<
    | Exclude<Functional, "tyre.slope" | "userForce.apply">
    | "bushing.force"
    | "bushing.torque"
    | "userForce.loads",
    FunctionRole
  >
> = {
  "driveAngle.angle": "time",
  "driveDisplacement.displacement": "time",
  "driveLength.length": "time",
  "spring.force": "length",
  "torsionSpring.torque": "angle",
  "bushing.force": "along",
  "bushing.torque": "about",
  "pointForce.force": "load",
  "torque.torque": "load",
  "tyre.height": "road",
  "motor.target": "live",
  "motor.feedForward": "live",
  "userForce.loads": "loads",
  "constraint.value": "rows",
};

export function functionRole(type: string, option: string): FunctionRole | undefined {
  return (FUNCTIONS as Readonly<Record<string, FunctionRole>>)[`${type}.${option}`];
}

/** The slope of a road follows from its height and is not written. */
export const HEIGHT = "height";
export const SLOPE = "slope";
