import { ForceKind } from "../../../assembly/layout-bodies.js";
import type { FormulaText } from "../measured/formula-source.js";
import { lengthInput } from "../measured/measured-formula.js";
import type { PointPairOptions } from "../model/markers.js";
import { type ElasticLaw, type ElasticOptions, elastic } from "./elastic-law.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Options of `spring`. */
export interface SpringOptions extends PointPairOptions, ElasticOptions {
  /** N/m; zero if not given. */
  readonly stiffness?: number | undefined;
  /** Free length. Default: the distance at the given poses. */
  readonly length?: number | undefined;
  /** N s/m; zero if not given. */
  readonly damping?: number | undefined;
  /**
   * Pushes the points apart, besides spring and damper: a number, or a law of length, rate and time, as a function or as a
   * formula of `length`, `rate`, `t`, parameters and quantities of the model.
   */
  readonly force?: number | FormulaText | ElasticLaw | undefined;
}

/**
 * A spring, damper and actuator between two points: pushes them apart with
 * force - stiffness (|d| - length) - damping |d|', along the line from one to the other.
 *
 * @example
 * m.spring({ between: [chassis, wheel], stiffness: 2e4, length: 0.4, damping: 1500 });
 * m.spring({ between: [boom, arm], force: "-500 * (length - 0.2)^3 - 2 * rate * abs(rate)" });
 * m.spring({ between: [boom, arm], force: (length, rate, t) => 100 * Math.sin(t) });
 */
export function spring(options: SpringOptions, builder: ForceBuilder): ForceParts {
  builder.check(options, ["between"], ["atA", "atB", "stiffness", "length", "damping", "force"]);
  const advice = "a spring needs a direction. Move one of them, or use bushing";
  const [a, b] = builder.markers.separatePoints(options, advice);
  const free =
    options.length === undefined
      ? builder.markers.distanceBetween(a, b)
      : builder.notNegative("length", options.length);
  const locals = { length: lengthInput(a, b, false), rate: lengthInput(a, b, true) };
  const law = elastic(options, free, "force", options.force, locals, builder);
  return { kind: ForceKind.SPRING, a, b, flag: 0, ...law };
}
