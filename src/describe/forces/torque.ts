import { ForceKind } from "../../../assembly/layout-bodies.js";
import type { MarkerMotion } from "../model/model-data.js";
import type { VectorLike } from "../model/option-checks.js";
import type { QuantityReader } from "../model/quantity-reader.js";
import type { BodyOrMarker } from "../model/recipe-checker.js";
import { applied, type LoadFrame, movable } from "./applied-load.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Options of `torque`. */
export interface TorqueOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** A body; or a marker of one. */
  readonly on: BodyOrMarker;
  /** In newton metres: three numbers, or a function of time and of the motion of the body's origin. */
  readonly torque:
    | VectorLike
    | ((t: number, motion: MarkerMotion, read: QuantityReader) => VectorLike);
  /** Whose axes the numbers are in: the world's if not given. "marker" if `on` is one. */
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
