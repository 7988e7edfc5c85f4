// Joint coordinates given by users, by joint.

import { normalised } from "../../../base/algebra/vectors.js";
import {
  finite,
  isList,
  isRecord,
  locationOf,
  type OptionLocation,
  optionError,
  options,
  type Rule,
  recordOf,
  rule,
  type Shape,
  wrongValueError,
} from "../../../base/checking/index.js";
import { hint } from "../../../base/checking/values.js";
import type { ModelData } from "../../../model/model-data.js";
import type { PlannedNode, TreePlan } from "../../../systems/relative/plan/tree-plan.js";

/**
 * Position and velocity of a joint, by its coordinates. Omitted coordinates stay as they are, as far as joints that
 * close loops allow.
 */
export interface JointValue {
  /** Angle of a revolute, cylindrical, screw or planar joint in radians, full turns included. */
  readonly angle?: number;
  /** Rate of the angle in rad/s. */
  readonly angleRate?: number;
  /** Displacement of a prismatic or cylindrical joint. */
  readonly displacement?: number;
  readonly displacementRate?: number;
  /** Angles of a universal joint: about the axis on the first body, and about that on the second. */
  readonly angle1?: number;
  readonly angle1Rate?: number;
  readonly angle2?: number;
  readonly angle2Rate?: number;
  /** Displacements of a planar joint along x and y of its marker on the first body. */
  readonly displacementX?: number;
  readonly displacementXRate?: number;
  readonly displacementY?: number;
  readonly displacementYRate?: number;
  /** Euler parameters of a spherical joint, scalar first, as in `coordinates()` ("ball e0" to "ball e3"). */
  readonly orientation?: readonly number[];
  /** Angular velocity of a spherical joint, as in `coordinates()` ("ball w1" to "ball w3"). */
  readonly angularVelocity?: readonly number[];
}

/** Coordinates of some joints, by name. A number is the only coordinate of its joint. */
export type JointValues = Readonly<Record<string, number | JointValue>>;

const SHAPE: Shape<JointValue> = {
  angle: finite,
  angleRate: finite,
  displacement: finite,
  displacementRate: finite,
  angle1: finite,
  angle1Rate: finite,
  angle2: finite,
  angle2Rate: finite,
  displacementX: finite,
  displacementXRate: finite,
  displacementY: finite,
  displacementYRate: finite,
  orientation: rule<readonly number[]>(
    "four Euler parameters, scalar first",
    (value) => areNumbers(value, 4) && Math.hypot(...value) > 0,
  ),
  angularVelocity: rule<readonly number[]>("three numbers", (value) => areNumbers(value, 3)),
};

function areNumbers(value: unknown, count: number): value is readonly number[] {
  return isList(value) && value.length === count && Array.from(value).every(Number.isFinite);
}

const parts = options(SHAPE, "a number, or coordinates like { angle, angleRate }");
const value: Rule<number | JointValue> = {
  wants: parts.wants,
  read(given, location) {
    if (isRecord(given)) return parts.read(given, location);
    if (Number.isFinite(given)) return given as number;
    throw wrongValueError(location, given, parts.wants);
  },
};

/** Checks the shape of joint coordinates. */
export const jointValues: Rule<JointValues> = recordOf(
  value,
  "coordinates by joints, like { elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } }",
);

/** Throws if a joint is unknown. */
export function checkJoints(where: string, { joints }: ModelData, values: JointValues): void {
  const names = joints.map(({ name }) => name);
  for (const name of Object.keys(values)) {
    if (names.includes(name)) continue;
    throw optionError(
      locationOf(where, "DESCRIPTION", "joints"),
      `has no joint "${name}"${hint(name, names)}`,
    );
  }
}

/** A given coordinate. */
export interface GivenCoordinate {
  /** Index in q or v. */
  readonly index: number;
  /** Index in v. */
  readonly velocity: number;
  readonly isRate: boolean;
  /** One value, or those of a spherical joint: four in q, three in v. */
  readonly values: readonly number[];
}

/** Returns the tree coordinates of the given values. Every joint named is in the tree, or has no coordinates. */
export function givenCoordinates(
  where: string,
  model: ModelData,
  tree: TreePlan,
  values: JointValues,
): GivenCoordinate[] {
  return Object.entries(values).flatMap(([name, given]) => {
    const joint = model.joints.findIndex((each) => each.name === name);
    const location = locationOf(
      where,
      "DESCRIPTION",
      `joints: "${name}" (${model.joints[joint]!.type})`,
    );
    const slots = slotsOf(
      name,
      tree.nodes.filter((node) => node.joint === joint),
    );
    if (slots.size === 0) throw withoutCoordinates(location);
    const record = typeof given === "number" ? { [onlyOne(location, slots)]: given } : given;
    return Object.entries(record).map(([key, own]) => {
      const slot = slots.get(key);
      if (slot) return { ...slot, values: valuesOf(key, own) };
      throw optionError(location, `has no ${key}; it has ${[...slots.keys()].join(", ")}`);
    });
  });
}

type Slot = Omit<GivenCoordinate, "values">;

function valuesOf(key: string, given: number | readonly number[]): readonly number[] {
  if (typeof given === "number") return [given];
  return key === "orientation" ? normalised(given) : given;
}

/**
 * Returns the indices of each coordinate of a joint and its rate, by public name: "displacement x" is displacementX.
 */
function slotsOf(name: string, nodes: readonly PlannedNode[]): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  for (const { position, velocity, positionNames } of nodes) {
    // Single Euler parameters cannot be given.
    if (positionNames.length === 4) {
      slots.set("orientation", { index: position, velocity, isRate: false });
      slots.set("angularVelocity", { index: velocity, velocity, isRate: true });
    }
    if (positionNames.length !== 1) continue;
    const part = positionNames[0]!.slice(name.length + 1);
    const key = part.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase());
    slots.set(key, { index: position, velocity, isRate: false });
    slots.set(`${key}Rate`, { index: velocity, velocity, isRate: true });
  }
  return slots;
}

function onlyOne(location: OptionLocation, slots: ReadonlyMap<string, Slot>): string {
  const [first, , ...others] = slots.keys();
  if (first === "orientation") {
    throw optionError(location, "turns about all axes: give { orientation, angularVelocity }");
  }
  if (others.length === 0) return first!;
  const names = [...slots.keys()].filter((key) => !slots.get(key)!.isRate);
  throw optionError(
    location,
    `has ${names.length} coordinates: give { ${names.join(", ")} } instead of a number`,
  );
}

function withoutCoordinates(location: OptionLocation) {
  return optionError(
    location,
    "has no angle or displacement that can be given: give poses and velocities of its bodies",
  );
}
