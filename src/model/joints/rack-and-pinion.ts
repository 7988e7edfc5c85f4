import { finite, needed } from "../../base/checking/index.js";
import type { Joint } from "../handles.js";
import { compliance, joint } from "../recipe-checker.js";
import type { JointOptions, JointType } from "./joint-builder.js";
import { coupled, holonomic } from "./rows.js";

/** Options of `rackAndPinion`. */
export interface RackAndPinionOptions extends JointOptions {
  /** A joint that has an angle, such as revolute. */
  readonly pinion: Joint | string;
  /** A joint that has a displacement, such as prismatic. */
  readonly rack: Joint | string;
  /** Radius of the pinion in metres. Negative if the rack moves backwards when the pinion rotates forwards. */
  readonly radius: number;
}

/**
 * A rack and its pinion: the displacement of the rack is `radius` times the angle of the pinion, up to the initial
 * offset. One row, "mesh", radius angle - displacement, whose multiplier is the force on the teeth.
 *
 * @example
 * m.rackAndPinion({ pinion: steering, rack: slide, radius: 0.02 });
 */
export const rackAndPinion: JointType<RackAndPinionOptions> = {
  options: { pinion: needed(joint), rack: needed(joint), radius: needed(finite), compliance },
  appearance: { attaches: "neither", meshes: "pinion" },
  rows(options, builder) {
    const angle = builder.sensorOf("pinion", options.pinion, "angle");
    const displacement = builder.sensorOf("rack", options.rack, "displacement");
    const { radius } = options;
    if (radius === 0) throw builder.error("radius is zero: the rack would not move at all");
    const mesh = coupled("mesh", [angle, displacement], [radius, -1], undefined, "force");
    return { markers: undefined, blocks: [holonomic(mesh)] };
  },
};
