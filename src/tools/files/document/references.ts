// Which options of joints and forces are references to other entries, and which are functions. Everything else
// is written in files as it is given to the model. An option of a joint or force that is missing here does not compile.

import type { BodyOrMarker, ForceMethods, Joint, JointMethods, Model } from "../../../bodies.js";

type Methods = JointMethods & ForceMethods & Pick<Model, "userForce">;
type Options = { readonly [Type in keyof Methods]-?: Required<Parameters<Methods[Type]>[0]> };

/** Names of options that are handles of some kind, or their names, and nothing else. */
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

/** Types and names of options that may be functions: "driveAngle.angle". */
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
/** An option that is a list of bodies. */
export const BODIES = "bodies";
/** Options that are two of these. */
export const END_PAIR = "between";
export const JOINT_PAIR = "joints";
/** A plane of a body, or a marker. */
export const PLANE = "plane";

/** What a function is a function of. */
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

/** Functions by type of the entry and name of the option. The slope of a road follows from its height. */
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

/** The slope of a road follows from its height, and is not written. */
export const HEIGHT = "height";
export const SLOPE = "slope";
