import { UsageError } from "../../src/cli/commands/command.js";
import { positiveOf } from "../../src/cli/commands/solve-options.js";

/** Parses an integer option of the command line. */
export function integerOption(name: string, text: string | undefined): number | undefined {
  const value = positiveOf(name, text);
  if (value === undefined || Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${name} must be an integer, not ${text}`);
}
