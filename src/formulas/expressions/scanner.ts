// Splits a formula into numbers, names, quoted names and symbols.

import { keywords } from "./built-in-functions.js";
import { FormulaError } from "./error.js";

export type TokenKind = "number" | "name" | "quoted" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** Text as written; for a quoted name without the quotes. */
  readonly text: string;
  readonly offset: number;
}

const SPACE = /[ \t\r\n]*/y;
/** Pattern of names, with at most 64 characters. */
export const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

type TokenPattern = readonly [TokenKind, RegExp];

const WORDS: readonly TokenPattern[] = [
  ["number", /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y],
  ["name", /[A-Za-z_][A-Za-z0-9_]*/y],
];

const PATTERNS: readonly TokenPattern[] = [
  ...WORDS,
  ["quoted", /'(?:[^']|'')*'|"(?:[^"]|"")*"/y],
  ["symbol", /<=|>=|==|!=|\*(?!\*)|[-+/^(),<>]/y],
];

/** In equations a quote after a name denotes its rate, and brackets contain an index. */
const EQUATION_PATTERNS: readonly TokenPattern[] = [
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
  readonly #patterns: readonly TokenPattern[];
  #position = 0;

  constructor(text: string, isEquation: boolean) {
    this.text = text;
    this.#patterns = isEquation ? EQUATION_PATTERNS : PATTERNS;
  }

  /** Continues from a position. */
  moveTo(position: number): void {
    this.#position = position;
  }

  /** Returns the next token; "end" after the last. */
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

  /** Why no token starts here. */
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

/** Text between quotes, in which quotes are doubled. */
function unquoted(text: string): string {
  const quote = text[0]!;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}
