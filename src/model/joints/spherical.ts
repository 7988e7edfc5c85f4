import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { coincide, holonomic } from "./rows.js";

/** Options of `spherical`. */
export interface SphericalOptions extends Omit<FramePairOptions, "axis"> {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A ball and socket: the points stay together and all rotations are free. Rows "x", "y" and "z" along the
 * axes of the world.
 *
 * @example
 * m.spherical({ between: [m.ground, pendulum], at: [0, 0, 0] });
 */
export function spherical(options: SphericalOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "compliance"]);
  const [a, b] = builder.markers.framePair(options, { axis: "unused" });
  return { markers: [a, b], blocks: [holonomic(coincide(a, b))] };
}
