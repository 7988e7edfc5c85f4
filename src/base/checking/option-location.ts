import { type ErrorCode, NodriftError } from "../errors.js";
import { show } from "./show.js";

/** Location of a value: the beginning of every message about it. */
export interface OptionLocation {
  /** The caller: `solve`, `body "crank"`. */
  readonly where: string;
  /** The option: `tolerance.absolute`. Empty for the options as a whole. */
  readonly path: string;
  /** The code of errors. */
  readonly code: ErrorCode;
  /** Collects the mistakes of a whole document, instead of an error for the first one. */
  readonly report?: (mistake: Mistake) => void;
  /** Keys from the root of that document to the value. */
  readonly keys?: readonly (string | number)[];
}

/** A mistake in a document. */
export interface Mistake {
  readonly keys: readonly (string | number)[];
  /** What is wrong with the value at these keys, and what to do: `is -1; give a positive number`. */
  readonly what: string;
  /** Known keys, if this one is unknown. */
  readonly known?: readonly string[];
  /** Whether a required value is missing. */
  readonly isMissing?: boolean;
}

/** Location of the options of a function. */
export function locationOf(where: string, code: ErrorCode, path = ""): OptionLocation {
  return { where, path, code };
}

/** Location of an option, or of an entry of a list. */
export function inside(place: OptionLocation, key: string | number): OptionLocation {
  const { where, path, code, report, keys = [] } = place;
  if (report) return { where, path, code, report, keys: [...keys, key] };
  return { where, path: pathText([key], path), code };
}

/** Returns keys as in programs: `tolerance.absolute`, `parameters[2].at`. */
export function pathText(keys: readonly (string | number)[], start = ""): string {
  return keys.reduce((path: string, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    return path === "" ? key : `${path}.${key}`;
  }, start);
}

/** Thrown for a mistake that a location has collected. */
const COLLECTED = new NodriftError("DESCRIPTION", "the mistake is reported elsewhere");

/**
 * Reads a part of options. If the location collects mistakes, a part with a mistake is undefined and the other parts
 * are read all the same.
 */
export function readPart<T>(place: OptionLocation, read: () => T): T | undefined {
  if (!place.report) return read();
  try {
    return read();
  } catch (error) {
    if (error === COLLECTED) return undefined;
    throw error;
  }
}

/** Error for a value, with a complete sentence: `solve: step <what>`. */
export function optionError(
  { where, path, code, report, keys = [] }: OptionLocation,
  what: string,
  cause?: unknown,
  more: Pick<Mistake, "known" | "isMissing"> = {},
): NodriftError {
  if (report) {
    report({ keys, what, ...more });
    return COLLECTED;
  }
  const whole = path === "" ? what : `${path} ${what}`;
  const options = cause === undefined ? undefined : { cause };
  return new NodriftError(code, where === "" ? whole : `${where}: ${whole}`, options);
}

/** Error for a value of the wrong kind: `solve: step is -1; give a positive number`. */
export function wrongValueError(
  place: OptionLocation,
  value: unknown,
  wants: string,
): NodriftError {
  if (value === undefined) {
    return optionError(place, `is missing; give ${wants}`, undefined, { isMissing: true });
  }
  return optionError(place, `is ${show(value)}; give ${wants}`);
}
