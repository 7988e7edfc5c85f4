import { argument, finite, refuseMore } from "../../ground/checking/index.js";

/** Throws for arguments that are not numbers, by their names. */
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

/** Refuses arguments of what takes none. */
export function requireNothing(where: string, more: readonly unknown[]): void {
  refuseMore(where, "DESCRIPTION", more);
}
