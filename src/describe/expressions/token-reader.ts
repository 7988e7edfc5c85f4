// The token that comes next, and what is said when it is the wrong one.

import { FormulaError } from "./error.js";
import { Scanner, type Token } from "./scanner.js";

/** Levels that a formula may have: parentheses, calls, signs and exponents inside of each other. */
const DEPTH = 100;

export class Reader {
  readonly #scanner: Scanner;
  #token: Token;
  #depth = 0;
  readonly #isExhausted: (() => boolean) | undefined;

  /** Of an equation where a limit for its words is given. */
  constructor(text: string, isExhausted?: () => boolean) {
    const isEquation = isExhausted !== undefined;
    this.#isExhausted = isExhausted;
    this.#scanner = new Scanner(text, isEquation);
    this.#token = this.#scanner.next();
  }

  get token(): Token {
    return this.#token;
  }

  /** Goes to the next token, and gives the one before. */
  advance(): Token {
    const token = this.#token;
    if (this.#isExhausted?.()) throw this.wrong("sums and ranges are too long together");
    this.#token = this.#scanner.next();
    return token;
  }

  /** Goes back to a token that was read before. */
  backTo({ offset }: Token): void {
    this.#scanner.moveTo(offset);
    this.#token = this.#scanner.next();
  }

  /** Goes to the parenthesis that closes what the token is in. */
  skip(): void {
    for (let depth = 0; !this.isAtEnd(); this.advance()) {
      if (this.isSymbol("(")) depth++;
      else if (this.isSymbol(")") && depth-- === 0) return;
    }
  }

  /** Goes behind a symbol that must come next. */
  expect(symbol: string, example: string): void {
    if (!this.isSymbol(symbol)) throw this.wrong(`expected ${symbol} here: write ${example}`);
    this.advance();
  }

  isAtEnd(): boolean {
    return this.#token.kind === "end";
  }

  isSymbol(text: string): boolean {
    return this.#token.kind === "symbol" && this.#token.text === text;
  }

  /** What the token stands for, if it is one of some symbols. */
  meaning<Meaning>(symbols: ReadonlyMap<string, Meaning>): Meaning | undefined {
    return this.#token.kind === "symbol" ? symbols.get(this.#token.text) : undefined;
  }

  /** Reads something that is inside of something else. */
  deeper<Result>(offset: number, read: () => Result): Result {
    if (++this.#depth > DEPTH) {
      throw new FormulaError(`formulas have at most ${DEPTH} levels`, offset, this.#scanner.text);
    }
    const result = read();
    this.#depth--;
    return result;
  }

  /** Goes behind the other one of a pair of parentheses. */
  close({ offset }: Token): void {
    if (this.isAtEnd()) {
      throw this.wrong(`a ) is missing, for the ( at character ${offset + 1}`);
    }
    if (!this.isSymbol(")")) throw this.unexpected();
    this.advance();
  }

  /** The error for a token that an operator or an end should be in place of. */
  unexpected(): FormulaError {
    if (this.isSymbol(")")) return this.wrong("unmatched )");
    if (this.isSymbol(",")) {
      return this.wrong(
        "unexpected comma: commas separate function arguments; use a decimal point",
      );
    }
    if (this.#token.kind === "quoted") return this.#stray();
    return this.wrong(`an operator is missing before ${this.#token.text}: for a product write *`);
  }

  /** The error for a token that a number or a name should be in place of. */
  missing(): FormulaError {
    const { kind, text } = this.#token;
    if (this.isAtEnd()) return this.wrong("unexpected end: expected a number or a name");
    if (kind === "quoted") return this.#stray();
    const advice = text === "not" ? ": put not into parentheses, as in (not a)" : "";
    return this.wrong(`a number or a name is missing before ${text}${advice}`);
  }

  #stray(): FormulaError {
    return this.wrong("a quoted name belongs in a quantity, as in z('ball')");
  }

  /** An error at the token. */
  wrong(message: string): FormulaError {
    return new FormulaError(message, this.#token.offset, this.#scanner.text);
  }
}
