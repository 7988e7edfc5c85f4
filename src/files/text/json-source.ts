// Parses the text of a file to values and their locations. Texts are untrusted: size, depth and number of values are
// bounded before parsing, and keys with a special meaning in JavaScript are rejected.

import { limit, optionsOf, type Shape } from "../../base/checking/index.js";
import { ModelFileError, type Path, pointerOf, visible } from "./problems.js";

// JSON as a tree with locations. `JSON.parse` returns the same values without locations. Here every value has its offset, and
// the error for invalid JSON the offset of the first unexpected character. Follows the grammar of RFC 8259, sections 2 to 7.
//
// Rejected: a library. Those with locations also keep all tokens, which takes most of the time between two keystrokes
// in an editor, and they make up half of the code for reading a file.

/** A value and the offset of its first character. */
export type JsonNode =
  | { readonly kind: "object"; readonly offset: number; readonly members: readonly JsonMember[] }
  | { readonly kind: "array"; readonly offset: number; readonly elements: readonly JsonNode[] }
  | { readonly kind: "plain"; readonly offset: number; readonly value: Plain };

type Plain = string | number | boolean | null;

/** A key with its value; the offset is that of the key. */
interface JsonMember {
  readonly key: string;
  readonly offset: number;
  readonly value: JsonNode;
}

