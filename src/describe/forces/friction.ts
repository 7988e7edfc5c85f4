import { ForceKind, FrictionData } from "../../../assembly/layout-bodies.js";
import { constantsOf } from "../model/constants.js";
import type { Joint } from "../model/handles.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";
import { coordinateOf, type JointCoordinate } from "./sensed.js";

/** m/s or rad/s: slow for what slides by centimetres, and not so slow that steps become short. */
const SPEED = 1e-3;

/** Options of `friction`. */
export interface FrictionOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** The joint that rubs. */
  readonly joint: Joint;
  /** Which coordinate of a joint that has an angle and a displacement. */
  readonly of?: JointCoordinate | undefined;
  /** Magnitude while it slides: N, or N m about an axis. That of a brake is set while it runs. Zero if not given. */
  readonly coulomb?: number | undefined;
  /** The largest magnitude, before it slides; `coulomb` if not given. */
  readonly static?: number | undefined;
  /** N s/m, or N m s/rad, besides; zero if not given. */
  readonly viscous?: number | undefined;
  /** Speed at which the largest magnitude is reached: below it the joint creeps. 1e-3 m/s or rad/s if not given. */
  readonly speed?: number | undefined;
}

/**
 * Friction in a joint: Coulomb's, with the larger magnitude before it slides (Stribeck) and a viscous part, by the smooth law of
 * Brown and McPhee. With u = rate / speed it is
 * coulomb tanh(4 u) + (static - coulomb) u / (u^2 / 4 + 3 / 4)^2 + viscous rate, against the rate. What rests under a load creeps, by
 * less than `speed`. A brake is friction whose `coulomb` is set: `simulation.set("brake", { coulomb: 200 })`.
 *
 * @example
 * m.friction({ joint: hinge, coulomb: 0.4, static: 0.6, viscous: 0.01, speed: 1e-3 });
 */
export function friction(options: FrictionOptions, builder: ForceBuilder): ForceParts {
  builder.check(options, ["joint"], ["of", "coulomb", "static", "viscous", "speed"]);
  const a = coordinateOf(options.joint, options.of, builder);
  const coulomb = builder.notNegative("coulomb", options.coulomb);
  const breakaway =
    options.static === undefined ? coulomb : builder.notNegative("static", options.static);
  if (breakaway < coulomb) {
    throw builder.error(
      `static is ${breakaway}, less than coulomb, ${coulomb}: it holds more than it slides with`,
    );
  }
  const constants = constantsOf(FrictionData.LENGTH, {
    [FrictionData.COULOMB]: coulomb,
    [FrictionData.STATIC]: breakaway,
    [FrictionData.SPEED]: builder.positive("speed", options.speed ?? SPEED),
    [FrictionData.VISCOUS]: builder.notNegative("viscous", options.viscous),
    [FrictionData.LOAD]: 1,
  });
  return { kind: ForceKind.FRICTION, a, b: -1, flag: 0, constants };
}
