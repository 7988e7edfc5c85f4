import type { FramePairOptions } from "../model/markers.js";
import type { Compliance, JointBuilder, JointParts } from "./joint-builder.js";
import { holonomic, level, noTurn, X, Y, Z } from "./rows.js";

/** Options of `fixed`. */
export interface FixedOptions extends FramePairOptions {
  /** How much its rows give way: decides how redundant joints share a load. */
  readonly compliance?: Compliance | undefined;
}

/**
 * A weld: no relative motion. Rows "x", "y", "z" keep the points together, along the axes of A; "turn x",
 * "turn y" and "turn z" keep the axes aligned. `at` and `axis` only say where and in whose axes the
 * reaction is told; without them: at the origin of the second body, in the axes of the world at the start.
 *
 * @example
 * m.fixed({ between: [m.ground, base] });
 */
export function fixed(options: FixedOptions, builder: JointBuilder): JointParts {
  builder.check(options, ["between"], ["at", "axis", "compliance"]);
  const [a, b] = builder.markers.framePair(options, { at: "optional", axis: "optional" });
  const together = [level("x", a, X, b), level("y", a, Y, b), level("z", a, Z, b)];
  return { markers: [a, b], blocks: [holonomic(...together, ...noTurn(a, b))] };
}
