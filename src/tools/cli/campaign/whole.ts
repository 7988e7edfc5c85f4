import { UsageError } from "../commands/command.js";
import { positiveOf } from "../commands/solve-options.js";

/** A whole number of the command line. */
export function wholeOf(name: string, text: string | undefined): number | undefined {
  const value = positiveOf(name, text);
  if (value === undefined || Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${name} must be a whole number, not ${text}`);
}
