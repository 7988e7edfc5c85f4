// Plots of a mechanism: what an engineer would want first.

import type { BodyState, ModelData } from "../../../bodies.js";
import { isTorqueOfTurns } from "../../../describe/model/kinds.js";
import type { Dimension } from "../../files/functions/quantities.js";
import type { Curve, PlotWanted } from "./plot-maker.js";

/** What a report of a mechanism can plot. */
export const BODY_QUANTITIES = [
  "angles",
  "displacements",
  "heights",
  "speeds",
  "reactions",
  "torques",
  "drives",
  "forces",
  "energy",
  "constraints",
] as const;

export type BodyQuantity = (typeof BODY_QUANTITIES)[number];

type Wanted = PlotWanted<BodyState>;
type UnitFor = (dimension: Dimension) => string;

/** Without being asked: motion of joints, or of bodies where none measures any; loads, energy, constraints. */
export function usualQuantities(data: ModelData): readonly BodyQuantity[] {
  const measures = data.joints.some(
    ({ sensors }) => "angle" in sensors || "displacement" in sensors,
  );
  const motion = measures ? (["angles", "displacements"] as const) : (["heights"] as const);
  return [...motion, "reactions", "drives", "energy", "constraints"];
}

/** The plots of a quantity; none where the mechanism does not have it. */
export function bodyPlots(
  quantity: BodyQuantity,
  data: ModelData,
  unit: UnitFor,
): readonly Wanted[] {
  return MAKERS[quantity](data, unit).filter(({ curves }) => curves.length > 0);
}

const size = (vector: readonly number[]) => Math.hypot(...vector);

const MAKERS: Readonly<
  Record<BodyQuantity, (data: ModelData, unit: UnitFor) => readonly Wanted[]>
> = {
  angles: (data, unit) => [sensed(data, "angle", "Angles of joints", unit("angle"))],
  displacements: (data, unit) => [
    sensed(data, "displacement", "Displacements of joints", unit("length")),
  ],
  heights: (data, unit) => [heights(data, unit("length"))],
  speeds: ({ bodies }, unit) => [
    {
      title: "Speeds of bodies",
      unit: unit("velocity"),
      curves: bodies.map(({ name }) => ({
        name,
        read: (at) => size(at.body(name).centreVelocity),
      })),
    },
  ],
  reactions: (data, unit) => [
    {
      title: "Reaction forces",
      unit: unit("force"),
      curves: held(data).map((name) => ({ name, read: (at) => size(at.joint(name).force()) })),
    },
  ],
  torques: (data, unit) => [
    {
      title: "Reaction torques",
      unit: unit("torque"),
      curves: held(data).map((name) => ({ name, read: (at) => size(at.joint(name).torque()) })),
    },
  ],
  drives: (data, unit) => [
    drives(data, "driveAngle", "Torques of drives", unit("torque")),
    drives(data, "driveDisplacement", "Forces of drives", unit("force")),
    drives(data, "driveLength", "Forces of actuators", unit("force")),
  ],
  // What acts on an angle (a torsion spring, a motor, friction or a stop of a hinge) has no force: its torque is shown.
  forces: ({ forces, sensors }, unit) => [
    {
      title: "Forces of springs, tyres and loads",
      unit: unit("force"),
      curves: forces
        .filter((force) => !isTorqueOfTurns(force, sensors))
        .map(({ name }) => ({ name, read: (at) => size(at.force(name).force()) })),
    },
    {
      title: "Torques of springs and loads",
      unit: unit("torque"),
      curves: forces
        .filter((force) => isTorqueOfTurns(force, sensors))
        .map(({ name }) => ({ name, read: (at) => size(at.force(name).torque()) })),
    },
  ],
  energy: (_, unit) => [
    {
      title: "Energy",
      unit: unit("energy"),
      curves: (["kinetic", "potential", "total"] as const).map((part) => ({
        name: part,
        read: (at) => at.energy()[part],
      })),
    },
  ],
  constraints: ({ joints }) => (joints.length === 0 ? [] : [constraintPlot()]),
};

/** Largest violations on a logarithmic axis, which has no place for zero: rounding is the least there is. */
export function constraintPlot(): PlotWanted<
  Pick<BodyState, "constraintError" | "time" | "q" | "v">
> {
  const floor = (value: number) => Math.max(value, 1e-17);
  return {
    title: "Constraint error",
    log: true,
    curves: [
      { name: "positions", read: (at) => floor(at.constraintError().position) },
      { name: "velocities", read: (at) => floor(at.constraintError().velocity) },
    ],
  };
}

/** Joints that hold something: a drive only turns or moves along what another joint leaves free. */
function held({ joints }: ModelData): readonly string[] {
  return joints.filter(({ markers, isDrive }) => markers && !isDrive).map(({ name }) => name);
}

/** A drive measures what its joint does: it has no line of its own, unless it drives no joint. */
function sensed(
  { joints }: ModelData,
  what: "angle" | "displacement",
  title: string,
  unit: string,
): Wanted {
  const measuring = joints.filter(({ sensors }) => Object.hasOwn(sensors, what));
  const first = measuring.filter(
    ({ isDrive, sensors, markers }) =>
      !isDrive ||
      !measuring.some(
        (other) =>
          !other.isDrive &&
          (other.sensors[what] === sensors[what] || sameMarkers(other.markers, markers)),
      ),
  );
  const curves = first.map(
    ({ name }): Curve<BodyState> => ({
      name,
      read: (at) => withoutRounding(at.joint(name)[what] ?? Number.NaN),
    }),
  );
  return { title, unit, curves };
}

/** Far below an atom: a joint that is locked stays where it is, and its plot shows that. */
const ROUNDING = 1e-14;

function withoutRounding(value: number): number {
  return Math.abs(value) < ROUNDING ? 0 : value;
}

function sameMarkers(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}

function drives({ joints }: ModelData, type: string, title: string, unit: string): Wanted {
  const curves = joints
    .filter((joint) => joint.isDrive && joint.type === type)
    .map(
      ({ name }): Curve<BodyState> => ({
        name,
        read: (at) => at.joint(name).driveForce ?? Number.NaN,
      }),
    );
  return { title, unit, curves };
}

/** Along the axis that gravity has, or z. */
function heights({ gravity, bodies }: ModelData, unit: string): Wanted {
  const sizes = gravity.map(Math.abs);
  const largest = Math.max(...sizes);
  const axis = largest === 0 ? 2 : sizes.indexOf(largest);
  return {
    title: `${"xyz"[axis]} of ${bodies.length === 1 ? "the body" : "bodies"}`,
    unit,
    curves: bodies.map(({ name }) => ({ name, read: (at) => at.body(name).position[axis]! })),
  };
}
