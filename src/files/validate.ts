import * as v from "valibot";
import type { ModelDocument } from "./document.js";
import { advice } from "./names.js";
import type { Path, Problems } from "./problems.js";
import { documentSchema } from "./schema/document.js";
import { isObject, knownKeys } from "./schema/values.js";

/**
 * Checks the structure of a document: keys, types, lengths. What is wrong is added to the problems, all of it; what
 * is returned can be used where it is not. It is what was given, with its keys in their order.
 */
export function validate(value: unknown, problems: Problems): ModelDocument | undefined {
  const { issues } = v.safeParse(documentSchema, value);
  for (const issue of issues ?? []) {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    problems.add(path, () => {
      const known = knownKeys.get(issue);
      const more = known === undefined ? "" : advice(String(path.at(-1)), known);
      return `${subjectOf(path)} ${issue.message}${more}`;
    });
  }
  return isObject(value) ? (value as unknown as ModelDocument) : undefined;
}

/** What it is about: the last key, and which entry of a list. */
function subjectOf(path: Path): string {
  const [list, key] = [path.at(-2), path.at(-1)];
  if (key === undefined) return "the file";
  if (typeof key !== "number") return `"${key}"`;
  return typeof list === "string" ? `entry ${key} of "${list}"` : `entry ${key}`;
}
