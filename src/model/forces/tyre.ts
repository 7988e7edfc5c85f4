import { ForceKind, TyreData } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../base/algebra/vectors.js";
import { flag, needed, notNegative } from "../../base/checking/index.js";
import { show, type VectorLike } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import { axesFrom } from "../marker-placement.js";
import { type FormulaText, sourceOf } from "../measured/formula-source.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import { type BodyOrMarker, bodyOf, end, recipeOption, vector } from "../recipe-checker.js";
import { movable } from "./applied-load.js";
import type { ForceBuilder, ForceType } from "./force-builder.js";
import { followRoad, type RoadHeight, type RoadSlope } from "./road.js";

/** Options of `tyre`. */
export interface TyreOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** The wheel, or a marker at its centre. */
  readonly wheel: BodyOrMarker | string;
  /** Centre of the wheel, in the world at the poses given. Default: the body's origin. */
  readonly at?: VectorLike | undefined;
  /** Body that carries the road, or a marker with the road in its x-y plane and z upwards. Default: the ground. */
  readonly road?: BodyOrMarker | string | undefined;
  /** Normal of the road, in the world at the poses given. Default: (0, 0, 1). */
  readonly normal?: VectorLike | undefined;
  /** Stiffness in N/m. */
  readonly stiffness: number;
  /** Damping in N s/m. Default: 0. */
  readonly damping?: number | undefined;
  /** Unloaded radius in metres. Default: 0, so the spring is relaxed when the centre of the wheel is on the road. */
  readonly radius?: number | undefined;
  /** Height of the road at the wheel: a number, or a formula or function of x, y and t. Default: 0. */
  readonly height?: number | FormulaText | RoadHeight | undefined;
  /** Derivatives of `height` with respect to x and y. Default: finite differences. */
  readonly slope?: RoadSlope | undefined;
  /** Whether the tyre also pulls, as in linear models, and so never leaves the road. Default: false. */
  readonly bilateral?: boolean | undefined;
}

/**
 * A tyre as a spring and damper between a wheel and the road below it. Its force along the normal of the road is
 * stiffness (radius - clearance) - damping clearance', with the height of the wheel's centre above the road as
 * clearance. x and y are measured in the axes of the road, from its body's origin.
 *
 * @example
 * m.tyre({ wheel, stiffness: 2e5, radius: 0.3, height: "0.05 * sin(x)" });
 */
export const tyre: ForceType<TyreOptions> = {
  options: {
    wheel: needed(end),
    at: vector,
    road: end,
    normal: vector,
    stiffness: needed(notNegative),
    damping: notNegative,
    radius: notNegative,
    height: recipeOption("road", "a number, or a formula or function of x, y and t"),
    slope: recipeOption("program", "a function of x, y and t"),
    bilateral: flag,
  },
  appearance: { attaches: "second" },
  law(options, builder) {
    const wheel = movable("wheel", options.wheel, builder);
    const road = builder.end("road", options.road ?? builder.store.ground);
    builder.ends([road, wheel]);
    const a = roadMarker(road, options.normal, builder);
    const b = wheelMarker(wheel, options.at, builder);
    const { stiffness, damping = 0, radius = 0, bilateral = false } = options;
    // Unless the height is a function, it is constant with zero derivatives.
    const constants = (level: number) =>
      constantsOf(TyreData.LENGTH, {
        [TyreData.STIFFNESS]: stiffness,
        [TyreData.DAMPING]: damping,
        [TyreData.RADIUS]: radius,
        [TyreData.HEIGHT]: level,
        [TyreData.CANNOT_PULL]: bilateral ? 0 : 1,
      });
    const parts = { kind: ForceKind.TYRE, a, b, flag: 0 };
    const { height = 0, slope } = options;
    const source = sourceOf(height);
    if (source) {
      // `roadProfile` returns the slope with the height; the slope follows from the formula.
      if (typeof height !== "function" && slope !== undefined) {
        throw builder.error("slope is given, but follows from the formula of height");
      }
      const locals = {
        x: { kind: "seen", a, b, axis: 0, isRate: false },
        y: { kind: "seen", a, b, axis: 1, isRate: false },
        t: TIME,
      } as const;
      const formula = recipeFormula(builder, "height", source, locals, "own names");
      return { ...parts, constants: constants(0), formulas: [{ slot: TyreData.HEIGHT, formula }] };
    }
    if (typeof height === "function") {
      return { ...parts, constants: constants(0), ...followRoad(height, slope, radius, builder) };
    }
    if (typeof height !== "number") {
      throw builder.error(
        `height must be a number, or a formula or function of x, y and t, not ${show(height)}`,
      );
    }
    if (slope !== undefined) throw builder.error("slope is given, but height is not a function");
    const level = builder.finite("height", height);
    return { ...parts, constants: constants(level) };
  },
};

function roadMarker(
  road: BodyOrMarker,
  normal: VectorLike | undefined,
  builder: ForceBuilder,
): number {
  if (road.kind === "marker") {
    builder.absent({ normal }, ["normal"], "the normal is its z");
    return road.index;
  }
  const axes =
    normal === undefined ? IDENTITY : axesFrom(builder.where, builder.direction("normal", normal));
  return builder.markers.place(bodyOf(road), { point: builder.markers.frameOf(road).point, axes });
}

function wheelMarker(
  wheel: BodyOrMarker,
  at: VectorLike | undefined,
  builder: ForceBuilder,
): number {
  if (wheel.kind === "marker") {
    builder.absent({ at }, ["at"], "the marker says where");
    return wheel.index;
  }
  const point = at === undefined ? builder.markers.frameOf(wheel).point : builder.vector("at", at);
  return builder.markers.place(wheel, { point, axes: IDENTITY });
}
