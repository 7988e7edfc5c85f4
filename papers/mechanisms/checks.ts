import { argument, finite, refuseMore } from "../../src/base/checking/index.js";

/** Throws if an argument, given by name, is not a number. */
export function requireNumbers(
  where: string,
  given: Readonly<Record<string, unknown>>,
  more: readonly unknown[] = [],
): void {
  refuseMore(where, "DESCRIPTION", more);
  for (const [name, value] of Object.entries(given)) {
    argument(where, "DESCRIPTION", name, value, finite);
  }
}

/** Rejects extra arguments. */
export function requireNothing(where: string, more: readonly unknown[]): void {
  refuseMore(where, "DESCRIPTION", more);
}

/** Cells of a table that is written as text: a line for each row, with spaces between cells. */
export function rowsOf(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}
