import {
  ForceKind,
  FrictionData,
  SensorKind,
  SpringData,
} from "../../../assembly/layout-bodies.js";
import { needed, notNegative, oneOf, positive } from "../../base/checking/index.js";
import { constantsOf } from "../constants.js";
import type { Joint } from "../handles.js";
import { joint } from "../recipe-checker.js";
import { type BristleLaw, bristleForce, bristleRate, bristlesOf } from "./bristles.js";
import type { ForceBuilder, ForceParts, ForceType } from "./force-builder.js";
import { coordinateOf, type JointCoordinate, jointCoordinate } from "./sensed.js";

/** Default transition speed, m/s or rad/s: low compared with sliding speeds, but high enough for long steps. */
const TRANSITION_SPEED = 1e-3;

/** Options of `friction`. */
export interface FrictionOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** The joint with friction. */
  readonly joint: Joint | string;
  /** Coordinate of a joint that has both an angle and a displacement. */
  readonly of?: JointCoordinate | undefined;
  /** Sliding friction in N, or in N m about an axis. A brake sets it at run time. Default: 0. */
  readonly coulomb?: number | undefined;
  /** Static friction, the largest magnitude before sliding. Default: `coulomb`. */
  readonly static?: number | undefined;
  /** Friction coefficient instead of `coulomb`: ratio of friction to the reaction force of the joint. */
  readonly coefficient?: number | undefined;
  /** Static friction coefficient instead of `static`. Default: `coefficient`. */
  readonly staticCoefficient?: number | undefined;
  /** Radius in metres at which friction acts, for rotation with `coefficient`. */
  readonly radius?: number | undefined;
  /** Additional viscous friction in N s/m, or N m s/rad. Default: 0. */
  readonly viscous?: number | undefined;
  /**
   * Transition velocity, at which the largest magnitude is reached. Below it the joint creeps. Default: 1e-3 m/s or
   * rad/s.
   */
  readonly transitionSpeed?: number | undefined;
  /** Friction model. "bristle" sticks without creep, with an additional state. Default: "smooth". */
  readonly model?: "smooth" | "bristle" | undefined;
  /** Stiffness of the bristles in N/m or N m/rad, which determines how far they bend before they slip. */
  readonly stiffness?: number | undefined;
  /** Damping of the bristles in N s/m or N m s/rad. About 2 sqrt(stiffness mass) prevents oscillation. Default: 0. */
  readonly damping?: number | undefined;
}

/**
 * Friction in a joint: Coulomb friction, with a larger magnitude before sliding (Stribeck), and a viscous part, by
 * the smooth law of Brown and McPhee. With u = rate / transitionSpeed it is
 * coulomb tanh(4 u) + (static - coulomb) u / (u^2 / 4 + 3 / 4)^2 + viscous rate, opposed to the rate. With
 * `coefficient`, the magnitudes are coefficient (times radius) times the force transmitted by the joint. That force
 * is solved for together with the accelerations in every evaluation. A joint at rest under load creeps at less than
 * `transitionSpeed`; with `model: "bristle"` it does not. A brake is a friction whose `coulomb` is set at run time:
 * `simulation.set("brake", { coulomb: 200 })`.
 *
 * @example
 * m.friction({ joint: hinge, coulomb: 0.4, static: 0.6, viscous: 0.01 });
 * m.friction({ joint: slide, coefficient: 0.2 });
 * m.friction({ joint: lid, coulomb: 5, model: "bristle", stiffness: 1e5, damping: 300 });
 */
