import { ForceKind } from "../../../assembly/layout-bodies.js";
import { needed } from "../../base/checking/index.js";
import { type BodyOrMarker, end } from "../recipe-checker.js";
import {
  applied,
  type LoadFrame,
  type LoadOption,
  loadFrame,
  loadLaw,
  movable,
} from "./applied-load.js";
import type { ForceType } from "./force-builder.js";

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
export const torque: ForceType<TorqueOptions> = {
  options: { on: needed(end), torque: needed(loadLaw), frame: loadFrame },
  appearance: { symbol: "load", attaches: "neither" },
  law(options, builder) {
    const end = movable("on", options.on, builder);
    const { point } = builder.markers.frameOf(end);
    return applied(ForceKind.TORQUE, "torque", end, point, options, builder);
  },
};
