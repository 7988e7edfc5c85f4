// The law shared by springs: f - k (s - s0) - c s', with f a number or a function.

import { SpringData } from "../../../assembly/layout-bodies.js";
import { number } from "../../base/checking/index.js";
import { show } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import type { MeasuredInput } from "../formula-data.js";
import { sourceOf } from "../measured/formula-source.js";
import { recipeFormula, TIME } from "../measured/recipe-formula.js";
import type { QuantityReader } from "../quantity-reader.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/**
 * A force law f(value, rate, t) of a length or an angle. A law that declares a fourth parameter receives a reader of
 * the mechanism.
 */
export type ElasticLaw = (value: number, rate: number, t: number, read: QuantityReader) => number;

/** Number of parameters of a law that does not read the mechanism. */
const PARAMETERS_WITHOUT_READER = 3;

export interface ElasticOptions {
  /** Stiffness in N/m, or in N m/rad about an axis. Default: 0. */
  readonly stiffness?: number | undefined;
  /** Damping in N s/m, or in N m s/rad about an axis. Default: 0. */
  readonly damping?: number | undefined;
}

/** Rules of {@link ElasticOptions}, of a spring with this option for a law. */
/* @__NO_SIDE_EFFECTS__ */
export function elasticRules(option: "force" | "torque") {
  const gain = number(
    `a number >= 0, or for something that drives the motion a law for ${option}`,
    (value) => value >= 0,
    { minimum: 0 },
  );
  return { stiffness: gain, damping: gain };
}

export function elastic(
  options: ElasticOptions,
  free: number,
  option: "force" | "torque",
  given: unknown,
  locals: Readonly<Record<string, MeasuredInput>>,
  builder: ForceBuilder,
): Pick<ForceParts, "constants" | "update" | "formulas" | "reads"> {
  const { stiffness = 0, damping = 0 } = options;
  if ([options.stiffness, options.damping, given].every((value) => value === undefined)) {
    throw builder.error(`give stiffness, damping or ${option}`);
  }
  const constants = (f: number) =>
    constantsOf(SpringData.LENGTH, {
      [SpringData.STIFFNESS]: stiffness,
      [SpringData.FREE]: free,
      [SpringData.DAMPING]: damping,
      [SpringData.FORCE]: f,
    });
  const source = sourceOf(given);
  if (source) {
    const formula = recipeFormula(builder, option, source, { ...locals, t: TIME });
    return { constants: constants(0), formulas: [{ slot: SpringData.FORCE, formula }] };
  }
  if (typeof given !== "function") {
    return { constants: constants(given === undefined ? 0 : constantLaw(option, given, builder)) };
  }
  const law = given as ElasticLaw;
  return {
    constants: constants(0),
    reads: law.length > PARAMETERS_WITHOUT_READER,
    update: (slots, _motion, measured, t, read) => {
      slots[SpringData.FORCE] = builder.number(
        option,
        law(measured[0]!, measured[1]!, t, read!),
        t,
      );
    },
  };
}

function constantLaw(option: string, given: unknown, builder: ForceBuilder): number {
  if (typeof given === "number") return builder.finite(option, given);
  throw builder.error(`${option} must be a number, a formula or a function, not ${show(given)}`);
}
