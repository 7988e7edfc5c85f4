import { BushingData, ForceKind } from "../../../assembly/layout-bodies.js";
import { constantsOf } from "../model/constants.js";
import type { FramePairOptions } from "../model/markers.js";
import { isList, numbers } from "../model/option-checks.js";
import type { ForceBuilder, ForceParts } from "./force-builder.js";

/** Along x, y, z of A, or along and about them; or one number along and one about all. */
export type SixComponents =
  | readonly [number, number, number]
  | readonly [number, number, number, number, number, number]
  | { readonly translation?: number | undefined; readonly rotation?: number | undefined };

/** Options of `bushing`. */
export interface BushingOptions extends FramePairOptions {
  /** N/m, then N m/rad. */
  readonly stiffness?: SixComponents | undefined;
  /** N s/m, then N m s/rad. */
  readonly damping?: SixComponents | undefined;
}

/**
 * A block of rubber between two bodies: springs and dampers along and about the axes of A, slack where
 * the frames of A and B coincide. Turns are 2 x the vector part of the relative Euler parameters, which
 * are angles while they are small. Made from bodies it is slack at the poses given; `axis` is its z,
 * that of the world if not given.
 *
 * @example
 * m.bushing({ between: [frame, engine], at: [0, 0, 0], stiffness: [1e5, 1e5, 3e5, 500, 500, 200] });
 */
export function bushing(options: BushingOptions, builder: ForceBuilder): ForceParts {
  builder.check(options, ["between"], ["at", "axis", "stiffness", "damping"]);
  if (options.stiffness === undefined && options.damping === undefined) {
    throw builder.error("give stiffness or damping");
  }
  const [a, b] = builder.markers.framePair(options, { axis: "optional" });
  const k = components("stiffness", options.stiffness, builder);
  const c = components("damping", options.damping, builder);
  const slots = [0, 1, 2].flatMap((i): [number, number][] => [
    [BushingData.STIFFNESS + i, k[i]!],
    [BushingData.DAMPING + i, c[i]!],
    [BushingData.TURN_STIFFNESS + i, k[3 + i]!],
    [BushingData.TURN_DAMPING + i, c[3 + i]!],
  ]);
  const constants = constantsOf(BushingData.LENGTH, Object.fromEntries(slots));
  return { kind: ForceKind.BUSHING, a, b, flag: 0, constants };
}

/** Three along and three about. */
function components(option: string, value: unknown, builder: ForceBuilder): readonly number[] {
  if (value === undefined) return [0, 0, 0, 0, 0, 0];
  if (isList(value)) {
    if (value.length !== 3 && value.length !== 6) {
      throw builder.error(`${option} must be 3 or 6 numbers, not ${value.length}`);
    }
    const list = numbers(builder.where, option, value, value.length);
    for (const [i, entry] of list.entries()) builder.notNegative(`${option}[${i}]`, entry);
    return value.length === 6 ? list : [...list, 0, 0, 0];
  }
  const both = value as { translation?: unknown; rotation?: unknown };
  builder.checkInner(option, both, [], ["translation", "rotation"]);
  const along = builder.notNegative(`${option}.translation`, both.translation);
  const about = builder.notNegative(`${option}.rotation`, both.rotation);
  return [along, along, along, about, about, about];
}
