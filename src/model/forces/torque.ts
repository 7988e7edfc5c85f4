import { ForceKind } from "../../../assembly/layout-bodies.js";
import type { BodyOrMarker } from "../recipe-checker.js";
import { applied, type LoadFrame, type LoadOption, movable } from "./applied-load.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Options of `torque`. */
export interface TorqueOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A body or a marker. */
  readonly on: BodyOrMarker | string;
  /**
   * Torque in newton metres: three numbers or formulas (of `t`, `x`, `y`, `z`, `vx`, `vy`, `vz` of the body's origin,
   * parameters and quantities of the model), or a function of time and of the motion of that point.
   */
  readonly torque: LoadOption;
  /** Axes of the components; "marker" is allowed if `on` is a marker. Default: "world". */
  readonly frame?: LoadFrame | undefined;
}

/**
 * A torque on a body.
 *
 * @example
 * m.torque({ on: wheel, torque: [0, 3, 0], frame: "body" });
 */
export function torque(options: TorqueOptions, builder: ForceBuilder): ForceParts {
  builder.check(options, ["on", "torque"], ["frame"]);
  const end = movable("on", options.on, builder);
  const { point } = builder.markers.frameOf(end);
  return applied(ForceKind.TORQUE, "torque", end, point, options, builder);
}
