import { ForceKind } from "../../../assembly/layout-bodies.js";
import { finite, needed } from "../../base/checking/index.js";
import type { Joint } from "../handles.js";
import type { FormulaText } from "../measured/formula-source.js";
import { sensorInput } from "../measured/measured-formula.js";
import { joint, recipeOption } from "../recipe-checker.js";
import { type ElasticLaw, type ElasticOptions, elastic, elasticRules } from "./elastic-law.js";
import type { ForceType } from "./force-builder.js";

/** Options of `torsionSpring`. */
export interface TorsionSpringOptions extends ElasticOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** A joint that has an angle. */
  readonly joint: Joint | string;
  /** Stiffness in N m/rad. Default: 0. */
  readonly stiffness?: number | undefined;
  /** Free angle in radians. Default: 0, the angle at the given poses for a joint made from bodies. */
  readonly angle?: number | undefined;
  /** Damping in N m s/rad. Default: 0. */
  readonly damping?: number | undefined;
  /**
   * Additional torque in N m: a number, or a law of angle, rate and time. The law is a function, or a formula of
   * `angle`, `rate`, `t`, parameters and quantities of the model.
   */
  readonly torque?: number | FormulaText | ElasticLaw | undefined;
}

/**
 * A spring, damper and motor about the axis of a joint. The torque on its second body is torque - stiffness (angle -
 * free angle) - damping angle', and the opposite torque acts on its first.
 *
 * @example
 * m.torsionSpring({ joint: hinge, stiffness: 5, damping: 0.1 });
 * m.torsionSpring({ joint: hinge, torque: "-5 * sin(angle) + 0.2 * cos(3*t)" });
 */
export const torsionSpring: ForceType<TorsionSpringOptions> = {
  options: {
    joint: needed(joint),
    ...elasticRules("torque"),
    angle: finite,
    torque: recipeOption("angle", "a number, a formula or a function of angle, rate and time"),
  },
  appearance: { symbol: "spiral", attaches: "neither" },
  law(options, builder) {
    const a = builder.sensorOf("joint", options.joint, "angle");
    const { angle: free = 0 } = options;
    const { store } = builder;
    const locals = { angle: sensorInput(a, false, store), rate: sensorInput(a, true, store) };
    const law = elastic(options, free, "torque", options.torque, locals, builder);
    return { kind: ForceKind.SENSOR_SPRING, a, b: -1, flag: 0, ...law };
  },
};
