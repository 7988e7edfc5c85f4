// Numbers by the names of coordinates.

import { hint } from "../../../describe/model/option-checks.js";
import {
  inside,
  isList,
  locationOf,
  numbers,
  optionError,
  readRecord,
  wrongValueError,
} from "../../../ground/checking/index.js";

/** An object with a number for each name, in their order. */
export function byName(
  names: readonly string[],
  values: ArrayLike<number>,
): Readonly<Record<string, number>> {
  // Assigned one by one, that of "__proto__" would vanish.
  return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
}

/** A list of as many numbers as there are names, from one or from an object; names that are left out are zero. */
export function namedNumbers(
  where: string,
  what: string,
  given: unknown,
  names: readonly string[],
): Float64Array {
  const place = locationOf(where, "STEP", `${what}s`);
  if (isList(given)) {
    const list = numbers.read(given, place);
    if (list.length === names.length) return list;
    throw optionError(place, `are ${list.length}; there are ${names.length} coordinates`);
  }
  const values = new Float64Array(names.length);
  const record = readRecord(place, given, "numbers by names of coordinates, or a list of them");
  for (const [name, value] of Object.entries(record)) {
    const index = names.indexOf(name);
    if (index < 0) {
      throw optionError(place, `has no coordinate "${name}"${hint(name, names)}`);
    }
    if (typeof value !== "number" || !Number.isFinite(value)) {
      throw wrongValueError(inside(place, name), value, "a finite number");
    }
    values[index] = value;
  }
  return values;
}
