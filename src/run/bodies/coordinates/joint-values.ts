// Joint coordinates that users give, by joints.

import type { ModelData } from "../../../describe/model/model-data.js";
import { hint } from "../../../describe/model/option-checks.js";
import { normalised } from "../../../ground/algebra/vectors.js";
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
} from "../../../ground/checking/index.js";
import type { PlannedNode, TreePlan } from "../../../systems/relative/plan/tree-plan.js";

/**
 * Where a joint is and how fast it moves, by its coordinates. What is not given stays as it is, as far as joints that close
 * loops allow.
 */
export interface JointValue {
  /** In radians, full turns included: of revolute, cylindrical, screw and planar joints. */
  readonly angle?: number;
  /** In rad/s. */
  readonly angleRate?: number;
  /** Of prismatic and cylindrical joints. */
  readonly displacement?: number;
  readonly displacementRate?: number;
  /** Of universal joints: about the axis on the first body, and about that on the second. */
  readonly angle1?: number;
  readonly angle1Rate?: number;
  readonly angle2?: number;
  readonly angle2Rate?: number;
  /** Of planar joints: along x and y of the joint's marker on the first body. */
  readonly displacementX?: number;
  readonly displacementXRate?: number;
  readonly displacementY?: number;
  readonly displacementYRate?: number;
  /** Of spherical joints: Euler parameters, scalar first, as `coordinates()` has them ("ball e0" to "ball e3"). */
  readonly orientation?: readonly number[];
  /** Of spherical joints, as `coordinates()` has it ("ball w1" to "ball w3"). */
  readonly angularVelocity?: readonly number[];
}

/** Coordinates of some joints, by their names. A number is the only coordinate of its joint. */
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
  read(given, place) {
    if (isRecord(given)) return parts.read(given, place);
    if (Number.isFinite(given)) return given as number;
    throw wrongValueError(place, given, parts.wants);
  },
};

/** Coordinates by joints. */
export const jointValues: Rule<JointValues> = recordOf(
  value,
  "coordinates by joints, like { elbow: 0.3, slider: { displacement: 0.1, displacementRate: 1 } }",
);

/** Checks that the joints are there. */
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

/** A coordinate that is given. */
export interface GivenCoordinate {
  /** Its number in q, or in v. */
  readonly place: number;
  /** Its number in v. */
  readonly velocity: number;
  readonly isRate: boolean;
  /** One, or those of a ball: four in q, three in v. */
  readonly values: readonly number[];
}

/** The coordinates of a tree that the values are. Every joint named is one of the tree, or has no coordinates at all. */
export function givenCoordinates(
  where: string,
  model: ModelData,
  tree: TreePlan,
  values: JointValues,
): GivenCoordinate[] {
  return Object.entries(values).flatMap(([name, given]) => {
    const joint = model.joints.findIndex((each) => each.name === name);
    const place = locationOf(
      where,
      "DESCRIPTION",
      `joints: "${name}" (${model.joints[joint]!.type})`,
    );
    const slots = slotsOf(
      name,
      tree.nodes.filter((node) => node.joint === joint),
    );
    if (slots.size === 0) throw withoutCoordinates(place);
    const record = typeof given === "number" ? { [onlyOne(place, slots)]: given } : given;
    return Object.entries(record).map(([key, own]) => {
      const slot = slots.get(key);
      if (slot) return { ...slot, values: valuesOf(key, own) };
      throw optionError(place, `has no ${key}; it has ${[...slots.keys()].join(", ")}`);
    });
  });
}

type Slot = Omit<GivenCoordinate, "values">;

function valuesOf(key: string, given: number | readonly number[]): readonly number[] {
  if (typeof given === "number") return [given];
  return key === "orientation" ? normalised(given) : given;
}

/** Where each coordinate of a joint and its rate are, by what users call them: "displacement x" is displacementX. */
function slotsOf(name: string, nodes: readonly PlannedNode[]): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  for (const { position, velocity, positionNames } of nodes) {
    // Euler parameters are no coordinates one by one.
    if (positionNames.length === 4) {
      slots.set("orientation", { place: position, velocity, isRate: false });
      slots.set("angularVelocity", { place: velocity, velocity, isRate: true });
    }
    if (positionNames.length !== 1) continue;
    const part = positionNames[0]!.slice(name.length + 1);
    const key = part.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase());
    slots.set(key, { place: position, velocity, isRate: false });
    slots.set(`${key}Rate`, { place: velocity, velocity, isRate: true });
  }
  return slots;
}

function onlyOne(place: OptionLocation, slots: ReadonlyMap<string, Slot>): string {
  const [first, , ...others] = slots.keys();
  if (first === "orientation") {
    throw optionError(place, "turns about all axes: give { orientation, angularVelocity }");
  }
  if (others.length === 0) return first!;
  const names = [...slots.keys()].filter((key) => !slots.get(key)!.isRate);
  throw optionError(
    place,
    `has ${names.length} coordinates: give { ${names.join(", ")} } instead of a number`,
  );
}

function withoutCoordinates(place: OptionLocation) {
  return optionError(
    place,
    "has no angle or displacement that can be given: give poses and velocities of its bodies",
  );
}
