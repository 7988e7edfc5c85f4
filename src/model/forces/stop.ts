import { ForceKind, StopData } from "../../../assembly/layout-bodies.js";
import { finite, notNegative, number, positive } from "../../base/checking/index.js";
import type { VectorLike } from "../../base/checking/values.js";
import { constantsOf } from "../constants.js";
import type { Joint } from "../handles.js";
import type { PointPairOptions } from "../markers.js";
import type { ForceBuilder, ForceType } from "./force-builder.js";
import { type JointCoordinate, measuredBy, sensedRules } from "./sensed.js";

// Damping of Hunt and Crossley's law for a coefficient of restitution e. For a mass that hits with v0,
// m x'' = -k x^n g(d x'), and with y = d x' and dx = x' dx' / x'':
//
//   y dy / g(y) = -(k d^2 / m) x^n dx
//
// whose right-hand side has the same integral during compression and release: with z = d v0,
//
//   int_0^z y / g dy = int_{-e z}^0 -y / g dy,   g = 1 + y, and -1 / (4 y) below -1/2 (assembly/forces/stop.ts)
//   z - ln(1 + z) = -u - ln(1 - u)   for u = e z <= 1/2,   ln 2 - 1/2 + 4/3 (u^3 - 1/8) beyond
//
// So z is a function of e alone, neither mass nor stiffness nor exponent matter. Rejected: d = 3 (1 - e) / (2 v0),
// its first term for e near 1 (Hunt and Crossley), which bounces by 0.6 if 0.5 is specified.

const MAX_HALVINGS = 200;

/** Returns z for e in (0, 1]. */
function hunt(e: number): number {
  const surplus = (z: number) => wayIn(z) - wayOut(e * z);
  if (e === 1) return 0;
  // For small z the difference is about z^2 (1 - e^2) / 2 and positive; for large z the cube dominates.
  let [low, high] = [0, 1];
  while (surplus(high) > 0) high *= 2;
  for (let i = 0; i < MAX_HALVINGS && low < high; i++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (surplus(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

function wayIn(z: number): number {
  return z - Math.log1p(z);
}

function wayOut(u: number): number {
  if (u <= 0.5) return -u - Math.log1p(-u);
  return Math.LN2 - 0.5 + (4 / 3) * (u ** 3 - 0.125);
}

/** Options of `stop`. */
export interface StopOptions {
  /** Name in messages, readings and files. Default: the type and a running number. */
  readonly name?: string | undefined;
  /** The joint whose angle or displacement is limited. To limit a length, use `between` instead. */
  readonly joint?: Joint | string | undefined;
  /** Two bodies or markers with a point on each, whose distance is limited. */
  readonly between?: PointPairOptions["between"] | undefined;
  /** Point on the first body, in the world at the poses given; its origin if not given. */
  readonly atA?: VectorLike | undefined;
  /** Point on the second body, given in the same way. */
  readonly atB?: VectorLike | undefined;
  /** Coordinate of a joint that has both an angle and a displacement. */
  readonly of?: JointCoordinate | undefined;
  /** Lower limit in radians or metres. Default: no limit. */
  readonly lower?: number | undefined;
  /** Upper limit in radians or metres. Default: no limit. */
  readonly upper?: number | undefined;
  /** k in k depth^exponent, in N/m^exponent, or in N m/rad^exponent about an axis. Without it the stop is rigid. */
  readonly stiffness?: number | undefined;
  /** Exponent of the depth, at least 1. Default: 1.5, as for point contact (Hertz). */
  readonly exponent?: number | undefined;
  /** d in the factor 1 + d depth', in s/m or s/rad. Default: 0, unless `restitution` is given. */
  readonly damping?: number | undefined;
  /**
   * Coefficient of restitution, 0 to 1. Default for rigid stops: 0. For compliant stops it is given together with
   * `impactSpeed`, instead of `damping`.
   */
  readonly restitution?: number | undefined;
  /** Impact speed for which `restitution` holds exactly; at other speeds it holds approximately. */
  readonly impactSpeed?: number | undefined;
}

/**
 * Limits of a joint's angle or displacement, or of the distance of two points. With `stiffness` the stop is
 * compliant: at a penetration x it pushes back with stiffness x^exponent (1 + damping x'), the law of Hunt and
 * Crossley. This force is smooth at contact, and never pulls. Without `stiffness` the stop is rigid: the impact is
 * located, the rate is reversed times `restitution`, and a contact that does not rebound rests at the limit until it
 * is pulled away.
 *
 * @example
 * m.stop({ joint: hinge, lower: -1, upper: 1, stiffness: 1e4, restitution: 0.7, impactSpeed: 1 });
 * m.stop({ joint: slide, upper: 0.3, restitution: 0.5 }); // rigid
 * m.stop({ between: [m.ground, hook], upper: 2, stiffness: 5e4, exponent: 1 }); // a slack rope
 */
export const stop: ForceType<StopOptions> = {
  options: {
    ...sensedRules,
    lower: finite,
    upper: finite,
    stiffness: positive,
    exponent: number("a number >= 1", (value) => value >= 1, { minimum: 1 }),
    damping: notNegative,
    restitution: number(
      "a number from 0 to 1: 1 loses nothing",
      (value) => value >= 0 && value <= 1,
      { minimum: 0, maximum: 1 },
    ),
    impactSpeed: positive,
  },
  appearance: { attaches: "neither" },
  law(options, builder) {
    const a = measuredBy(options, builder);
    const [lower, upper] = limits(options, builder);
    const law = options.stiffness === undefined ? rigid(options, builder) : soft(options, builder);
    const constants = constantsOf(StopData.LENGTH, {
      ...law,
      [StopData.LOWER]: lower,
      [StopData.UPPER]: upper,
    });
    return { kind: ForceKind.STOP, a, b: -1, flag: 0, constants };
  },
};

function limits({ lower, upper }: StopOptions, builder: ForceBuilder): readonly [number, number] {
  if (lower === undefined && upper === undefined) throw builder.error("give lower, upper or both");
  const low = lower ?? Number.NEGATIVE_INFINITY;
  const high = upper ?? Number.POSITIVE_INFINITY;
  if (low < high) return [low, high];
  throw builder.error(`lower is ${low} and upper ${high}: lower must be less`);
}

function rigid(options: StopOptions, builder: ForceBuilder): Partial<Record<StopData, number>> {
  for (const option of ["exponent", "damping", "impactSpeed"] as const) {
    if (options[option] === undefined) continue;
    throw builder.error(`${option} belongs to a stop that gives way: give stiffness too`);
  }
  return { [StopData.EXPONENT]: 1, [StopData.RESTITUTION]: options.restitution ?? 0 };
}

function soft(options: StopOptions, builder: ForceBuilder): Partial<Record<StopData, number>> {
  const { stiffness, exponent = 1.5, restitution, impactSpeed, damping } = options;
  const law = { [StopData.STIFFNESS]: stiffness!, [StopData.EXPONENT]: exponent };
  if (restitution === undefined && impactSpeed === undefined) {
    return { ...law, [StopData.DAMPING]: damping ?? 0 };
  }
  if (damping !== undefined) {
    throw builder.error("damping follows from restitution and impactSpeed: give those or damping");
  }
  if (restitution === undefined || impactSpeed === undefined) {
    const missing = restitution === undefined ? "restitution" : "impactSpeed";
    throw builder.error(`${missing} is missing: restitution is meant for impacts at a speed`);
  }
  if (restitution === 0)
    throw builder.error("restitution is 0: a stop that gives way bounces, if ever so little");
  return { ...law, [StopData.DAMPING]: hunt(restitution) / impactSpeed };
}
