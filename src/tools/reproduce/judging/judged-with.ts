// Whether a verdict can fail is to be tried: an entry judged again.

import { checkedFunction, needed, rule } from "../../../ground/checking/index.js";
import { withValue } from "./entries.js";

const isEntry = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  "bounds" in value &&
  "class" in value &&
  Array.isArray(value.bounds);

/**
 * An entry with another value: what its verdict would be. For those who want to see that a bound can fail.
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
