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
  const key = JSON.stringify([kind, name, isInterpreted, description], (_, value: unknown) => {
    if (value instanceof Expression || typeof value === "function") isPlain = false;
    return value instanceof Expression ? null : value;
  });
  if (!isPlain) return make();
  const found = known.get(key) as Made | undefined;
  const made = found ?? make();
  known.delete(key);
  known.set(key, made);
  if (known.size > MOST) known.delete(known.keys().next().value as string);
  return made;
}
