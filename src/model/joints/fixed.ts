import { type FramedJointOptions, framed, type JointType } from "./joint-builder.js";
import { eitherWay, holonomic, level, noRotation, weld, X, Y, Z } from "./rows.js";

/** Options of `fixed`. */
export type FixedOptions = FramedJointOptions;

/**
 * A weld: no relative motion. Rows "x", "y", "z" keep the points together, along the axes of A; "turn x",
 * "turn y" and "turn z" keep the axes aligned. `at` and `axis` only determine where and in which axes the reaction is
 * reported. Default: at the origin of the second body, in the world axes at the poses given.
 *
 * @example
 * m.fixed({ between: [m.ground, base] });
 */
export const fixed: JointType<FixedOptions> = {
  options: framed,
  appearance: { symbol: "weld", attaches: "both", stands: true },
  tree: { ...eitherWay(weld), alignment: "axes" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options, { at: "optional", axis: "optional" });
    const together = [level("x", a, X, b), level("y", a, Y, b), level("z", a, Z, b)];
    return { markers: [a, b], blocks: [holonomic(...together, ...noRotation(a, b))] };
  },
};
