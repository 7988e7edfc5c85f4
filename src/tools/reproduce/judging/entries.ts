// Entries by their class. Whatever is NaN is missed.

import { type Against, type Bound, bounded, decimal, holds } from "./bounds.js";
import type { Entry, EntryClass, Verdict } from "./reproduction.js";

export { decimal };

/** What is known of an entry before it is judged. */
export interface Measured {
  readonly quantity: string;
  readonly value: number;
  readonly printed?: number | undefined;
  readonly reference?: number | undefined;
  readonly note?: string;
}

/** The root of ten: as near as a print that is a bare power of ten tells. A tenfold error is outside. */
export const MAGNITUDE = 3.16;

type Aimed = (bound: Omit<Bound, "against">) => Bound;
const aimed =
  (against: Against): Aimed =>
  (bound) => ({ ...bound, against });

/** By a part of what is compared with. */
export const relative = (by: number, against: Against = "reference"): Bound =>
  aimed(against)({ kind: "relative", by });
/** By a distance in a unit, if it has one. */
export const distance = (by: number, unit = "", against: Against = "reference"): Bound =>
  aimed(against)({ kind: "distance", by, ...(unit !== "" && { unit }) });
/** By a factor. */
export const factor = (by = MAGNITUDE, against: Against = "reference"): Bound =>
  aimed(against)({ kind: "factor", by });
/** Not above a bound that is derived, or that an independent code keeps. */
export const most = (by: number): Bound => ({ kind: "most", by, against: "bound" });
/** Not below a bound. */
export const least = (by: number): Bound => ({ kind: "least", by, against: "bound" });

/** The same, of what is printed. */
export const ofPrint = (bound: Bound): Bound => ({ ...bound, against: "printed" });

/** Half a unit of the last of so many digits that are printed, relative. */
export function halfUnit(printed: number, digits: number): number {
  const [, exponent = "0"] = Math.abs(printed).toExponential().split("e");
  return (0.5 * Number(`1e${Number(exponent) - digits + 1}`)) / Math.abs(printed);
}

/** A unit of the last of so many digits that a reference has, relative. */
export const unitOf = (reference: number, digits: number) => 2 * halfUnit(reference, digits);

/** Printed, and it must come out: the first bound is about the print, or is what is printed as a bound ("below 1e-15"). */
export function reproduced(measured: Measured, first: Bound, ...more: readonly Bound[]): Entry {
  return judged("printed and reproduced", measured, [ofPrint(first), ...more]);
}

/** Printed with digits that do not come out, for the reason given, but within the root of ten. */
export function inMagnitude(measured: Measured & { readonly note: string }): Entry {
  return judged("printed, in magnitude", measured, [ofPrint(factor())]);
}

/**
 * Printed, and known not to come out, which is checked: it must differ from the print by more than a part. Where it is
 * known what comes out instead, that is checked too.
 */
export function contradicted(
  measured: Measured & { readonly note: string },
  beyond: number,
  ...own: readonly Bound[]
): Entry {
  const away: Bound = { kind: "beyond", by: beyond, against: "printed" };
  return judged("printed and not reproducible", measured, [away, ...own]);
}

/** Not printed: held against what an independent code found, or a bound that is derived. */
export function checked(measured: Measured, first: Bound, ...more: readonly Bound[]): Entry {
  return judged("checked", measured, [first, ...more]);
}

/** Nothing is known that it could be held against. */
export function reported(measured: Measured): Entry {
  return judged("reported", measured, []);
}

/** The same entry with another value: what its verdict would be. */
export function withValue(entry: Entry, value: number): Entry {
  return judged(entry.class, { ...entry, value }, entry.bounds);
}

const ACCEPTED: Readonly<Record<EntryClass, Verdict>> = {
  "printed and reproduced": "reproduced",
  "printed, in magnitude": "in magnitude",
  "printed and not reproducible": "not reproducible",
  checked: "checked",
  reported: "reported",
};

function judged(kind: EntryClass, measured: Measured, bounds: readonly Bound[]): Entry {
  const { quantity, value, printed, reference, note } = measured;
  requireCompared(measured, bounds);
  return {
    quantity,
    class: kind,
    printed,
    reference,
    value,
    difference: differenceOf(measured, bounds),
    bounds,
    acceptance: bounds.map(bounded).join("; "),
    verdict: bounds.every((bound) => holds(bound, measured)) ? ACCEPTED[kind] : "missed",
    ...(note !== undefined && { note }),
  };
}

/** From what its first bound is about, else from the print, the reference, the bound. */
function differenceOf({ value, printed, reference }: Measured, [first]: readonly Bound[]): number {
  const own = first?.against === "reference" ? reference : printed;
  const c = own ?? printed ?? reference ?? first?.by;
  if (c === undefined) return Number.NaN;
  return first?.kind === "distance" || c === 0 ? value - c : (value - c) / Math.abs(c);
}

function requireCompared(measured: Measured, bounds: readonly Bound[]): void {
  for (const { against } of bounds) {
    if (against === "bound" || measured[against] !== undefined) continue;
    throw new Error(`${measured.quantity}: nothing is ${against} that it could be compared with`);
  }
}
