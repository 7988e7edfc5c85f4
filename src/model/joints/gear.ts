import { finite, needed } from "../../base/checking/index.js";
import type { Joint } from "../handles.js";
import { compliance, recipeOption } from "../recipe-checker.js";
import type { JointOptions, JointType } from "./joint-builder.js";
import { coupled, holonomic } from "./rows.js";

/** Options of `gear`. */
export interface GearOptions extends JointOptions {
  /** Two joints that have an angle, such as revolute or cylindrical. */
  readonly joints: readonly [Joint | string, Joint | string];
  /** Rotation of the second joint per rotation of the first; negative if they rotate in opposite directions. */
  readonly ratio: number;
}

/**
 * A pair of gears: the angle of the second joint is `ratio` times that of the first, up to the initial offset. One
 * row, "mesh", ratio angle1 - angle2, whose multiplier is the torque about the second axis.
 * Wheels with 20 and 40 teeth that touch from outside, axes parallel, have the ratio -20 / 40.
 *
 * @example
 * m.gear({ joints: [pinion, wheel], ratio: -20 / 40 });
 */
export const gear: JointType<GearOptions> = {
  options: {
    joints: needed(recipeOption("joints", "two joints that have an angle")),
    ratio: needed(finite),
    compliance,
  },
  appearance: { attaches: "neither", meshes: "gears" },
  rows(options, builder) {
    const { joints } = options;
    if (!Array.isArray(joints) || joints.length !== 2) {
      throw builder.error("joints must be two joints that have an angle");
    }
    const first = builder.sensorOf("joints[0]", joints[0], "angle");
    const second = builder.sensorOf("joints[1]", joints[1], "angle");
    if (first === second) throw builder.error("both joints are the same: give two different ones");
    const { ratio } = options;
    if (ratio === 0) throw builder.error("ratio must not be zero: the second joint would not turn");
    const mesh = coupled("mesh", [first, second], [ratio, -1], undefined, "torque");
    return { markers: undefined, blocks: [holonomic(mesh)] };
  },
};
