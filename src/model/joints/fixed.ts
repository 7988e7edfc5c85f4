import type { FramePairOptions } from "../markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, level, noRotation, X, Y, Z } from "./rows.js";

/** Options of `fixed`. */
export interface FixedOptions extends FramePairOptions {
  /** Compliance of the rows, which decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A weld: no relative motion. Rows "x", "y", "z" keep the points together, along the axes of A; "turn x",
 * "turn y" and "turn z" keep the axes aligned. `at` and `axis` only determine where and in which axes the reaction is
 * reported. Default: at the origin of the second body, in the world axes at the poses given.
 *
 * @example
 * m.fixed({ between: [m.ground, base] });
 */
export function fixed(options: FixedOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options, { at: "optional", axis: "optional" });
  const together = [level("x", a, X, b), level("y", a, Y, b), level("z", a, Z, b)];
  return { markers: [a, b], blocks: [holonomic(...together, ...noRotation(a, b))] };
}
