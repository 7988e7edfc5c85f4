// Which options of joints and forces are references to other entries, and which are functions. Everything else
// is written in files as it is given to the model.

/** Options that name a body, the ground, or a marker of one. */
export const ENDS: ReadonlySet<string> = new Set(["body", "on", "wheel", "road"]);
/** Options that name a joint. */
export const JOINTS: ReadonlySet<string> = new Set(["joint", "pinion", "rack"]);
/** Options that are two of these. */
export const END_PAIR = "between";
export const JOINT_PAIR = "joints";
/** A plane of a body, or a marker. */
export const PLANE = "plane";

/** What a function is a function of. */
export type FunctionRole = "time" | "length" | "angle" | "load" | "road";

/** Functions by type of the entry and name of the option. */
const FUNCTIONS: Readonly<Record<string, FunctionRole>> = {
  "driveAngle.angle": "time",
  "driveDisplacement.displacement": "time",
  "driveLength.length": "time",
  "spring.force": "length",
  "torsionSpring.torque": "angle",
  "pointForce.force": "load",
  "torque.torque": "load",
  "tyre.height": "road",
};

export function functionRole(type: string, option: string): FunctionRole | undefined {
  return FUNCTIONS[`${type}.${option}`];
}

/** The slope of a road follows from its height, and is not written. */
export const HEIGHT = "height";
export const SLOPE = "slope";
