import { ForceKind } from "../../../assembly/layout-bodies.js";
import { needed } from "../../base/checking/index.js";
import type { VectorLike } from "../../base/checking/values.js";
import { type BodyOrMarker, end, vector } from "../recipe-checker.js";
import {
  applied,
  type LoadFrame,
  type LoadOption,
  loadFrame,
  loadLaw,
  movable,
} from "./applied-load.js";
import type { ForceType } from "./force-builder.js";

/** Options of `pointForce`. */
export interface PointForceOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A body; or a marker, at whose point the force acts. */
  readonly on: BodyOrMarker | string;
  /** Point of the force, in the world at the poses given; it moves with the body. Default: the centre of mass. */
  readonly at?: VectorLike | undefined;
  /**
   * Force in newtons: three numbers or formulas (of `t`, the point's `x`, `y`, `z`, `vx`, `vy`, `vz`, parameters and
   * quantities of the model), or a function of time and of the motion of the point.
   */
  readonly force: LoadOption;
  /** Axes of the components; "marker" is allowed if `on` is a marker. Default: "world". */
  readonly frame?: LoadFrame | undefined;
}

/**
 * A force at a point of a body.
 *
 * @example
 * m.pointForce({ on: rocket, force: [0, 0, 100], frame: "body" });
 * m.pointForce({ on: tip, force: ["100 * sin(2*pi*t)", 0, "-5 * vz - 20 * angle('hinge')"] });
 * m.pointForce({ on: tip, force: (t) => [Math.sin(t), 0, 0] });
 */
export const pointForce: ForceType<PointForceOptions> = {
  options: { on: needed(end), at: vector, force: needed(loadLaw), frame: loadFrame },
  appearance: { symbol: "load", attaches: "neither" },
  law(options, builder) {
    const end = movable("on", options.on, builder);
    const { at } = options;
    if (end.kind === "marker") {
      builder.absent({ at }, ["at"], "the marker says where");
    }
    const point =
      end.kind === "marker"
        ? builder.markers.frameOf(end).point
        : at === undefined
          ? builder.markers.centreOfMass(end)
          : builder.vector("at", at);
    return applied(ForceKind.FORCE, "force", end, point, options, builder);
  },
};
