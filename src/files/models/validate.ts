import { locationOf, type Mistake, readPart } from "../../base/checking/index.js";
import { advice, similar } from "../../base/checking/suggest.js";
import type { EquationsDocument, ModelDocument } from "../document/document.js";
import { documentSchema } from "../schema/document.js";
import { equationsSchema } from "../schema/equations.js";
import { has, isObject } from "../schema/values.js";
import type { ParsedText } from "../text/json-source.js";
import { type Path, Problems, pointerOf, TAKEN } from "../text/problems.js";

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

// Reports all problems of a file in one error. A problem in an entry hides those in the rest of the entry and in references to
// it. So a file with problems is read again with each of them repaired by a guess (the key that was probably meant, a valid value);
// problems found then at other locations are added. Rejected: checks that continue after a failure. Each of a hundred
// recipes would need a second path through its checks.

/** Largest number of readings of one file, and number of problems that ends the search for more. */
const MAX_ROUNDS = 12;
const MANY_PROBLEMS = 200;

/** Reads a file by a function that adds problems, and throws all of them. */
export function readAll<Read>(
  { value, place }: ParsedText,
  read: (value: unknown, problems: Problems) => Read | undefined,
): Read {
  const first = new Problems(place);
  const made = read(value, first);
  if (first.count === 0) return made as Read;
  const found: Issue[] = [...first.list];
  const copy = copied(value);
  let latest: readonly Issue[] = first.list;
  const isDone = () =>
    found.length > MANY_PROBLEMS || found.some(({ message }) => TOO_LONG.test(message));
  for (let round = 1; round < MAX_ROUNDS && copy !== undefined && !isDone(); round++) {
    // Unknown names come last, since repairing another entry may define them.
    const repaired = (isAbsent: boolean) =>
      latest.filter((one) => ABSENT.test(one.message) === isAbsent && repair(copy, one));
    if (repaired(false).length === 0 && repaired(true).length === 0) break;
    const problems = new Problems(place);
    read(copy, problems);
    latest = problems.list;
    for (const [i, { pointer, message }] of found.entries()) {
      const again = latest.find((one) => one.pointer === pointer && MEANT.test(one.message));
      if (again && !MEANT.test(message)) found[i] = again;
    }
    const pointers = found.map(({ pointer }) => pointer);
    found.push(...latest.filter(({ pointer }) => !pointers.some((one) => touches(one, pointer))));
  }
  const all = new Problems(place);
  const reported = withoutConsequences(found, first.list.length);
  for (const { path, message } of reported) all.add(path, message.replaceAll(INVISIBLE, ""));
  return all.finish(first.count + reported.length - first.list.length);
}

type Issue = Problems["list"][number];

/** Message about the length of formulas; later formulas are not checked. */
const TOO_LONG = /^from here on/;
const MEANT = /did you mean "?([^"?]+)"?\?/;
const ABSENT = /there is no (body|joint|force|joint or force|marker)[^"]* "([^"]*)"/;
const LISTS: Readonly<Record<string, string>> = {
  bodies: "body",
  joints: "joint",
  forces: "force",
};

/**
 * Removes consequences of invalid names. An entry with an invalid name was meant to have another, which may be used elsewhere.
 * For each such entry one unknown name is reported together with the invalid name instead of as a separate problem.
 */
function withoutConsequences(found: readonly Issue[], first: number): readonly Issue[] {
  const meant = new Map<Issue, string>();
  let problems = found.slice(first);
  for (const problem of found) {
    const [list, , key, ...rest] = problem.path;
    const what = LISTS[String(list)];
    if (what === undefined || key !== "name" || rest.length > 0) continue;
    const absent = problems.flatMap((one) => {
      const [, kind, name] = ABSENT.exec(one.message) ?? [];
      const isOne = kind?.includes(what) || (kind === "marker" && what === "body");
      return isOne ? [{ name: name!, pointer: one.pointer }] : [];
    });
    const uses = (name: string) =>
      absent.filter((one) => one.name === name || one.name.startsWith(`${name}:`));
    const [mostUsed] = [...absent].sort((a, b) => uses(b.name).length - uses(a.name).length);
    if (mostUsed === undefined) continue;
    const pointers = uses(mostUsed.name).map(({ pointer }) => pointer);
    problems = problems.filter(({ pointer }) => !pointers.includes(pointer));
    meant.set(problem, `. "${mostUsed.name}" is used at ${pointers.join(", ")} but not defined`);
  }
  return [...found.slice(0, first), ...problems].map((problem) => ({
    ...problem,
    message: `${problem.message}${meant.get(problem) ?? ""}`,
  }));
}

/** Copies a value; undefined for values of programs that cannot be copied, which are already reported. */
function copied(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** Whether two pointers are equal or one contains the other. */
function touches(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Valid values by option key. */
const VALID_VALUES: Readonly<Record<string, unknown>> = {
  nodrift: 1,
  units: "SI",
  gravity: [0, 0, 0],
  bodies: [],
  mass: 1,
  density: 1,
  inertia: [1, 1, 1],
  shape: { type: "sphere", radius: 1 },
  position: [0, 0, 0],
  axis: [0, 0, 1],
  axisA: [1, 0, 0],
  axisB: [0, 1, 0],
  at: [0, 0, 0],
  radius: 1,
  length: 1,
  expression: "0",
  when: "t",
  value: "t",
  span: [0, 1],
};

/** Invisible character that makes a name unique. */
const INVISIBLE = "\u2063";

type Branch = Record<string | number, unknown>;

/** Changes a document to remove a problem; false if no repair is known. */
function repair(document: unknown, { path, message }: Issue): boolean {
  const parent = path.slice(0, -1).reduce((at: unknown, key) => (at as Branch)?.[key], document);
  const key = path.at(-1);
  if (key === undefined || typeof parent !== "object" || parent === null) return false;
  // An entry in the wrong list would still be missing in the right one.
  if (message.includes(", which belongs in ")) return false;
  const node = parent as Branch;
  const meant = MEANT.exec(message)?.[1];
  if (/^"[^"]*" is not known/.test(message)) {
    const value = node[key];
    if (!Object.hasOwn(node, key)) return false;
    delete node[key];
    if (meant !== undefined && !Object.hasOwn(node, meant)) node[meant] = value;
    return true;
  }
  const before = JSON.stringify(node[key]);
  if (meant !== undefined && typeof node[key] === "string") node[key] = meant;
  else if (TAKEN.test(message)) node[key] = `${String(node[key])}${INVISIBLE}`;
  else if (key === "between" || path.at(-2) === "between") {
    if (key === "between") node.between = ["", ""];
    const between = (key === "between" ? node.between : node) as unknown[];
    const { bodies } = document as { readonly bodies?: readonly { readonly name?: unknown }[] };
    const other = [...(Array.isArray(bodies) ? bodies : [])].find(
      (body) => typeof body?.name === "string" && !between.includes(body.name),
    );
    between[key === 1 || key === "between" ? 1 : 0] = other?.name ?? "ground";
    if (key === "between") between[0] = "ground";
  } else if (typeof key === "number") {
    if (path[0] === "output") node[key] = "t";
  } else if (Object.hasOwn(VALID_VALUES, key)) node[key] = structuredClone(VALID_VALUES[key]);
  else if (key === "name" && path.length > 1) node[key] = INVISIBLE.repeat(1 + Number(path.at(-2)));
  else if (path.length > 1) delete node[key];
  return JSON.stringify(node[key]) !== before;
}
