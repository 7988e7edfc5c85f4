import { ForceKind, StopData } from "../../../assembly/layout-bodies.js";
import { constantsOf } from "../model/constants.js";
import type { Joint } from "../model/handles.js";
import type { PointPairOptions } from "../model/markers.js";
import type { VectorLike } from "../model/option-checks.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";
import { hunt } from "./restitution.js";
import { type JointCoordinate, measuredBy } from "./sensed.js";

/** Options of `stop`. */
export interface StopOptions {
  /** For messages, readings and files. Default: the type with a number. */
  readonly name?: string | undefined;
  /** The joint whose angle or displacement it limits; or give `between`, and it limits a length. */
  readonly joint?: Joint | string | undefined;
  /** Two bodies or markers, whose points' distance it limits. */
  readonly between?: PointPairOptions["between"] | undefined;
  /** Point on the first body, in the world at the poses given; its origin if not given. */
  readonly atA?: VectorLike | undefined;
  /** Point on the second body, likewise. */
  readonly atB?: VectorLike | undefined;
  /** Which coordinate of a joint that has an angle and a displacement. */
  readonly of?: JointCoordinate | undefined;
  /** The smallest value: radians or metres. None if not given. */
  readonly lower?: number | undefined;
  /** The largest value. None if not given. */
  readonly upper?: number | undefined;
  /** k in k depth^exponent: N/m^exponent, or N m/rad^exponent about an axis. Without it the stop is rigid. */
  readonly stiffness?: number | undefined;
  /** 1 or more; 1.5 if not given, as bodies that touch in a point (Hertz). */
  readonly exponent?: number | undefined;
  /** d in the factor 1 + d depth', in s/m or s/rad. Zero if neither this nor `restitution` is given. */
  readonly damping?: number | undefined;
  /**
   * Part of the speed that is left after a bounce, 0 to 1. Of a rigid stop: 0 if not given. Of one that gives way: together
   * with `speed`, in place of `damping`.
   */
  readonly restitution?: number | undefined;
  /** Speed of the impact for which `restitution` is meant; others bounce by nearly as much. */
  readonly speed?: number | undefined;
}

/**
 * Limits of a joint's angle or displacement, or of the distance of two points. With `stiffness` it gives way: by a depth x
 * beyond a limit it pushes back with stiffness x^exponent (1 + damping x'), the law of Hunt and Crossley, smooth at touch; it
 * never pulls. Without, it is rigid: the impact is located, the rate is turned around times `restitution`, and what
 * stays at the limit rests there until it is pulled away.
 *
 * @example
 * m.stop({ joint: hinge, lower: -1, upper: 1, stiffness: 1e4, restitution: 0.7, speed: 1 });
 * m.stop({ joint: slide, upper: 0.3, restitution: 0.5 }); // rigid
 * m.stop({ between: [m.ground, hook], upper: 2, stiffness: 5e4, exponent: 1 }); // a slack rope
 */
export function stop(options: StopOptions, builder: ForceBuilder): ForceParts {
  builder.check(
    options,
    [],
    [
      "joint",
      "of",
      "between",
      "atA",
      "atB",
      "lower",
      "upper",
      "stiffness",
      "exponent",
      "damping",
      "restitution",
      "speed",
    ],
  );
  const a = measuredBy(options, builder);
  const [lower, upper] = limits(options, builder);
  const law = options.stiffness === undefined ? rigid(options, builder) : soft(options, builder);
  const constants = constantsOf(StopData.LENGTH, {
    ...law,
    [StopData.LOWER]: lower,
    [StopData.UPPER]: upper,
  });
  return { kind: ForceKind.STOP, a, b: -1, flag: 0, constants };
}

function limits({ lower, upper }: StopOptions, builder: ForceBuilder): readonly [number, number] {
  if (lower === undefined && upper === undefined) throw builder.error("give lower, upper or both");
  const low = lower === undefined ? Number.NEGATIVE_INFINITY : builder.finite("lower", lower);
  const high = upper === undefined ? Number.POSITIVE_INFINITY : builder.finite("upper", upper);
  if (low < high) return [low, high];
  throw builder.error(`lower is ${low} and upper ${high}: lower must be less`);
}

function rigid(options: StopOptions, builder: ForceBuilder): Partial<Record<StopData, number>> {
  for (const option of ["exponent", "damping", "speed"] as const) {
    if (options[option] === undefined) continue;
    throw builder.error(`${option} belongs to a stop that gives way: give stiffness too`);
  }
  return { [StopData.EXPONENT]: 1, [StopData.RESTITUTION]: restitutionOf(options, builder) };
}

function soft(options: StopOptions, builder: ForceBuilder): Partial<Record<StopData, number>> {
  const { exponent = 1.5, restitution, speed, damping } = options;
  const n = builder.finite("exponent", exponent);
  if (n < 1) throw builder.error(`exponent is ${n}: give 1 or more`);
  const law = {
    [StopData.STIFFNESS]: builder.positive("stiffness", options.stiffness),
    [StopData.EXPONENT]: n,
  };
  if (restitution === undefined && speed === undefined) {
    return { ...law, [StopData.DAMPING]: builder.notNegative("damping", damping) };
  }
  if (damping !== undefined) {
    throw builder.error("damping follows from restitution and speed: give those or damping");
  }
  if (restitution === undefined || speed === undefined) {
    const missing = restitution === undefined ? "restitution" : "speed";
    throw builder.error(`${missing} is missing: restitution is meant for impacts at a speed`);
  }
  const e = restitutionOf(options, builder);
  if (e === 0)
    throw builder.error("restitution is 0: a stop that gives way bounces, if ever so little");
  return { ...law, [StopData.DAMPING]: hunt(e) / builder.positive("speed", speed) };
}

function restitutionOf({ restitution = 0 }: StopOptions, builder: ForceBuilder): number {
  const e = builder.notNegative("restitution", restitution);
  if (e <= 1) return e;
  throw builder.error(`restitution is ${e}: 1 loses nothing, more is not possible`);
}
