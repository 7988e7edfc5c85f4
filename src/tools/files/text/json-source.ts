// The text of a file as values and places. Texts may come from anybody: size, depth and number of values are
// bounded before anything is made of them, and keys that mean something to JavaScript are refused.

import { limit, optionsOf, type Shape } from "../../../ground/checking/index.js";
import { jsonReason } from "./json-reason.js";
import { type JsonMember, type JsonNode, jsonTree, type UnexpectedCharacter } from "./json-tree.js";
import { ModelFileError, type Path, visible } from "./problems.js";

/** Bounds of what is read. */
export interface ReadLimits {
  /** Characters of the text. Default: 5 million. */
  readonly size: number;
  /** Objects and lists inside each other. Default: 32. */
  readonly depth: number;
  /** Numbers, texts, lists and objects together. Default: 500 000. */
  readonly values: number;
}

/** Limits of {@link readModel} where none are given. */
export const defaultReadLimits: ReadLimits = { size: 5_000_000, depth: 32, values: 500_000 };

/** Those that are given, and the default for others. */
export function limitsOf(given: Partial<ReadLimits>): ReadLimits {
  return { ...defaultReadLimits, ...optionsOf("limits", "DESCRIPTION", given, LIMITS) };
}

const LIMITS: Shape<Partial<ReadLimits>> = { size: limit, depth: limit, values: limit };

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Values of a text, and where they are. */
export interface Source {
  readonly value: unknown;
  place(path: Path): TextPosition | undefined;
}

/** Keys that mean something to JavaScript. */
export const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);
/** Characters of a key. */
const KEY_LENGTH = 200;

/** Reads a text. Throws for one that is not JSON, too large, or ambiguous. */
export function readSource(given: string, limits: ReadLimits): Source {
  if (given.length > limits.size) {
    throw refused(`the file has ${given.length} characters, more than the ${limits.size} allowed`);
  }
  const text = given.replace(/^\uFEFF/, "");
  checkShape(text, limits);
  const tree = treeOf(text);
  const value = new Reader(text, limits).read(tree);
  const members = new Members();
  return { value, place: (path) => placeAt(text, offsetOf(tree, path, members)) };
}

function refused(message: string, place?: TextPosition): ModelFileError {
  const { line, column } = place ?? {};
  return new ModelFileError([{ pointer: "", line, column, message: visible(message) }]);
}

/** Counts brackets outside of texts, as parsers go down by recursion, and searches for quotes that were not closed. */
function checkShape(text: string, { depth, values }: ReadLimits): void {
  let [level, inText, count] = [0, false, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inText) {
      if (code === 92) i++;
      else if (code === 34) inText = false;
      else if (code < 32) {
        const what = "a text has a line break, a tab or another control character";
        throw refused(`${what}: close its quote, or write \\n or \\t`, placeAt(text, i));
      }
    } else if (code === 34) inText = true;
    else if (code === 91 || code === 123) {
      if (++level > depth) {
        throw refused(`lists and objects are nested more than ${depth} deep`, placeAt(text, i));
      }
    } else if (code === 93 || code === 125) level--;
    else if (code === 44 && ++count >= values) throw tooMany(values);
  }
}

function tooMany(values: number): ModelFileError {
  return refused(`the file has more than the ${values} values allowed`);
}

/** Line and column of a character. */
function placeAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

function treeOf(text: string): JsonNode {
  let tree: JsonNode;
  try {
    tree = jsonTree(text);
  } catch (error) {
    const unexpected = error as UnexpectedCharacter;
    const place = placeAt(text, unexpected.offset);
    throw refused(`this is not JSON: ${jsonReason(text, unexpected)}`, place);
  }
  return tree;
}

/** Makes plain values. */
class Reader {
  #count = 0;

  constructor(
    readonly text: string,
    readonly limits: ReadLimits,
  ) {}

  read(node: JsonNode): unknown {
    if (++this.#count > this.limits.values) throw tooMany(this.limits.values);
    if (node.kind === "object") return this.#object(node.members);
    if (node.kind === "array") return node.elements.map((element) => this.read(element));
    return node.value;
  }

  #object(members: readonly JsonMember[]): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const { key, offset, value } of members) {
      if (FORBIDDEN.has(key)) throw this.#refused(`the key "${key}" is not allowed`, offset);
      if (key.length > KEY_LENGTH) {
        throw this.#refused(`a key has more than ${KEY_LENGTH} characters`, offset);
      }
      if (Object.hasOwn(made, key)) throw this.#refused(`duplicate key "${key}"`, offset);
      made[key] = this.read(value);
    }
    return made;
  }

  #refused(message: string, offset: number): ModelFileError {
    return refused(message, placeAt(this.text, offset));
  }
}

/** Members of objects by their keys, for those that are asked for. */
class Members {
  readonly #known = new Map<JsonNode, ReadonlyMap<string, JsonMember>>();

  find(node: Extract<JsonNode, { kind: "object" }>, key: string): JsonMember | undefined {
    const known =
      this.#known.get(node) ?? new Map(node.members.map((member) => [member.key, member]));
    this.#known.set(node, known);
    return known.get(key);
  }
}

/** Where a value begins, or its key; what it should be in, where it is missing. */
function offsetOf(tree: JsonNode, path: Path, members: Members): number {
  let node = tree;
  let { offset } = node;
  for (const key of path) {
    if (node.kind === "object") {
      const member = members.find(node, String(key));
      if (!member) break;
      offset = member.offset;
      node = member.value;
    } else if (node.kind === "array") {
      const element: JsonNode | undefined = node.elements[key as number];
      if (!element) break;
      node = element;
      offset = node.offset;
    } else break;
  }
  return offset;
}
