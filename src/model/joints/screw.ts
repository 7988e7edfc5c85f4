import { SensorKind } from "../../../assembly/layout-bodies.js";
import { finite, needed } from "../../base/checking/index.js";
import type { FramePairOptions } from "../markers.js";
import { framed, type JointOptions, type JointParts, type JointType } from "./joint-builder.js";
import { alongAxis, coupled, holonomic, threaded, tilts, transverse } from "./rows.js";

/** Options of `screw`. */
export interface ScrewOptions extends FramePairOptions, JointOptions {
  /** Advance along the axis per revolution in metres, positive for a right-handed thread. */
  readonly pitch: number;
}

/**
 * A nut on a thread: a cylindrical joint whose displacement follows its angle, by `pitch` per revolution. The row
 * "thread", pitch / (2 pi) angle - displacement, keeps its initial value. It is in metres, so its multiplier is the
 * force along the axis.
 *
 * @example
 * m.screw({ between: [m.ground, spindle], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.005 });
 */
export const screw: JointType<ScrewOptions, JointParts<"angle" | "displacement">> = {
  options: { ...framed, pitch: needed(finite) },
  appearance: { symbol: "thread", attaches: "both", slides: true },
  tree: { ...alongAxis(threaded), alignment: "axis" },
  rows(options, builder) {
    const { pitch } = options;
    if (pitch === 0)
      throw builder.error("pitch is zero: a screw that does not advance is a revolute");
    const [a, b] = builder.markers.framePair(options);
    const angle = builder.sensor(SensorKind.ANGLE, a, b);
    const displacement = builder.sensor(SensorKind.DISPLACEMENT, a, b);
    const advance = pitch / (2 * Math.PI);
    const thread = coupled("thread", [angle, displacement], [advance, -1], undefined, "force");
    return {
      markers: [a, b],
      blocks: [holonomic(...transverse(a, b), ...tilts(a, b), thread)],
      sensors: { angle, displacement },
    };
  },
};