export const friction: ForceType<FrictionOptions> = {
  options: {
    joint: needed(joint),
    of: jointCoordinate,
    coulomb: notNegative,
    static: notNegative,
    coefficient: notNegative,
    staticCoefficient: notNegative,
    radius: positive,
    viscous: notNegative,
    transitionSpeed: positive,
    model: oneOf("smooth", "bristle"),
    stiffness: positive,
    damping: notNegative,
  },
  appearance: { attaches: "neither" },
  law(options, builder) {
    const a = coordinateOf(options.joint, options.of, builder);
    const [coulomb, breakaway] = magnitudes(options, builder);
    const { transitionSpeed: speed = TRANSITION_SPEED, viscous = 0 } = options;
    if (options.model === "bristle") {
      return bristles(options, { coulomb, breakaway, speed, viscous }, a, builder);
    }
    refuse(
      options,
      ["stiffness", "damping"],
      'belongs to bristles: give model: "bristle"',
      builder,
    );
    const follows = options.coefficient !== undefined;
    const lever = follows ? leverOf(options, a, builder) : 1;
    if (!follows) refuse(options, ["radius"], "goes with coefficient", builder);
    const constants = constantsOf(FrictionData.LENGTH, {
      [FrictionData.COULOMB]: coulomb * lever,
      [FrictionData.STATIC]: breakaway * lever,
      [FrictionData.SPEED]: speed,
      [FrictionData.VISCOUS]: viscous,
      [FrictionData.LOAD]: follows ? 0 : 1,
    });
    const parts = { kind: ForceKind.FRICTION, a, b: -1, flag: 0, constants };
    if (!follows) return parts;
    return { ...parts, reaction: builder.joint("joint", options.joint).name };
  },
};

/** Returns sliding and static friction, as forces or as coefficients. */
function magnitudes(options: FrictionOptions, builder: ForceBuilder): readonly [number, number] {
  const follows = options.coefficient !== undefined || options.staticCoefficient !== undefined;
  const [slides, holds] = follows
    ? (["coefficient", "staticCoefficient"] as const)
    : (["coulomb", "static"] as const);
  if (follows) {
    refuse(options, ["coulomb", "static"], "is a magnitude: give that or a coefficient", builder);
    if (options.coefficient === undefined) throw builder.error("coefficient is missing");
  }
  const sliding = options[slides] ?? 0;
  const breakaway = options[holds] ?? sliding;
  if (breakaway >= sliding) return [sliding, breakaway];
  throw builder.error(
    `${holds} is ${breakaway}, less than ${slides}, ${sliding}: what is held needs more to slide, not less`,
  );
}

/** Returns the lever arm of friction about an axis; 1 for translation. */
function leverOf({ radius }: FrictionOptions, sensor: number, builder: ForceBuilder): number {
  if (builder.store.sensors[sensor]!.kind === SensorKind.ANGLE) {
    if (radius !== undefined) return radius;
    throw builder.error("radius is missing: where the reaction rubs, from the axis");
  }
  if (radius === undefined) return 1;
  throw builder.error("radius is for joints that turn");
}

function refuse(
  options: FrictionOptions,
  names: readonly (keyof FrictionOptions)[],
  reason: string,
  builder: ForceBuilder,
): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw builder.error(`${given} ${reason}`);
}

/** Returns a force that reads the state of its bristles. */
function bristles(
  options: FrictionOptions,
  law: Omit<BristleLaw, "stiffness" | "damping">,
  a: number,
  builder: ForceBuilder,
): ForceParts {
  refuse(
    options,
    ["coefficient", "staticCoefficient", "radius"],
    "does not go with bristles yet: give coulomb",
    builder,
  );
  if (options.stiffness === undefined) {
    throw builder.error("stiffness is missing: that of the bristles, in N/m or N m/rad");
  }
  const full: BristleLaw = {
    ...law,
    stiffness: options.stiffness,
    damping: options.damping ?? 0,
  };
  const joint = builder.joint("joint", options.joint).name;
  const isAngle = builder.store.sensors[a]!.kind === SensorKind.ANGLE;
  const name = bristlesOf(builder.name);
  builder.store.addStates({
    name,
    names: Object.freeze(["deflection"]),
    start: Object.freeze([0]),
    constants: Object.freeze(Object.values(full)),
    rates: (_t, y, read, out) => {
      const v = isAngle ? read.angleRate(joint) : read.displacementRate(joint);
      out[0] = bristleRate(full, y[0]!, v);
    },
  });
  return {
    kind: ForceKind.SENSOR_SPRING,
    a,
    b: -1,
    flag: 0,
    constants: constantsOf(SpringData.LENGTH, {}),
    reads: true,
    update: (slots, _motion, measured, _t, read) => {
      slots[SpringData.FORCE] = bristleForce(full, read!.state(name, "deflection"), measured[1]!);
    },
  };
}
