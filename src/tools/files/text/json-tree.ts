// JSON as a tree with places. `JSON.parse` makes the same values and knows no places; here every value knows where it begins,
// and a text that is no JSON the first character that is not expected. Follows the grammar of RFC 8259, sections 2 to 7.
//
// Rejected: a library. Those that keep places keep all tokens too, which takes most of the time between two keystrokes
// in an editor, and they are half of what there is to load for reading a file.

/** A value and the character it begins at. */
export type JsonNode =
  | { readonly kind: "object"; readonly offset: number; readonly members: readonly JsonMember[] }
  | { readonly kind: "array"; readonly offset: number; readonly elements: readonly JsonNode[] }
  | { readonly kind: "plain"; readonly offset: number; readonly value: Plain };

type Plain = string | number | boolean | null;

/** A key with its value; both begin at the key. */
export interface JsonMember {
  readonly key: string;
  readonly offset: number;
  readonly value: JsonNode;
}

/** What is not expected in a text, and where. */
export class UnexpectedCharacter extends Error {
  constructor(
    readonly offset: number,
    /** Whether the text ends too early. */
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

/** Reads a text whose brackets are not nested too deep. Throws an {@link UnexpectedCharacter} where it is no JSON. */
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
    // Not by a pattern: those that may go back remember every character, and texts may be long.
    let end = from + 1;
    for (; end < text.length && text[end] !== '"'; end++) if (text[end] === "\\") end++;
    this.#at = Math.min(end + 1, text.length);
    if (end >= text.length) throw this.#unexpected();
    try {
      // It knows escapes, and refuses control characters.
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

  /** Whether a character comes next; it is taken then. */
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
