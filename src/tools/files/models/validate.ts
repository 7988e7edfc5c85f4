import * as v from "valibot";
import { advice, similar } from "../../../ground/checking/name-suggestions.js";
import type { ModelDocument } from "../document/document.js";
import type { EquationsDocument } from "../document/equations-document.js";
import { documentSchema } from "../schema/document.js";
import { equationsSchema } from "../schema/equations.js";
import { has, isObject, knownKeys, MISSING } from "../schema/values.js";
import { type Path, type Problems, pointerOf } from "../text/problems.js";

/**
 * Checks the structure of a document: keys, types, lengths. What is wrong is added to the problems, all of it; what
 * is returned can be used where it is not. It is what was given, with its keys in their order.
 */
export function validate(value: unknown, problems: Problems): FileDocument | undefined {
  const schema = holdsEquations(value) ? equationsSchema : documentSchema;
  const { issues = [] } = v.safeParse(schema as v.GenericSchema, value);
  const found = issues.map((issue) => ({ issue, path: pathOf(issue) }));
  const meant = new Set(found.slice(0, LOOKED_AT).flatMap(meantKey));
  for (const { issue, path } of found) {
    const { message } = issue;
    // A key that is misspelt is not missing besides.
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

/** A mechanism, or a system by equations. */
export type FileDocument = ModelDocument | EquationsDocument;

/** Whether a file is about equations: mechanisms have bodies. */
export function holdsEquations(value: unknown): boolean {
  return has(value, "equations") && !has(value, "bodies");
}

/** {@link holdsEquations}, of what was validated. */
export function isEquations(document: FileDocument): document is EquationsDocument {
  return holdsEquations(document);
}

/** Most issues checked for misspelt keys. */
const LOOKED_AT = 2000;

interface Found {
  readonly issue: v.BaseIssue<unknown>;
  readonly path: Path;
}

function pathOf({ path }: v.BaseIssue<unknown>): Path {
  return (path ?? []).map(({ key }) => key as string | number);
}

/** Where the key is that one which is not known was probably meant to be. */
function meantKey({ issue, path }: Found): string[] {
  const meant = similar(String(path.at(-1)), knownKeys.get(issue) ?? []);
  return meant === undefined ? [] : [pointerOf([...path.slice(0, -1), meant])];
}

/** What it is about: the last key, and which entry of a list. */
function subjectOf(path: Path): string {
  const [list, key] = [path.at(-2), path.at(-1)];
  if (key === undefined) return "the file";
  if (typeof key !== "number") return `"${key}"`;
  return typeof list === "string" ? `entry ${key} of "${list}"` : `entry ${key}`;
}
