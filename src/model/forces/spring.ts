import { ForceKind } from "../../../assembly/layout-bodies.js";
import { notNegative } from "../../base/checking/index.js";
import { pointPair } from "../joints/joint-builder.js";
import type { PointPairOptions } from "../markers.js";
import type { FormulaText } from "../measured/formula-source.js";
import { lengthInput } from "../measured/measured-formula.js";
import { recipeOption } from "../recipe-checker.js";
import { type ElasticLaw, type ElasticOptions, elastic, elasticRules } from "./elastic-law.js";
import type { ForceType } from "./force-builder.js";

/** Options of `spring`. */
export interface SpringOptions extends PointPairOptions, ElasticOptions {
  /** Stiffness in N/m. Default: 0. */
  readonly stiffness?: number | undefined;
  /** Free length in metres. Default: the distance at the given poses. */
  readonly length?: number | undefined;
  /** Damping in N s/m. Default: 0. */
  readonly damping?: number | undefined;
  /**
   * Additional force in N that pushes the points away from each other: a number, or a law of length, rate and time.
   * The law is a function, or a formula of `length`, `rate`, `t`, parameters and quantities of the model.
   */
  readonly force?: number | FormulaText | ElasticLaw | undefined;
}

/**
 * A spring, damper and actuator between two points. The repulsive force along their line is force - stiffness (|d| -
 * length) - damping |d|'.
 *
 * @example
 * m.spring({ between: [chassis, wheel], stiffness: 2e4, length: 0.4, damping: 1500 });
 * m.spring({ between: [boom, arm], force: "-500 * (length - 0.2)^3 - 2 * rate * abs(rate)" });
 * m.spring({ between: [boom, arm], force: (length, rate, t) => 100 * Math.sin(t) });
 */
export const spring: ForceType<SpringOptions> = {
  options: {
    ...pointPair,
    ...elasticRules("force"),
    length: notNegative,
    force: recipeOption("length", "a number, a formula or a function of length, rate and time"),
  },
  appearance: { symbol: "spring", attaches: "both" },
  law(options, builder) {
    const advice = "a spring needs a direction. Move one of them, or use bushing";
    const [a, b] = builder.markers.separatePoints(options, advice);
    const free = options.length ?? builder.markers.distanceBetween(a, b);
    const locals = { length: lengthInput(a, b, false), rate: lengthInput(a, b, true) };
    const law = elastic(options, free, "force", options.force, locals, builder);
    return { kind: ForceKind.SPRING, a, b, flag: 0, ...law };
  },
};
