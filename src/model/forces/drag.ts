import { DragData, ForceKind } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../base/algebra/vectors.js";
import { needed, notNegative } from "../../base/checking/index.js";
import { constantsOf } from "../constants.js";
import { type BodyOrMarker, end } from "../recipe-checker.js";
import { movable } from "./applied-load.js";
import type { ForceType } from "./force-builder.js";

/** Options of `drag`. */
export interface DragOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A body, slowed at its centre of mass; or a marker, at whose point the drag acts. */
  readonly on: BodyOrMarker | string;
  /** Linear coefficient, N s/m. */
  readonly linear?: number | undefined;
  /** Quadratic coefficient, N s^2/m^2: half the product of density, area and drag coefficient. */
  readonly quadratic?: number | undefined;
  /** Angular coefficient, N m s. */
  readonly angular?: number | undefined;
  /** Quadratic angular coefficient, N m s^2. */
  readonly angularQuadratic?: number | undefined;
}

/** Slots of the coefficients among the constants of the law. */
const SLOTS = {
  linear: DragData.LINEAR,
  quadratic: DragData.QUADRATIC,
  angular: DragData.ANGULAR,
  angularQuadratic: DragData.ANGULAR_QUADRATIC,
} as const;

/**
 * Resistance of air or oil: -(linear + quadratic |u|) u for the velocity u of a point, and
 * -(angular + angularQuadratic |w|) w for the angular velocity w.
 *
 * @example
 * m.drag({ on: ball, quadratic: 0.5 * 1.2 * 0.0042 * 0.47 });
 */
export const drag: ForceType<DragOptions> = {
  options: {
    on: needed(end),
    linear: notNegative,
    quadratic: notNegative,
    angular: notNegative,
    angularQuadratic: notNegative,
  },
  appearance: { attaches: "neither" },
  law(options, builder) {
    const coefficients = Object.keys(SLOTS) as (keyof typeof SLOTS)[];
    const end = movable("on", options.on, builder);
    const values = coefficients.map((option) => [SLOTS[option], options[option] ?? 0]);
    const constants = constantsOf(DragData.LENGTH, Object.fromEntries(values));
    if (constants.every((constant) => constant === 0)) {
      throw builder.error(
        "all coefficients are zero: give linear, quadratic, angular or angularQuadratic",
      );
    }
    const a =
      end.kind === "marker"
        ? end.index
        : builder.markers.place(end, { point: builder.markers.centreOfMass(end), axes: IDENTITY });
    return { kind: ForceKind.DRAG, a, b: -1, flag: 0, constants };
  },
};
