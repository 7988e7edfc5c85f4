import * as v from "valibot";
import { advice, similar } from "../../base/checking/suggest.js";
import type { ModelDocument } from "../document/document.js";
import type { EquationsDocument } from "../document/equations-document.js";
import { documentSchema } from "../schema/document.js";
import { equationsSchema } from "../schema/equations.js";
import { has, isObject, knownKeys, MISSING } from "../schema/values.js";
import { type Path, type Problems, pointerOf } from "../text/problems.js";

/**
 * Checks the structure of a document: keys, types and lengths. Adds all problems. Returns the given document, with its
 * keys in order; the parts without problems can be used.
 */
export function validate(value: unknown, problems: Problems): FileDocument | undefined {
  const schema = holdsEquations(value) ? equationsSchema : documentSchema;
  const { issues = [] } = v.safeParse(schema as v.GenericSchema, value);
  const found = issues.map((issue) => ({ issue, path: pathOf(issue) }));
  const meant = new Set(found.slice(0, MAX_CHECKED_ISSUES).flatMap(meantKey));
  for (const { issue, path } of found) {
    const { message } = issue;
    // A misspelt key is not reported as missing as well.
    if (message === MISSING && meant.has(pointerOf(path))) problems.mark(path);
    else {
      problems.add(path, () => {
        const more = advice(String(path.at(-1)), knownKeys.get(issue) ?? []);
        return `${subjectOf(path)} ${message}${more}`;
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

/** Largest number of issues checked for misspelt keys. */
const MAX_CHECKED_ISSUES = 2000;

interface KeyIssue {
  readonly issue: v.BaseIssue<unknown>;
  readonly path: Path;
}

function pathOf({ path }: v.BaseIssue<unknown>): Path {
  return (path ?? []).map(({ key }) => key as string | number);
}

/** Pointer of the missing key that an unknown key was probably meant to be. */
function meantKey({ issue, path }: KeyIssue): string[] {
  const meant = similar(String(path.at(-1)), knownKeys.get(issue) ?? []);
  return meant === undefined ? [] : [pointerOf([...path.slice(0, -1), meant])];
}

/** Subject of a message: the last key, or the entry of a list. */
function subjectOf(path: Path): string {
  const [list, key] = [path.at(-2), path.at(-1)];
  if (key === undefined) return "the file";
  if (typeof key !== "number") return `"${key}"`;
  return typeof list === "string" ? `entry ${key} of "${list}"` : `entry ${key}`;
}
