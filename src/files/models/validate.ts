import { locationOf, type Mistake, readPart } from "../../base/checking/index.js";
import { advice, similar } from "../../base/checking/suggest.js";
import type { ModelDocument } from "../document/document.js";
import type { EquationsDocument } from "../document/equations-document.js";
import { documentSchema } from "../schema/document.js";
import { equationsSchema } from "../schema/equations.js";
import { has, isObject } from "../schema/values.js";
import { type Path, type Problems, pointerOf } from "../text/problems.js";

/**
 * Checks the structure of a document: keys, types and lengths. Adds all problems. Returns the given document, with its
 * keys in order; the parts without problems can be used.
 */
export function validate(value: unknown, problems: Problems): FileDocument | undefined {
  const schema = holdsEquations(value) ? equationsSchema : documentSchema;
  const found: Mistake[] = [];
  const place = { ...locationOf("", "DESCRIPTION"), report: (one: Mistake) => found.push(one) };
  readPart(place, () => schema.read(value, place));
  const meant = new Set(found.slice(0, MAX_CHECKED_MISTAKES).flatMap(meantKey));
  for (const { keys, what, known, isMissing } of found) {
    // A misspelt key is not reported as missing as well.
    if (isMissing && meant.has(pointerOf(keys))) problems.mark(keys);
    else {
      problems.add(keys, () => {
        const more = known === undefined ? "" : advice(String(keys.at(-1)), known);
        return `${subjectOf(keys)} ${what}${more}`;
      });
    }
  }
  return isObject(value) ? (value as unknown as FileDocument) : undefined;
}

/** A mechanism, or a system of equations. */
export type FileDocument = ModelDocument | EquationsDocument;

/** Whether a file contains equations instead of a mechanism with bodies. */
export function holdsEquations(value: unknown): boolean {
  return has(value, "equations") && !has(value, "bodies");
}

/** {@link holdsEquations} for a validated document. */
export function isEquations(document: FileDocument): document is EquationsDocument {
  return holdsEquations(document);
}

/** Largest number of mistakes checked for misspelt keys. */
const MAX_CHECKED_MISTAKES = 2000;

/** Pointer of the missing key that an unknown key was probably meant to be. */
function meantKey({ keys, known = [] }: Mistake): string[] {
  const meant = similar(String(keys.at(-1)), known);
  return meant === undefined ? [] : [pointerOf([...keys.slice(0, -1), meant])];
}

/** Subject of a message: the last key, or the entry of a list. */
function subjectOf(path: Path): string {
  const [list, key] = [path.at(-2), path.at(-1)];
  if (key === undefined) return "the file";
  if (typeof key !== "number") return `"${key}"`;
  return typeof list === "string" ? `entry ${key} of "${list}"` : `entry ${key}`;
}
