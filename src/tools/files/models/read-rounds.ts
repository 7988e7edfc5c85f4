// All that is wrong with a file, in one error. What is wrong in an entry keeps the rest of it, and what refers to it, from being judged:
// so a file with problems is read once more with each of them mended by a guess (a key as it was probably meant, a number that
// is allowed), and what is found then, elsewhere than at what was mended, is added. Rejected: checks that go on after a failure. Each of a hundred
// recipes would need a second way through its checks.

import type { Source } from "../text/json-source.js";
import { Problems, TAKEN } from "../text/problems.js";

/** Readings of one file, and problems beyond which nobody wants more. */
const ROUNDS = 12;
const MANY = 200;

/** Reads a file by a function that adds problems, and throws all of them. */
export function readAll<Read>(
  { value, place }: Source,
  read: (value: unknown, problems: Problems) => Read | undefined,
): Read {
  const first = new Problems(place);
  const made = read(value, first);
  if (first.count === 0) return made as Read;
  const found: Kept[] = [...first.list];
  const copy = copied(value);
  let latest: readonly Kept[] = first.list;
  const isDone = () => found.length > MANY || found.some(({ message }) => TOO_LONG.test(message));
  for (let round = 1; round < ROUNDS && copy !== undefined && !isDone(); round++) {
    // Names that are nowhere come last: what they name may be mended before.
    const mended = (isAbsent: boolean) =>
      latest.filter((one) => ABSENT.test(one.message) === isAbsent && mend(copy, one));
    if (mended(false).length === 0 && mended(true).length === 0) break;
    const problems = new Problems(place);
    read(copy, problems);
    latest = problems.list;
    for (const [i, { pointer, message }] of found.entries()) {
      const again = latest.find((one) => one.pointer === pointer && MEANT.test(one.message));
      if (again && !MEANT.test(message)) found[i] = again;
    }
    const known = found.map(({ pointer }) => pointer);
    found.push(...latest.filter(({ pointer }) => !known.some((one) => touches(one, pointer))));
  }
  const all = new Problems(place);
  const told = withoutConsequences(found, first.list.length);
  for (const { path, message } of told) all.add(path, message.replaceAll(OTHER, ""));
  return all.finish(first.count + told.length - first.list.length);
}

type Kept = Problems["list"][number];

/** Of formulas: what comes behind is not judged. */
const TOO_LONG = /^from here on/;
const MEANT = /did you mean "?([^"?]+)"?\?/;
const ABSENT = /there is no (body|joint|force|joint or force|marker)[^"]* "([^"]*)"/;
const LISTS: Readonly<Record<string, string>> = {
  bodies: "body",
  joints: "joint",
  forces: "force",
};

/**
 * An entry whose name is wrong had another, which may be used elsewhere: of names that are nowhere, as many as there are such
 * entries are not problems of their own. They are said with the name that is wrong.
 */
function withoutConsequences(found: readonly Kept[], first: number): readonly Kept[] {
  const meant = new Map<Kept, string>();
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
    const [most] = [...absent].sort((a, b) => uses(b.name).length - uses(a.name).length);
    if (most === undefined) continue;
    const pointers = uses(most.name).map(({ pointer }) => pointer);
    problems = problems.filter(({ pointer }) => !pointers.includes(pointer));
    meant.set(problem, `. "${most.name}" is named at ${pointers.join(", ")}, and is not there`);
  }
  return [...found.slice(0, first), ...problems].map((problem) => ({
    ...problem,
    message: `${problem.message}${meant.get(problem) ?? ""}`,
  }));
}

/** Values of programs may be what cannot be copied: they have been refused. */
function copied(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** Whether one is the other, or what it is in. */
function touches(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** What is allowed everywhere, by the keys of options. */
const ALLOWED: Readonly<Record<string, unknown>> = {
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

/** Makes a name another one, and is not seen. */
const OTHER = "\u2063";

type Node = Record<string | number, unknown>;

/** Changes a document so that a problem is gone; false if no change is known. */
function mend(document: unknown, { path, message }: Kept): boolean {
  const parent = path.slice(0, -1).reduce((node: unknown, key) => (node as Node)?.[key], document);
  const key = path.at(-1);
  if (key === undefined || typeof parent !== "object" || parent === null) return false;
  // What belongs elsewhere is missing there.
  if (message.includes(", which belongs in ")) return false;
  const node = parent as Node;
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
  else if (TAKEN.test(message)) node[key] = `${String(node[key])}${OTHER}`;
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
  } else if (Object.hasOwn(ALLOWED, key)) node[key] = structuredClone(ALLOWED[key]);
  else if (key === "name" && path.length > 1) node[key] = OTHER.repeat(1 + Number(path.at(-2)));
  else if (path.length > 1) delete node[key];
  return JSON.stringify(node[key]) !== before;
}
