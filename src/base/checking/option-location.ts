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
}

/** Location of the options of a function. */
export function locationOf(where: string, code: ErrorCode, path = ""): OptionLocation {
  return { where, path, code };
}

/** Location of an option, or of an entry of a list. */
export function inside(
  { where, path, code }: OptionLocation,
  key: string | number,
): OptionLocation {
  const next = typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
  return { where, path: next, code };
}

/** Error for a value, with a complete sentence: `solve: step <what>`. */
export function optionError(
  { where, path, code }: OptionLocation,
  what: string,
  cause?: unknown,
): NodriftError {
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
  if (value === undefined) return optionError(place, `is missing; give ${wants}`);
  return optionError(place, `is ${show(value)}; give ${wants}`);
}
