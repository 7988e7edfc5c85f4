// Constructors of entries, one for each class. A NaN value is missed.

import { checkedFunction, needed, rule } from "../../../src/base/checking/index.js";
import { type Against, type Bound, bounded, decimal, holds } from "./bounds.js";
import type { Entry, EntryClass, Verdict } from "./reproduction.js";

export { decimal };

/** Data of an entry before its verdict. */
export interface Measured {
  readonly quantity: string;
  readonly value: number;
  readonly printed?: number | undefined;
  readonly reference?: number | undefined;
  readonly note?: string;
}

/** Square root of ten: the accuracy of a printed bare power of ten. A tenfold error is outside. */
export const MAGNITUDE = 3.16;

type Aimed = (bound: Omit<Bound, "against">) => Bound;
const aimed =
  (against: Against): Aimed =>
  (bound) => ({ ...bound, against });

/** Bound of the deviation relative to the reference. */
export const relative = (by: number, against: Against = "reference"): Bound =>
  aimed(against)({ kind: "relative", by });
/** Bound of the absolute deviation, with a unit if it has one. */
export const distance = (by: number, unit = "", against: Against = "reference"): Bound =>
  aimed(against)({ kind: "distance", by, ...(unit !== "" && { unit }) });
/** Bound of the ratio to the reference. */
export const factor = (by = MAGNITUDE, against: Against = "reference"): Bound =>
  aimed(against)({ kind: "factor", by });
/** Upper bound that is derived, or that an independent code satisfies. */
export const most = (by: number): Bound => ({ kind: "most", by, against: "bound" });
/** Lower bound. */
export const least = (by: number): Bound => ({ kind: "least", by, against: "bound" });

/** The bound applied to the printed value. */
export const ofPrint = (bound: Bound): Bound => ({ ...bound, against: "printed" });

/** Half a unit in the last of the printed digits, relative. */
export function halfUnit(printed: number, digits: number): number {
  const [, exponent = "0"] = Math.abs(printed).toExponential().split("e");
  return (0.5 * Number(`1e${Number(exponent) - digits + 1}`)) / Math.abs(printed);
}

/** One unit in the last of the reference's digits, relative. */
export const unitOf = (reference: number, digits: number) => 2 * halfUnit(reference, digits);

/** A printed value that must be reproduced: the first bound applies to the print, or is itself printed ("below 1e-15"). */
export function reproduced(measured: Measured, first: Bound, ...more: readonly Bound[]): Entry {
  return judged("printed and reproduced", measured, [ofPrint(first), ...more]);
}

/** A printed value whose digits are not reproduced, for the reason given, but within a factor of the root of ten. */
export function inMagnitude(measured: Measured & { readonly note: string }): Entry {
  return judged("printed, in magnitude", measured, [ofPrint(factor())]);
}

/**
 * A printed value known not to be reproducible, which is checked: it must differ from the print by more than a fraction. If the
 * correct value is known, that is checked too.
 */
export function contradicted(
  measured: Measured & { readonly note: string },
  beyond: number,
  ...own: readonly Bound[]
): Entry {
  const away: Bound = { kind: "beyond", by: beyond, against: "printed" };
  return judged("printed and not reproducible", measured, [away, ...own]);
}

/** A value that is not printed, checked against the result of an independent code or a derived bound. */
export function checked(measured: Measured, first: Bound, ...more: readonly Bound[]): Entry {
  return judged("checked", measured, [first, ...more]);
}

/** A value without a reference. */
export function reported(measured: Measured): Entry {
  return judged("reported", measured, []);
}

const isEntry = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  "bounds" in value &&
  "class" in value &&
  Array.isArray(value.bounds);

/**
 * Returns an entry with another value and the verdict of that, to test that a bound can fail.
 *
 * @example
 * for await (const entry of reproductions[0].run()) {
 *   console.log(judgedWith(entry, 10 * entry.value).verdict); // "missed"
 * }
 */
export const judgedWith = checkedFunction(
  "judgedWith",
  "DESCRIPTION",
  {
    entry: needed(rule("an entry of a table", isEntry)),
    value: needed(rule("a number", (value) => typeof value === "number")),
  },
  (entry: Entry, value: number) => judged(entry.class, { ...entry, value }, entry.bounds),
);

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

/** Difference from the reference of the first bound, else from the print, the reference, the bound. */
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
