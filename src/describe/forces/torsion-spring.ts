import { ForceKind } from "../../../assembly/layout-bodies.js";
import type { FormulaText } from "../measured/formula-source.js";
import { sensorInput } from "../measured/measured-formula.js";
import type { Joint } from "../model/handles.js";
import { type ElasticLaw, type ElasticOptions, elastic } from "./elastic-law.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Options of `torsionSpring`. */
export interface TorsionSpringOptions extends ElasticOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** A joint that has an angle. */
  readonly joint: Joint | string;
  /** N m/rad; zero if not given. */
  readonly stiffness?: number | undefined;
  /** Free angle in radians. Default: 0, the angle at the given poses for a joint made from bodies. */
  readonly angle?: number | undefined;
  /** N m s/rad; zero if not given. */
  readonly damping?: number | undefined;
  /**
   * Besides spring and damper: a number, or a law of angle, rate and time, as a function or as a formula of `angle`, `rate`,
   * `t`, parameters and quantities of the model.
   */
  readonly torque?: number | FormulaText | ElasticLaw | undefined;
}

/**
 * A spring, damper and motor about the axis of a joint: turns its second body with
 * torque - stiffness (angle - slack angle) - damping angle', and the first the other way.
 *
 * @example
 * m.torsionSpring({ joint: hinge, stiffness: 5, damping: 0.1 });
 * m.torsionSpring({ joint: hinge, torque: "-5 * sin(angle) + 0.2 * cos(3*t)" });
 */
export function torsionSpring(options: TorsionSpringOptions, builder: ForceBuilder): ForceParts {
  builder.check(options, ["joint"], ["stiffness", "angle", "damping", "torque"]);
  const a = builder.sensorOf("joint", options.joint, "angle");
  const free = options.angle === undefined ? 0 : builder.finite("angle", options.angle);
  const { store } = builder;
  const locals = { angle: sensorInput(a, false, store), rate: sensorInput(a, true, store) };
  const law = elastic(options, free, "torque", options.torque, locals, builder);
  return { kind: ForceKind.SENSOR_SPRING, a, b: -1, flag: 0, ...law };
}