/** An unexpected character, with its offset. */
export class UnexpectedCharacter extends Error {
  constructor(
    readonly offset: number,
    /** Whether the text ends prematurely. */
    readonly isEnd: boolean,
  ) {
    super(isEnd ? "unexpected end" : "unexpected character");
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LEADING_ZERO = /^-?0\d/;
const WORDS: readonly (readonly [string, Plain])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

/** Parses a text of limited depth. Throws an {@link UnexpectedCharacter} if it is not valid JSON. */
export function jsonTree(text: string): JsonNode {
  return new TreeReader(text).whole();
}

class TreeReader {
  #at = 0;

  constructor(readonly text: string) {}

  whole(): JsonNode {
    if (this.text.trim() === "") throw new UnexpectedCharacter(0, true);
    const value = this.#value();
    this.#skip();
    if (this.#at < this.text.length) throw this.#unexpected();
    return value;
  }

  #value(): JsonNode {
    this.#skip();
    const offset = this.#at;
    const character = this.text[offset];
    if (character === "{") return { kind: "object", offset, members: this.#members() };
    if (character === "[") return { kind: "array", offset, elements: this.#elements() };
    return { kind: "plain", offset, value: character === '"' ? this.#text() : this.#plain() };
  }

  #members(): readonly JsonMember[] {
    const members: JsonMember[] = [];
    this.#at++;
    if (this.#takes("}")) return members;
    do {
      this.#skip();
      const offset = this.#at;
      const key = this.#text();
      this.#require(":");
      members.push({ key, offset, value: this.#value() });
    } while (this.#takes(","));
    this.#require("}");
    return members;
  }

  #elements(): readonly JsonNode[] {
    const elements: JsonNode[] = [];
    this.#at++;
    if (this.#takes("]")) return elements;
    do elements.push(this.#value());
    while (this.#takes(","));
    this.#require("]");
    return elements;
  }

  #text(): string {
    const { text } = this;
    if (text[this.#at] !== '"') throw this.#unexpected();
    const from = this.#at;
    // Rejected: a regular expression. Backtracking stores every character, and texts may be long.
    let end = from + 1;
    for (; end < text.length && text[end] !== '"'; end++) if (text[end] === "\\") end++;
    this.#at = Math.min(end + 1, text.length);
    if (end >= text.length) throw this.#unexpected();
    try {
      // JSON.parse decodes escapes and rejects control characters.
      return JSON.parse(text.slice(from, end + 1)) as string;
    } catch {
      this.#at = from;
      throw this.#unexpected();
    }
  }

  #plain(): Plain {
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    const number = LEADING_ZERO.test(this.text.slice(this.#at, this.#at + 3))
      ? undefined
      : this.#match(NUMBER);
    if (number === undefined) throw this.#unexpected();
    return Number(number);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  /** Consumes a character if it comes next; returns whether it did. */
  #takes(character: string): boolean {
    this.#skip();
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #require(character: string): void {
    if (!this.#takes(character)) throw this.#unexpected();
  }

  #unexpected(): UnexpectedCharacter {
    return new UnexpectedCharacter(this.#at, this.#at >= this.text.length);
  }
}

// Explains why a text is not valid JSON, for people who wrote it by hand.

const QUOTES = /['`\u2018\u2019\u201c\u201d]/;

/** Returns the reason and a suggestion. */
function jsonReason(
  text: string,
  { offset, isEnd }: Pick<UnexpectedCharacter, "offset" | "isEnd">,
): string {
  const rest = text.slice(offset);
  if (isEnd) {
    return text.trim() === "" ? "it is empty" : "unexpected end: a bracket or quote is not closed";
  }
  if (isWhole(text.slice(0, offset))) return "unexpected text after the closing bracket";
  const before = text.slice(0, offset).trimEnd().at(-1) ?? "";
  const character = String.fromCodePoint(rest.codePointAt(0)!);
  return reasonFor(character, before, rest) ?? `unexpected ${shown(character)}`;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A character as text; invisible ones by code point. */
function shown(character: string): string {
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return character;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function reasonFor(character: string, before: string, rest: string): string | undefined {
  if (before === "," && /[\]}]/.test(character)) return "remove the trailing comma before this";
  if (/^\/[/*]/.test(rest)) return 'comments are not allowed; use "description"';
  if (QUOTES.test(character)) return `texts and keys need straight double quotes, not ${character}`;
  const [word = ""] = /^[-+]?[\p{L}_$][\w$]*/u.exec(rest) ?? [];
  if (word !== "" && /[{,]/.test(before)) return `keys need double quotes: write "${word}"`;
  if (word !== "")
    return `unknown word ${word}: expected a number, true, false, null or a quoted text`;
  if (character === "+") return "numbers must not have a plus sign";
  if (character === ".") return "write a digit before the decimal point";
  if (/^0\d/.test(rest)) return "numbers must not start with a zero";
  if (!/["\d[{-]/.test(character) || !/["\d\]}el]/.test(before)) return undefined;
  return `a comma ${before === '"' ? "or a colon " : ""}is missing before this`;
}

/** Limits of the parser. */
export interface ReadLimits {
  /** Largest number of characters of the text. Default: 5 million. */
  readonly size: number;
  /** Largest nesting depth of objects and lists. Default: 32. */
  readonly depth: number;
  /** Largest total number of numbers, texts, lists and objects. Default: 500 000. */
  readonly values: number;
}

/** Default limits of {@link readModel}. */
export const defaultReadLimits: ReadLimits = { size: 5_000_000, depth: 32, values: 500_000 };

/** Completes limits with defaults. */
export function limitsOf(given: Partial<ReadLimits>): ReadLimits {
  return { ...defaultReadLimits, ...optionsOf("limits", "DESCRIPTION", given, LIMITS) };
}

const LIMITS: Shape<Partial<ReadLimits>> = { size: limit, depth: limit, values: limit };

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Values of a text, and their locations. */
export interface ParsedText {
  readonly value: unknown;
  place(path: Path): TextPosition | undefined;
}

/** Keys with a special meaning in JavaScript. */
export const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);
/** Largest length of a key in characters. */
const MAX_KEY_LENGTH = 200;

/** Parses a text. Throws if it is not JSON, too large, or ambiguous. */
export function readSource(given: string, limits: ReadLimits): ParsedText {
  if (given.length > limits.size) {
    throw refused(`the file has ${given.length} characters, more than the ${limits.size} allowed`);
  }
  const text = given.replace(/^\uFEFF/, "");
  checkShape(text, limits);
  const tree = treeOf(text);
  const value = new ValueReader(text, limits).read(tree);
  const members = new Members();
  return { value, place: (path) => positionAt(text, offsetOf(tree, path, members)) };
}

function refused(message: string, place?: TextPosition, path: Path = []): ModelFileError {
  const { line, column } = place ?? {};
  return new ModelFileError([
    { pointer: pointerOf(path), line, column, message: visible(message) },
  ]);
}

/** Checks the nesting depth, since parsers are recursive, and searches for unclosed quotes. */
function checkShape(text: string, { depth, values }: ReadLimits): void {
  let [level, inText, count] = [0, false, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inText) {
      if (code === 92) i++;
      else if (code === 34) inText = false;
      else if (code < 32) {
        const what = "a text has a line break, a tab or another control character";
        throw refused(`${what}: close its quote, or write \\n or \\t`, positionAt(text, i));
      }
    } else if (code === 34) inText = true;
    else if (code === 91 || code === 123) {
      if (++level > depth) {
        throw refused(`lists and objects are nested more than ${depth} deep`, positionAt(text, i));
      }
    } else if (code === 93 || code === 125) level--;
    else if (code === 44 && ++count >= values) throw tooMany(values);
  }
}

function tooMany(values: number): ModelFileError {
  return refused(`the file has more than the ${values} values allowed`);
}

/** Line and column of an offset. */
function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

function treeOf(text: string): JsonNode {
  let tree: JsonNode;
  try {
    tree = jsonTree(text);
  } catch (error) {
    const unexpected = error as UnexpectedCharacter;
    const place = positionAt(text, unexpected.offset);
    throw refused(`invalid JSON: ${jsonReason(text, unexpected)}`, place);
  }
  return tree;
}

/** Converts a tree to plain values. */
class ValueReader {
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
      if (key.length > MAX_KEY_LENGTH) {
        throw this.#refused(`a key has more than ${MAX_KEY_LENGTH} characters`, offset);
      }
      if (Object.hasOwn(made, key)) throw this.#refused(`duplicate key "${key}"`, offset);
      made[key] = this.read(value);
    }
    return made;
  }

  #refused(message: string, offset: number): ModelFileError {
    return refused(message, positionAt(this.text, offset));
  }
}

/** Index of object members by key, built on demand. */
class Members {
  readonly #known = new Map<JsonNode, ReadonlyMap<string, JsonMember>>();

  find(node: Extract<JsonNode, { kind: "object" }>, key: string): JsonMember | undefined {
    const known =
      this.#known.get(node) ?? new Map(node.members.map((member) => [member.key, member]));
    this.#known.set(node, known);
    return known.get(key);
  }
}

/** Offset of a value or its key; of its parent if it is missing. */
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

// Copies parsed values of a program as plain data, so that later changes do not affect the model.

/** Copies a value. Throws if it is not plain data, or too large. */
export function sourceOf(value: unknown, limits: ReadLimits): ParsedText {
  return { value: new Copier(limits).copy(value, []), place: () => undefined };
}

class Copier {
  #count = 0;

  constructor(readonly limits: ReadLimits) {}

  copy(value: unknown, path: Path): unknown {
    const { depth, values } = this.limits;
    if (++this.#count > values) throw refused(`the limit of ${values} values is exceeded`);
    if (typeof value !== "object" || value === null) return value;
    if (path.length >= depth)
      throw refused(`values are nested more than ${depth} deep`, undefined, path);
    if (Array.isArray(value)) {
      return Array.from(value, (entry, i) => this.copy(entry, [...path, i]));
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw refused(
        "only plain objects, lists, texts and numbers are allowed in a model",
        undefined,
        path,
      );
    }
    return this.#object(value, path);
  }

  #object(value: object, path: Path): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      if (FORBIDDEN.has(key)) throw refused(`the key "${key}" is not allowed`, undefined, path);
      if (entry !== undefined) made[key] = this.copy(entry, [...path, key]);
    }
    return made;
  }
}
