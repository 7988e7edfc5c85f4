import { SensorKind } from "../../../assembly/layout-bodies.js";
import type { Joint } from "../handles.js";
import type { PointPairOptions } from "../markers.js";
import type { Compliance, DriveOption, DriveParts, JointBuilder } from "./joint-builder.js";
import { apart, coupled, holonomic } from "./rows.js";

/** Options of `driveAngle`. */
export interface DriveAngleOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A joint that has an angle. */
  readonly joint: Joint | string;
  /** Angle in radians: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly angle: DriveOption;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * Prescribes the angle of a joint. One row, "angle", whose multiplier is the motor torque. The angle is zero at the
 * given poses if the joint was made from bodies.
 *
 * @example
 * m.driveAngle({ joint: hinge, angle: (t) => 2 * Math.PI * t });
 */
export function driveAngle(options: DriveAngleOptions, builder: JointBuilder): DriveParts<"angle"> {
  builder.check(options, ["joint", "angle"], ["compliance"]);
  return driven(builder, options.joint, "angle", options.angle, "torque");
}

/** Options of `driveDisplacement`. */
export interface DriveDisplacementOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A joint that has a displacement. */
  readonly joint: Joint | string;
  /** In metres: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly displacement: DriveOption;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * Prescribes the displacement of a joint. One row, "displacement", whose multiplier is the actuator force.
 *
 * @example
 * m.driveDisplacement({ joint: slide, displacement: (t) => 0.1 * Math.sin(t) });
 */
export function driveDisplacement(
  options: DriveDisplacementOptions,
  builder: JointBuilder,
): DriveParts<"displacement"> {
  builder.check(options, ["joint", "displacement"], ["compliance"]);
  return driven(builder, options.joint, "displacement", options.displacement, "force");
}

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
export interface DriveLengthOptions extends PointPairOptions {
  /** In metres: a number to hold, a function of time, or { value, rate, acceleration }. */
  readonly length: DriveOption;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * Prescribes the distance of two points (a hydraulic cylinder or winch). One row, "length", whose value must stay
 * positive.
 *
 * @example
 * m.driveLength({ between: [boom, arm], atA: [1, 0, 1], atB: [2, 0, 1], length: (t) => 1 + 0.1 * t });
 */
export function driveLength(
  options: DriveLengthOptions,
  builder: JointBuilder,
): DriveParts<"length"> {
  builder.check(options, ["between", "length"], ["atA", "atB", "compliance"]);
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
}
