// Judges an entry again with another value, to test that its verdict can fail.

import { checkedFunction, needed, rule } from "../../../src/base/checking/index.js";
import { withValue } from "./entries.js";

const isEntry = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  "bounds" in value &&
  "class" in value &&
  Array.isArray(value.bounds);

/**
 * Returns an entry with another value and the verdict of that, to test that a bound can fail.
 *
 * @example
 * for await (const entry of reproductions[0].run()) {
 *   console.log(judgedWith(entry, 10 * entry.value).verdict); // "missed"
 * }
 */
export const judgedWith = checkedFunction(
  "judgedWith",
  "DESCRIPTION",
  {
    entry: needed(rule("an entry of a table", isEntry)),
    value: needed(rule("a number", (value) => typeof value === "number")),
  },
  withValue,
);
