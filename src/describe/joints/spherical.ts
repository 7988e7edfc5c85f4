import type { BetweenOptions } from "../model/markers.js";
import type { Compliance, JointBuilder, JointParts } from "./builder.js";
import { coincide, holonomic } from "./rows.js";

export interface SphericalOptions extends Omit<BetweenOptions, "axis"> {
  readonly compliance?: Compliance | undefined;
}

/**
 * A ball and socket: the points stay together and everything may turn. Rows "x", "y" and "z" along the
 * axes of the world.
 *
 * @example
 * m.spherical({ between: [m.ground, pendulum], at: [0, 0, 0] });
 */
export function spherical(options: SphericalOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "compliance"]);
  const [a, b] = builder.markers.between(options, { axis: "unused" });
  return { markers: [a, b], blocks: [holonomic(coincide(a, b))] };
}
