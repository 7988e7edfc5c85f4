import { needed } from "../../base/checking/index.js";
import type { FramePairOptions } from "../markers.js";
import { compliance, ends, vector } from "../recipe-checker.js";
import type { JointOptions, JointType } from "./joint-builder.js";
import { ball, coincide, eitherWay, holonomic } from "./rows.js";

/** Options of `spherical`. */
export interface SphericalOptions extends Omit<FramePairOptions, "axis">, JointOptions {}

/**
 * A ball and socket: the points stay together and all rotations are free. Rows "x", "y" and "z" along the
 * axes of the world.
 *
 * @example
 * m.spherical({ between: [m.ground, pendulum], at: [0, 0, 0] });
 */
export const spherical: JointType<SphericalOptions> = {
  options: { between: needed(ends), at: vector, compliance },
  appearance: { symbol: "ball", attaches: "both", stands: true, plane: "leaves" },
  tree: { ...eitherWay(ball), alignment: "point" },
  rows(options, builder) {
    const [a, b] = builder.markers.framePair(options, { axis: "unused" });
    return { markers: [a, b], blocks: [holonomic(coincide(a, b))] };
  },
};
