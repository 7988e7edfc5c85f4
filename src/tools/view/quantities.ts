// Numbers of bodies, joints and forces that are shown and plotted.

import type { Readings } from "./feed.js";
import type { Named } from "./picture.js";

export interface Quantity {
  readonly label: string;
  readonly unit: string;
  /** Undefined where the part does not have it. */
  readonly read: (readings: Readings, name: string) => number | undefined;
}

const size = (vector: readonly number[]) => Math.hypot(...vector);

export const QUANTITIES: Readonly<Record<Named["kind"], readonly Quantity[]>> = {
  body: [
    { label: "speed", unit: "m/s", read: (at, name) => size(at.body(name).centreVelocity) },
    ...(["x", "y", "z"] as const).map((axis, i) => ({
      label: axis,
      unit: "m",
      read: (at: Readings, name: string) => at.body(name).centreOfMass[i],
    })),
    {
      label: "angular speed",
      unit: "rad/s",
      read: (at, name) => size(at.body(name).angularVelocity),
    },
    { label: "kinetic energy", unit: "J", read: (at, name) => at.body(name).kineticEnergy },
  ],
  joint: [
    { label: "force", unit: "N", read: (at, name) => size(at.joint(name).force()) },
    { label: "torque", unit: "N m", read: (at, name) => size(at.joint(name).torque()) },
    { label: "angle", unit: "rad", read: (at, name) => at.joint(name).angle },
    { label: "displacement", unit: "m", read: (at, name) => at.joint(name).displacement },
    { label: "length", unit: "m", read: (at, name) => at.joint(name).length },
    { label: "drive", unit: "N or N m", read: (at, name) => at.joint(name).driveForce },
  ],
  force: [
    { label: "force", unit: "N", read: (at, name) => size(at.force(name).force()) },
    { label: "torque", unit: "N m", read: (at, name) => size(at.force(name).torque()) },
    { label: "length", unit: "m", read: (at, name) => at.force(name).length },
    { label: "power", unit: "W", read: (at, name) => at.force(name).power },
  ],
};

/** A number of a part; undefined where it is not there, or not now. */
export function numberOf(quantity: Quantity, readings: Readings, name: string): number | undefined {
  try {
    const value = quantity.read(readings, name);
    return value === undefined || Number.isNaN(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
