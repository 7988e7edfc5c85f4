// Command-line options of `solve`; they override those of the file.

import { NodriftError } from "../../base/errors.js";
import type { CompiledModel, CompileOptions } from "../../bodies.js";
import {
  estimatesError,
  type MethodChoice,
  parseMethod,
  type SolveSettings,
} from "../../files/index.js";
import type { OutputOption, SolveOptions } from "../../solve.js";
import { type Option, UsageError } from "./command.js";

/** Entries for the option tables of commands. */
export const solveOptionHelp = {
  until: { value: "TIME", short: "t", help: "end time of the run" },
  from: { value: "TIME", help: "start time of the run" },
  tolerance: { value: "NUMBER", help: "error tolerance of each step" },
  method: {
    value: "NAME",
    short: "m",
    help: 'for example "dop853", "welch", "udwadiaKalaba + projection + rk4"',
  },
  coordinates: { value: "KIND", help: '"relative" (joints), "maximal" (bodies) or "auto"' },
  step: { value: "TIME", help: "fixed step size, no error control" },
  rate: { value: "NUMBER", help: "output rows per unit of time" },
  "max-steps": { value: "NUMBER", help: "maximum number of steps" },
  "max-seconds": { value: "NUMBER", help: "maximum real time, in seconds" },
} as const satisfies Readonly<Record<string, Option>>;

type SolveArguments = { readonly [Name in keyof typeof solveOptionHelp]?: string };

type Changes = Partial<SolveOptions<CompiledModel>>;

/** Returns a function that maps the settings of a file to changed options. Mistakes are reported before any file is read. */
export function solveChanges(
  given: SolveArguments,
): (settings: Partial<Pick<SolveSettings, "span" | "step">> | undefined) => Changes {
  const from = numberOf("from", given.from);
  const until = numberOf("until", given.until);
  const rate = positiveOf("rate", given.rate);
  const output: OutputOption | undefined = rate === undefined ? undefined : { rate };
  const changes = {
    tolerance: positiveOf("tolerance", given.tolerance),
    step: positiveOf("step", given.step),
    maximumSteps: positiveOf("max-steps", given["max-steps"]),
    maximumSeconds: positiveOf("max-seconds", given["max-seconds"]),
    output,
  };
  const known = Object.entries(changes).filter(([, value]) => value !== undefined);
  const method = given.method === undefined ? undefined : methodChoice(given.method);
  return ({ span, step } = {}) => {
    if (method && (changes.step ?? step) === undefined && !estimatesError(method)) {
      throw new UsageError(
        `--method "${given.method}" does not estimate its error: give --step, or use a method that does, like dop853`,
      );
    }
    const end = until ?? span?.[1];
    const times = end === undefined ? {} : { span: [from ?? span?.[0] ?? 0, end] as const };
    return { ...times, ...Object.fromEntries(known), ...method };
  };
}

/** Parses the name of a method. Throws a usage error for an unknown one. */
export function methodChoice(text: string): MethodChoice {
  try {
    return parseMethod(text);
  } catch (error) {
    throw error instanceof NodriftError ? new UsageError(error.message) : error;
  }
}

/** Checks the value of --coordinates. */
export function coordinatesOf(text: string | undefined): CompileOptions["coordinates"] {
  if (text === undefined || text === "auto" || text === "relative" || text === "maximal")
    return text;
  throw new UsageError(`--coordinates must be auto, relative or maximal, not "${text}"`);
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new UsageError(`--${name} must be a number, not "${text}"`);
}

export function positiveOf(name: string, text: string | undefined): number | undefined {
  const value = numberOf(name, text);
  if (value === undefined || value > 0) return value;
  throw new UsageError(`--${name} must be positive, not ${text}`);
}

/** Parses an integer option of the command line. */
export function integerOption(name: string, text: string | undefined): number | undefined {
  const value = positiveOf(name, text);
  if (value === undefined || Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${name} must be an integer, not ${text}`);
}
