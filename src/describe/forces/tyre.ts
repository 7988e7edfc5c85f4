import { ForceKind, TyreData } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../ground/algebra/vectors.js";
import { type FormulaText, sourceOf } from "../measured/formula-source.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import { constantsOf } from "../model/constants.js";
import { axesFrom } from "../model/marker-placement.js";
import { flag, show, type VectorLike } from "../model/option-checks.js";
import { type BodyOrMarker, bodyOf } from "../model/recipe-checker.js";
import { movable } from "./applied-load.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";
import { followRoad, type RoadHeight, type RoadSlope } from "./road.js";

/** Options of `tyre`. */
export interface TyreOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** The wheel; or a marker at its centre. */
  readonly wheel: BodyOrMarker | string;
  /** Centre of the wheel, in the world at the poses given; the body's origin if not given. */
  readonly at?: VectorLike | undefined;
  /** What carries the road: the ground if not given. A marker: the road is over its x and y, along z. */
  readonly road?: BodyOrMarker | string | undefined;
  /** Normal of the road, in the world at the poses given; (0, 0, 1) if not given. */
  readonly normal?: VectorLike | undefined;
  /** N/m. */
  readonly stiffness: number;
  /** N s/m; zero if not given. */
  readonly damping?: number | undefined;
  /** Unloaded radius. Default: 0, so that the spring is free when the centre of the wheel is on the road. */
  readonly radius?: number | undefined;
  /** Of the road, where the wheel is: a number, or a formula or function of x, y and t. Zero if not given. */
  readonly height?: number | FormulaText | RoadHeight | undefined;
  /** Derivatives of `height` by x and y; found by differences if not given. */
  readonly slope?: RoadSlope | undefined;
  /** The tyre also pulls, as in linear models: it never leaves the road. */
  readonly bilateral?: boolean | undefined;
}

/**
 * A tyre that is a spring and a damper between a wheel and the road below it, along the normal of the
 * road: stiffness (radius - clearance) - damping clearance', where clearance is the height of the wheel's
 * centre over the road. x and y are counted in the axes of the road, from its body's origin.
 *
 * @example
 * m.tyre({ wheel, stiffness: 2e5, radius: 0.3, height: "0.05 * sin(x)" });
 */
export function tyre(options: TyreOptions, builder: ForceBuilder): ForceParts {
  builder.check(
    options,
    ["wheel", "stiffness"],
    ["at", "road", "normal", "damping", "radius", "height", "slope", "bilateral"],
  );
  const wheel = movable("wheel", options.wheel, builder);
  const road = builder.end("road", options.road ?? builder.store.ground);
  builder.ends([road, wheel]);
  const a = roadMarker(road, options.normal, builder);
  const b = wheelMarker(wheel, options.at, builder);
  const radius = builder.notNegative("radius", options.radius);
  const stiffness = builder.notNegative("stiffness", options.stiffness);
  const damping = builder.notNegative("damping", options.damping);
  const cannotPull = flag(builder.where, "bilateral", options.bilateral) ? 0 : 1;
  // The height is the same everywhere unless it is a function, and its derivatives are zero.
  const constants = (level: number) =>
    constantsOf(TyreData.LENGTH, {
      [TyreData.STIFFNESS]: stiffness,
      [TyreData.DAMPING]: damping,
      [TyreData.RADIUS]: radius,
      [TyreData.HEIGHT]: level,
      [TyreData.CANNOT_PULL]: cannotPull,
    });
  const parts = { kind: ForceKind.TYRE, a, b, flag: 0 };
  const { height = 0, slope } = options;
  const source = sourceOf(height);
  if (source) {
    // `roadProfile` gives the slope along with the height; it follows from the formula.
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
}

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
