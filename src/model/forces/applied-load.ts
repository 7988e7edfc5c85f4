// Forces and torques in axes chosen by the user.

import { AppliedData, type ForceKind } from "../../../assembly/layout-bodies.js";
import { IDENTITY } from "../../base/algebra/vectors.js";
import { oneOf } from "../../base/checking/index.js";
import type { VectorLike } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import type { MeasuredInput } from "../formula-data.js";
import { type FormulaText, sourceOf, sourcesOf } from "../measured/formula-source.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import { type ConstantFormula, GROUND, type MarkerMotion, type Vector } from "../model-data.js";
import type { QuantityReader } from "../quantity-reader.js";
import { type BodyOrMarker, bodyOf, recipeOption } from "../recipe-checker.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Axes of a load: those of the world, the body or the marker. */
export type LoadFrame = "world" | "body" | "marker";

/** A force or torque as an option. A function that declares a third parameter receives a reader of the mechanism. */
export type LoadOption =
  | VectorLike
  | readonly (number | FormulaText)[]
  | ((t: number, motion: MarkerMotion, read: QuantityReader) => VectorLike);

/** Rules of the options of loads. */
export const loadFrame = oneOf<LoadFrame>("world", "body", "marker");
export const loadLaw = recipeOption("load", "3 numbers or formulas, or a function of time");

type Law = (t: number, motion: MarkerMotion, read: QuantityReader) => unknown;

/** Number of parameters of a law that does not read the mechanism. */
const PARAMETERS_WITHOUT_READER = 2;

/** Returns a body or a marker of one. Rejects the ground, on which loads have no effect. */
export function movable(option: string, value: unknown, builder: ForceBuilder): BodyOrMarker {
  const end = builder.end(option, value);
  if (bodyOf(end).index !== GROUND) return end;
  throw builder.error(`${option} must be a body, not the ground`);
}

/** Returns a force or torque that is a vector, or a law that returns one, at a point of the world. */
export function applied(
  kind: ForceKind,
  option: "force" | "torque",
  end: BodyOrMarker,
  point: Vector,
  options: { readonly [RecipeOption in typeof option]?: unknown } & {
    readonly frame?: LoadFrame | undefined;
  },
  builder: ForceBuilder,
): ForceParts {
  const { frame = "world" } = options;
  if (frame === "marker" && end.kind !== "marker") {
    throw builder.error('frame is "marker", but on is a body: use "body", or a marker');
  }
  const body = bodyOf(end);
  const a =
    end.kind === "marker" && frame !== "body"
      ? end.index
      : builder.markers.place(body, {
          point,
          axes: frame === "body" ? builder.markers.frameOf(body).axes : IDENTITY,
        });
  const flag = frame === "world" ? 0 : 1;
  const given = options[option];
  const sources = sourcesOf(given);
  if (sources) {
    const formulas = loadFormulas(option, sources, a, builder);
    const constants = sources.map((one) => (typeof one === "number" ? one : 0));
    return { kind, a, b: -1, flag, constants, formulas };
  }
  if (typeof given !== "function") {
    return { kind, a, b: -1, flag, constants: builder.vector(option, given) };
  }
  const law = given as Law;
  // Pass a copy, which the law may overwrite: the motion itself is read by kernels.
  const copy: MarkerMotion = Object.freeze({
    point: new Float64Array(3),
    velocity: new Float64Array(3),
    angularVelocity: new Float64Array(3),
    axes: new Float64Array(9),
  });
  return {
    kind,
    a,
    b: -1,
    flag,
    constants: constantsOf(AppliedData.LENGTH, {}),
    reads: law.length > PARAMETERS_WITHOUT_READER,
    update: (constants, motion, _measured, t, read) => {
      const { point: place, velocity, angularVelocity, axes } = motion[0]!;
      copy.point.set(place);
      copy.velocity.set(velocity);
      copy.angularVelocity.set(angularVelocity);
      copy.axes.set(axes);
      builder.write(option, law(t, copy, read!), constants, AppliedData.LENGTH, t);
    },
  };
}

/** Returns the components that are formulas. */
function loadFormulas(
  option: string,
  sources: readonly unknown[],
  marker: number,
  builder: ForceBuilder,
): ConstantFormula[] {
  if (sources.length !== AppliedData.LENGTH) {
    throw builder.error(`${option} must be 3 numbers or formulas, not ${sources.length}`);
  }
  const { body, point } = builder.store.markers[marker]!;
  const motion = (["position", "velocity"] as const).flatMap((kind) =>
    AXES.map((x, axis): [string, MeasuredInput] => [
      kind === "velocity" ? `v${x}` : x,
      { kind, body, point, axis },
    ]),
  );
  const locals = { t: TIME, ...Object.fromEntries(motion) };
  return sources.flatMap((one, slot) => {
    const source = sourceOf(one);
    if (source)
      return { slot, formula: recipeFormula(builder, `${option}[${slot}]`, source, locals) };
    builder.finite(`${option}[${slot}]`, one);
    return [];
  });
}

const AXES = ["x", "y", "z"] as const;
