// Entries by how they are judged. Whatever is NaN is missed.

import type { Entry } from "./reproduction.js";

/** What is known of an entry before it is judged. */
export interface Measured {
  readonly quantity: string;
  readonly value: number;
  readonly printed?: number | undefined;
  readonly reference?: number | undefined;
  readonly note?: string;
}

const UNREPRODUCIBLE = "known not to reproduce";

/** Near the reference, or else what is printed, by a part of it. */
export function relativelyNear(measured: Measured, part: number): Entry {
  const difference = relativeTo(comparedOf(measured), measured.value);
  return judged(
    measured,
    difference,
    `within ${decimal(part)} relative`,
    Math.abs(difference) <= part,
  );
}

/** Near the reference, or else what is printed, by a distance in a unit, if it has one. */
export function near(measured: Measured, distance: number, unit = ""): Entry {
  const difference = measured.value - comparedOf(measured);
  const acceptance = `within ${decimal(distance)} ${unit}`.trimEnd();
  return judged(measured, difference, acceptance, Math.abs(difference) <= distance);
}

/** The very number. */
export function exactly(measured: Measured): Entry {
  const difference = measured.value - comparedOf(measured);
  return judged(measured, difference, "exactly", difference === 0);
}

/** Not above a bound. */
export function atMost(measured: Measured, bound: number): Entry {
  const difference = relativeTo(measured.reference ?? measured.printed ?? bound, measured.value);
  return judged(measured, difference, `at most ${decimal(bound)}`, measured.value <= bound);
}

/** Not below a bound. */
export function atLeast(measured: Measured, bound: number): Entry {
  const difference = relativeTo(measured.reference ?? measured.printed ?? bound, measured.value);
  return judged(measured, difference, `at least ${decimal(bound)}`, measured.value >= bound);
}

/** What is printed does not follow from the paper, and nothing else is known about it. */
export function unreproducible(measured: Measured & { readonly note: string }): Entry {
  const difference = relativeTo(comparedOf(measured), measured.value);
  return { ...judged(measured, difference, UNREPRODUCIBLE, true), verdict: "not reproducible" };
}

/** What is printed does not follow from the paper; the entry is our own check of what does. */
export function notReproducibleButChecked(check: Entry): Entry {
  return {
    ...check,
    acceptance: `${UNREPRODUCIBLE}; ${check.acceptance}`,
    verdict: check.verdict === "reproduced" ? "not reproducible" : check.verdict,
  };
}

function judged(
  { quantity, value, printed, reference, note }: Measured,
  difference: number,
  acceptance: string,
  accepted: boolean,
): Entry {
  return {
    quantity,
    printed,
    reference,
    value,
    difference,
    acceptance,
    verdict: accepted ? "reproduced" : "missed",
    ...(note !== undefined && { note }),
  };
}

function comparedOf({ quantity, printed, reference }: Measured): number {
  const compared = reference ?? printed;
  if (compared === undefined) throw new Error(`${quantity}: there is nothing to compare it with`);
  return compared;
}

function relativeTo(compared: number, value: number): number {
  return (value - compared) / Math.abs(compared);
}

/** A number as one writes it: 0.02, 5e-3, 1e-10. */
export function decimal(value: number): string {
  const size = Math.abs(value);
  return size === 0 || (size >= 0.01 && size < 1e6) ? String(value) : value.toExponential();
}
