import { RowKind } from "../../../assembly/layout-bodies.js";
import { needed } from "../../base/checking/index.js";
import type { VectorLike } from "../../base/checking/values.js";
import { axesAcross } from "../marker-placement.js";
import { GROUND } from "../model-data.js";
import { type BodyOrMarker, bodyOf, compliance, end, vector } from "../recipe-checker.js";
import type { JointBuilder, JointOptions, JointType } from "./joint-builder.js";
import { row, Y } from "./rows.js";

/** Options of `knifeEdge`. */
export interface KnifeEdgeOptions extends JointOptions {
  /** The body that carries the blade; or a marker, with x along the blade and z up. */
  readonly body: BodyOrMarker | string;
  /** Point of the blade, in the world at the poses given. Default: the origin of the body. */
  readonly at?: VectorLike | undefined;
  /** Direction along the blade, in the world at the poses given. */
  readonly direction?: VectorLike | undefined;
  /** Upward normal of the ice. Default: (0, 0, 1). */
  readonly up?: VectorLike | undefined;
}

/**
 * A blade on ice: a point of the body does not move across the blade. One row on velocities, "lateral", along up x
 * blade, which rotates with the body. It does not hold the blade down; add another joint for that, such as planar.
 *
 * @example
 * m.knifeEdge({ body: sleigh, at: [0.2, 0, 0], direction: [1, 0, 0] });
 */
export const knifeEdge: JointType<KnifeEdgeOptions> = {
  options: { body: needed(end), at: vector, direction: vector, up: vector, compliance },
  appearance: { symbol: "blade", attaches: "neither" },
  rows(options, builder) {
    const end = builder.end("body", options.body);
    if (bodyOf(end).index === GROUND)
      throw builder.error("body is the ground, which does not move");
    const blade = bladeMarker(end, options, builder);
    const { ground } = builder.store;
    const ice = builder.markers.place(ground, builder.markers.markerFrame(blade));
    const lateral = row(RowKind.KNIFE_EDGE, ["lateral"], blade, ice, Y, 0, [], undefined, "force");
    return { markers: [blade, ice], blocks: [{ holonomic: false, rows: [lateral] }] };
  },
};

function bladeMarker(end: BodyOrMarker, options: KnifeEdgeOptions, builder: JointBuilder): number {
  const { at, direction, up } = options;
  if (end.kind === "marker") {
    builder.absent(
      { at, direction, up },
      ["at", "direction", "up"],
      "its x is the blade, its z up",
    );
    return end.index;
  }
  if (direction === undefined) {
    throw builder.error("direction is missing: the blade's direction in the world");
  }
  const point = at === undefined ? builder.markers.frameOf(end).point : builder.vector("at", at);
  const axes = axesAcross(builder.where, direction, up ?? [0, 0, 1]);
  return builder.markers.place(end, { point, axes });
}
