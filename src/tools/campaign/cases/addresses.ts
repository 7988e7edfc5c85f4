// Which numbers of a model document a parameter replaces. A way to address them is one function here.

import { NodriftError } from "../../../ground/errors.js";
import type { ParameterOptions } from "../definition/options.js";

type Node = Record<string, unknown> | unknown[];
/** Writes a number into a document. */
export type Setter = (document: object, value: number) => void;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** How a parameter is written into documents like this one. Throws where it names nothing. */
export function setterOf(parameter: ParameterOptions, document: object): Setter {
  const paths = pointersOf(parameter, document).map((pointer) =>
    resolved(pointer, parameter, document),
  );
  return (target, value) => {
    for (const path of paths) write(target, path, value);
  };
}

/** Pointers as given; or a named parameter of the document. A formula that goes nowhere is one that others use. */
function pointersOf(parameter: ParameterOptions, document: object): readonly string[] {
  const { at, name, formula } = parameter;
  if (typeof at === "string") return [at];
  if (at) return at;
  const { parameters: named } = document as { readonly parameters?: unknown };
  if (isNode(named) && Object.hasOwn(named, name)) return [`/parameters/${escaped(name)}`];
  if (formula !== undefined) return [];
  throw new NodriftError(
    "DESCRIPTION",
    `campaign: parameter "${name}" needs "at", like "/bodies/0/mass": the model has no parameter of that name`,
  );
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (key: string) => key.replaceAll("~1", "/").replaceAll("~0", "~");

type Path = readonly (string | number)[];

/** Keys of a pointer, names of entries replaced by their numbers. The last may be a key that is not there yet. */
function resolved(pointer: string, { name }: ParameterOptions, document: object): Path {
  const keys = pointer.slice(1).split("/").map(unescaped);
  const path: (string | number)[] = [];
  let node: unknown = document;
  for (const [i, key] of keys.entries()) {
    const isLast = i === keys.length - 1;
    const next = isNode(node) ? placeIn(node, key, isLast) : undefined;
    if (next === undefined) {
      const where = `/${keys.slice(0, i + 1).join("/")}`;
      throw new NodriftError(
        "DESCRIPTION",
        `campaign: parameter "${name}": there is no ${where} in the model`,
      );
    }
    path.push(next);
    node = (node as Record<string | number, unknown>)[next];
  }
  if (node === undefined || typeof node === "number") return path;
  throw new NodriftError(
    "DESCRIPTION",
    `campaign: parameter "${name}": ${pointer} is not a number in the model`,
  );
}

function placeIn(node: Node, key: string, mayBeNew: boolean): string | number | undefined {
  if (!Array.isArray(node)) {
    if (Object.hasOwn(node, key)) return key;
    return mayBeNew && !["__proto__", "constructor", "prototype"].includes(key) ? key : undefined;
  }
  const named = node.findIndex(
    (entry) => isNode(entry) && (entry as { name?: unknown }).name === key,
  );
  if (named >= 0) return named;
  const index = /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return index >= 0 && index < node.length ? index : undefined;
}

function write(document: object, path: Path, value: number): void {
  let node = document as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>;
  node[path.at(-1)!] = value;
}
