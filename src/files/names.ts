// Suggestions for names that are not known. Lists of a file may be long, and so may names.

import { hint } from "../model/checks.js";

/** So many names are compared, and listed; names with more characters are not. */
const MOST = 50;
const LISTED = 20;
const LENGTH = 200;

/** What to write instead of a name: a similar one, or which there are. */
export function advice(name: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const compared = known.slice(0, MOST);
  const found = name.length > LENGTH ? "" : hint(name, compared);
  if (found.endsWith("?")) return found;
  const more = known.length > LISTED ? ", ..." : "";
  return `: there are ${known.slice(0, LISTED).join(", ")}${more}`;
}
