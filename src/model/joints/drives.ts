import { SensorKind } from "../../../assembly/layout-bodies.js";
import { needed } from "../../base/checking/index.js";
import type { Joint } from "../handles.js";
import type { PointPairOptions } from "../markers.js";
import { compliance, joint, timeLaw } from "../recipe-checker.js";
import {
  type DriveOption,
  type DriveParts,
  type JointBuilder,
  type JointOptions,
  type JointType,
  pointPair,
} from "./joint-builder.js";
import { apart, coupled, holonomic } from "./rows.js";

/** Options of `driveAngle`. */
export interface DriveAngleOptions extends JointOptions {
  /** A joint that has an angle. */
  readonly joint: Joint | string;
  /** Angle in radians: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly angle: DriveOption;
}

/**
 * Prescribes the angle of a joint. One row, "angle", whose multiplier is the motor torque. The angle is zero at the
 * given poses if the joint was made from bodies.
 *
 * @example
 * m.driveAngle({ joint: hinge, angle: (t) => 2 * Math.PI * t });
 */
export const driveAngle: JointType<DriveAngleOptions, DriveParts<"angle">> = {
  options: { joint: needed(joint), angle: needed(timeLaw), compliance },
  appearance: { attaches: "both" },
  rows(options, builder) {
    return driven(builder, options.joint, "angle", options.angle, "torque");
  },
};

/** Options of `driveDisplacement`. */
export interface DriveDisplacementOptions extends JointOptions {
  /** A joint that has a displacement. */
  readonly joint: Joint | string;
  /** In metres: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly displacement: DriveOption;
}

/**
 * Prescribes the displacement of a joint. One row, "displacement", whose multiplier is the actuator force.
 *
 * @example
 * m.driveDisplacement({ joint: slide, displacement: (t) => 0.1 * Math.sin(t) });
 */
export const driveDisplacement: JointType<DriveDisplacementOptions, DriveParts<"displacement">> = {
  options: { joint: needed(joint), displacement: needed(timeLaw), compliance },
  appearance: { attaches: "both" },
  rows(options, builder) {
    return driven(builder, options.joint, "displacement", options.displacement, "force");
  },
};

/** Returns the row s = f(t) for one sensor of a joint. */
function driven<Measured extends "angle" | "displacement">(
  builder: JointBuilder,
  joint: Joint | string,
  sensor: Measured,
  value: DriveOption,
  unit: "force" | "torque",
): DriveParts<Measured> {
  const measured = builder.sensorOf("joint", joint, sensor);
  const prescribed = builder.drive(sensor, value);
  return {
    markers: builder.joint("joint", joint).markers,
    blocks: [holonomic(coupled(sensor, [measured, -1], [1, 0], prescribed, unit))],
    sensors: { [sensor]: measured } as Record<Measured, number>,
    isDrive: true,
  };
}

/** Options of `driveLength`. */
export interface DriveLengthOptions extends PointPairOptions, JointOptions {
  /** In metres: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly length: DriveOption;
}

/**
 * Prescribes the distance of two points (a hydraulic cylinder or winch). One row, "length", whose value must stay
 * positive.
 *
 * @example
 * m.driveLength({ between: [boom, arm], atA: [1, 0, 1], atB: [2, 0, 1], length: (t) => 1 + 0.1 * t });
 */
export const driveLength: JointType<DriveLengthOptions, DriveParts<"length">> = {
  options: { ...pointPair, length: needed(timeLaw), compliance },
  appearance: { line: "actuator", attaches: "both", stands: true },
  rows(options, builder) {
    const [a, b] = builder.markers.separatePoints(options, "use spherical, or move one of them");
    const length = builder.drive("length", options.length);
    const start = typeof length === "number" ? length : length.value(0);
    if (!(start > 0)) throw builder.error(`length must be positive, but is ${start} at t = 0`);
    return {
      markers: [a, b],
      blocks: [holonomic(apart(a, b, length, start))],
      sensors: { length: builder.sensor(SensorKind.LENGTH, a, b) },
      isDrive: true,
    };
  },
};
