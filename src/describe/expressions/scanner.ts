// Cuts a formula into numbers, names, names in quotes and symbols.

import { keywords } from "./built-in-functions.js";
import { FormulaError } from "./error.js";

export type TokenKind = "number" | "name" | "quoted" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** As written; of a name in quotes what is between them. */
  readonly text: string;
  readonly offset: number;
}

const SPACE = /[ \t\r\n]*/y;
/** What a name must look like: 64 characters at most. */
export const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

type Pattern = readonly [TokenKind, RegExp];

const WORDS: readonly Pattern[] = [
  ["number", /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y],
  ["name", /[A-Za-z_][A-Za-z0-9_]*/y],
];

const PATTERNS: readonly Pattern[] = [
  ...WORDS,
  ["quoted", /'(?:[^']|'')*'|"(?:[^"]|"")*"/y],
  ["symbol", /<=|>=|==|!=|\*(?!\*)|[-+/^(),<>]/y],
];

/** In equations a quote behind a name is a rate, and brackets hold an index. */
const EQUATION_PATTERNS: readonly Pattern[] = [
  ...WORDS,
  ["symbol", /<=|>=|==|!=|\*(?!\*)|[-+/^(),<>'[\]]/y],
];

/** Notations of other languages, and their equivalents here. */
const ADVICE: readonly (readonly [string, string])[] = [
  ["**", "for powers write ^"],
  ["=", "to compare write =="],
  ["!", "write not"],
  ["&", "write and"],
  ["|", "write or, or abs(...) for an absolute value"],
  ["%", "write mod(a, b)"],
  ["?", "write if(condition, a, b)"],
  ["[", "use parentheses ( )"],
  ["]", "use parentheses ( )"],
  ["{", "use parentheses ( )"],
  ["}", "use parentheses ( )"],
  ["\u2212", "write -"],
  ["\u2013", "write -"],
  ["\u00d7", "write *"],
  ["\u00b7", "write *"],
  ["\u22c5", "write *"],
  ["\u00f7", "write /"],
  ["\u00b2", "write ^2"],
  ["\u00b3", "write ^3"],
  ["\u221a", "write sqrt(...)"],
  ["\u2264", "write <="],
  ["\u2265", "write >="],
  ["\u2260", "write !="],
  ["\u03c0", "write pi"],
  ["\u2018", "write '"],
  ["\u2019", "write '"],
  ["\u201c", "write '"],
  ["\u201d", "write '"],
];

/** Reads a text token by token. */
export class Scanner {
  readonly text: string;
  readonly #patterns: readonly Pattern[];
  #position = 0;

  constructor(text: string, isEquation: boolean) {
    this.text = text;
    this.#patterns = isEquation ? EQUATION_PATTERNS : PATTERNS;
  }

  /** Goes on from a place again. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** The token that comes next; "end" after the last. */
  next(): Token {
    this.#position += this.#match(SPACE)!.length;
    const offset = this.#position;
    if (offset === this.text.length) return { kind: "end", text: "", offset };
    for (const [kind, pattern] of this.#patterns) {
      const text = this.#match(pattern);
      if (text === undefined) continue;
      if (kind === "name" && !NAME.test(text)) throw this.#error("this name is too long");
      this.#position += text.length;
      if (kind === "quoted") return { kind, text: unquoted(text), offset };
      return { kind: keywords.includes(text) ? "symbol" : kind, text, offset };
    }
    throw this.#error(this.#reason());
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.text)?.[0];
  }

  /** Why nothing begins here. */
  #reason(): string {
    const rest = this.text.slice(this.#position, this.#position + 2);
    const character = String.fromCodePoint(rest.codePointAt(0)!);
    if (/['"]/.test(character)) return "unterminated quote";
    const advice = ADVICE.find(([written]) => rest.startsWith(written));
    if (advice) return `${advice[0]} means nothing here: ${advice[1]}`;
    const code = rest.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? character : `U+${code}`;
    return `the character ${shown} is not allowed in formulas`;
  }

  #error(message: string): FormulaError {
    return new FormulaError(message, this.#position, this.text);
  }
}

/** What is between quotes; a quote is doubled there. */
function unquoted(text: string): string {
  const quote = text[0]!;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
