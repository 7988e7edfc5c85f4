// Formulas that were read before are not derived and compiled again: pages make the same system again
// and again.

import { Expression } from "../../describe/symbolic/expression.js";

/** Systems that are remembered. */
const MOST = 32;

const known = new Map<string, unknown>();

/** What was made of the same description before, or what `make` gives. Descriptions with expressions of programs are not compared. */
export function remembered<Made>(
  kind: string,
  name: string,
  description: object,
  isInterpreted: boolean,
  make: () => Made,
): Made {
  let isPlain = true;
  const replaced = (_: string, value: unknown) => {
    if (value instanceof Expression || !hasText(value)) isPlain = false;
    return value instanceof Expression ? null : value;
  };
  const key = attempted(() => JSON.stringify([kind, name, isInterpreted, description], replaced));
  if (key === undefined || !isPlain) return make();
  const found = known.get(key) as Made | undefined;
  const made = found ?? make();
  known.delete(key);
  known.set(key, made);
  if (known.size > MOST) known.delete(known.keys().next().value as string);
  return made;
}

/** Whether JSON tells a value from all others: it writes NaN, symbols and functions as nothing, and -0 as 0. */
function hasText(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return value !== null && ["string", "boolean", "object", "undefined"].includes(typeof value);
}

/** Nothing where an object contains itself, or holds what has no text: that is refused elsewhere. */
function attempted(make: () => string): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
