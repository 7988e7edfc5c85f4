// Cache of systems by formulas, so that known formulas are not derived and compiled again: pages often create the same
// system repeatedly.

import { Expression } from "../../formulas/symbolic/expression.js";

/** Maximum number of cached systems. */
const MAX_CACHED_SYSTEMS = 32;

const known = new Map<string, unknown>();

/**
 * Returns the cached result for an equal description, or the result of `make`. Descriptions with expression objects
 * are not compared.
 */
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
  if (known.size > MAX_CACHED_SYSTEMS) known.delete(known.keys().next().value as string);
  return made;
}

/**
 * Returns whether JSON distinguishes a value from all others: it drops NaN, symbols and functions, and writes -0 as 0.
 */
function hasText(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return value !== null && ["string", "boolean", "object", "undefined"].includes(typeof value);
}

/** Returns undefined if an object contains itself, or a value without text; such objects are rejected elsewhere. */
function attempted(make: () => string): string | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
