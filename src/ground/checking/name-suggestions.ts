// Suggestions for names that are not known. Lists of a file may be long, and so may names.

import { meant } from "./suggest.js";

/** Most names compared, and listed; names with more characters are skipped. */
const MOST = 50;
const LISTED = 20;
const LENGTH = 200;

/** What to write instead of a name: a similar one, or which there are. */
export function advice(name: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const near = similar(name, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  const more = known.length > LISTED ? ", ..." : "";
  return `: there are ${known.slice(0, LISTED).join(", ")}${more}`;
}

/** The known name that a wrong one is probably meant to be, if there is one. */
export function similar(name: string, known: readonly string[]): string | undefined {
  if (name.length > LENGTH) return undefined;
  const compared = known.slice(0, MOST);
  return meant(name, compared);
}
