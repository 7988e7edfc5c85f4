// Plots of a mechanism.

import type { BodyState, ModelData } from "../../bodies.js";
import type { Dimension } from "../../files/functions/quantities.js";
import { isTorqueOfRotations } from "../../model/kinds.js";
import type { Curve, PlotRequest } from "./plot-maker.js";

/** Quantities that a report of a mechanism can plot. */
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

export type PlottedQuantity = (typeof BODY_QUANTITIES)[number];

type BodyPlot = PlotRequest<BodyState>;
type UnitFor = (dimension: Dimension) => string;

/** Returns the default quantities: motion of joints, or of bodies if no joint measures it; loads, energy, constraints. */
export function usualQuantities(data: ModelData): readonly PlottedQuantity[] {
  const measures = data.joints.some(
    ({ sensors }) => "angle" in sensors || "displacement" in sensors,
  );
  const motion = measures ? (["angles", "displacements"] as const) : (["heights"] as const);
  return [...motion, "reactions", "drives", "energy", "constraints"];
}

/** Returns the plots of a quantity; none if the mechanism does not have it. */
export function bodyPlots(
  quantity: PlottedQuantity,
  data: ModelData,
  unit: UnitFor,
): readonly BodyPlot[] {
  return MAKERS[quantity](data, unit).filter(({ curves }) => curves.length > 0);
}

const size = (vector: readonly number[]) => Math.hypot(...vector);

const MAKERS: Readonly<
  Record<PlottedQuantity, (data: ModelData, unit: UnitFor) => readonly BodyPlot[]>
> = {
  angles: (data, unit) => [sensed(data, "angle", "Joint angles", unit("angle"))],
  displacements: (data, unit) => [
    sensed(data, "displacement", "Joint displacements", unit("length")),
  ],
  heights: (data, unit) => [heights(data, unit("length"))],
  speeds: ({ bodies }, unit) => [
    {
      title: "Body speeds",
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
  // Forces that act on an angle (torsion springs, motors, friction and stops of hinges) are shown as torques.
  forces: ({ forces, sensors }, unit) => [
    {
      title: "Forces of springs, tyres and loads",
      unit: unit("force"),
      curves: forces
        .filter((force) => !isTorqueOfRotations(force, sensors))
        .map(({ name }) => ({ name, read: (at) => size(at.force(name).force()) })),
    },
    {
      title: "Torques of springs and loads",
      unit: unit("torque"),
      curves: forces
        .filter((force) => isTorqueOfRotations(force, sensors))
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

/** Returns the plot of the largest violations on a logarithmic axis, bounded below by rounding. */
export function constraintPlot(): PlotRequest<
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

/** Returns the joints except drives, which act along the freedom of another joint. */
function held({ joints }: ModelData): readonly string[] {
  return joints.filter(({ markers, isDrive }) => markers && !isDrive).map(({ name }) => name);
}

/** Returns the plot of a measured quantity. A drive has no curve of its own if its joint measures the same. */
function sensed(
  { joints }: ModelData,
  what: "angle" | "displacement",
  title: string,
  unit: string,
): BodyPlot {
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

/** Values below this are zero: a locked joint is then plotted as at rest. */
const VALUE_TOLERANCE = 1e-14;

function withoutRounding(value: number): number {
  return Math.abs(value) < VALUE_TOLERANCE ? 0 : value;
}

function sameMarkers(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): boolean {
  return a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1];
}

function drives({ joints }: ModelData, type: string, title: string, unit: string): BodyPlot {
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

/** Returns the plot of heights along the axis of gravity, or along z without gravity. */
function heights({ gravity, bodies }: ModelData, unit: string): BodyPlot {
  const sizes = gravity.map(Math.abs);
  const largest = Math.max(...sizes);
  const axis = largest === 0 ? 2 : sizes.indexOf(largest);
  return {
    title: `${"xyz"[axis]} of ${bodies.length === 1 ? "the body" : "bodies"}`,
    unit,
    curves: bodies.map(({ name }) => ({ name, read: (at) => at.body(name).position[axis]! })),
  };
}
