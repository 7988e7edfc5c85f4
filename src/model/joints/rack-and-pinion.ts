import type { Joint } from "../handles.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { coupled, holonomic } from "./rows.js";

/** Options of `rackAndPinion`. */
export interface RackAndPinionOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A joint that has an angle, such as revolute. */
  readonly pinion: Joint | string;
  /** A joint that has a displacement, such as prismatic. */
  readonly rack: Joint | string;
  /** Radius of the pinion in metres. Negative if the rack moves backwards when the pinion rotates forwards. */
  readonly radius: number;
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A rack and its pinion: the displacement of the rack is `radius` times the angle of the pinion, up to the initial
 * offset. One row, "mesh", radius angle - displacement, whose multiplier is the force on the teeth.
 *
 * @example
 * m.rackAndPinion({ pinion: steering, rack: slide, radius: 0.02 });
 */
export function rackAndPinion(options: RackAndPinionOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["pinion", "rack", "radius"], ["compliance"]);
  const angle = builder.sensorOf("pinion", options.pinion, "angle");
  const displacement = builder.sensorOf("rack", options.rack, "displacement");
  const radius = builder.finite("radius", options.radius);
  if (radius === 0) throw builder.error("radius is zero: the rack would not move at all");
  const mesh = coupled("mesh", [angle, displacement], [radius, -1], undefined, "force");
  return { markers: undefined, blocks: [holonomic(mesh)] };
}
