// The grammar, from what binds loosest to what binds tightest:
//
//   expression  = conjunction { "or" conjunction }
//   conjunction = negation { "and" negation }
//   negation    = "not" negation | comparison
//   comparison  = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//   sum         = product { ("+" | "-") product }
//   product     = signed { ("*" | "/") signed }
//   signed      = ("-" | "+") signed | power
//   power       = operand [ "^" signed ]
//   operand     = number | name | call | "(" expression ")"
//   call        = name "(" [ expression { "," expression } | quoted ] ")"
//
// Lists are read by loops, so only nesting increases the depth of the recursion.

import { descriptionError, show } from "../../base/checking/values.js";
import { builtIns } from "./built-in-functions.js";
import { FormulaError } from "./error.js";
import type { Node } from "./graph.js";
import { Builder, type Quantity } from "./graph-builder.js";
import { Operation } from "./operations.js";
import { Scanner, type Token } from "./scanner.js";
import { callProblem, type Scope } from "./scope.js";

// Reads tokens and creates the messages for unexpected ones.

/** Largest nesting depth of parentheses, calls, signs and exponents. */
const MAX_DEPTH = 100;

class TokenReader {
  readonly #scanner: Scanner;
  #token: Token;
  #depth = 0;
  readonly #isExhausted: (() => boolean) | undefined;

  /** Reads an equation if `isExhausted`, a limit of its words, is given. */
  constructor(text: string, isExhausted?: () => boolean) {
    const isEquation = isExhausted !== undefined;
    this.#isExhausted = isExhausted;
    this.#scanner = new Scanner(text, isEquation);
    this.#token = this.#scanner.next();
  }

  get token(): Token {
    return this.#token;
  }

  /** Advances to the next token and returns the previous one. */
  advance(): Token {
    const token = this.#token;
    if (this.#isExhausted?.())
      throw this.wrong("sums and ranges exceed the limit of their total length");
    this.#token = this.#scanner.next();
    return token;
  }

  /** Returns to an earlier token. */
  backTo({ offset }: Token): void {
    this.#scanner.moveTo(offset);
    this.#token = this.#scanner.next();
  }

  /** Skips to the parenthesis that closes the current level. */
  skip(): void {
    for (let depth = 0; !this.isAtEnd(); this.advance()) {
      if (this.isSymbol("(")) depth++;
      else if (this.isSymbol(")") && depth-- === 0) return;
    }
  }

  /** Consumes a required symbol. */
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

  /** Meaning of the token, if it is one of some symbols. */
  meaning<Meaning>(symbols: ReadonlyMap<string, Meaning>): Meaning | undefined {
    return this.#token.kind === "symbol" ? symbols.get(this.#token.text) : undefined;
  }

  /** Reads a nested part. */
  deeper<Result>(offset: number, read: () => Result): Result {
    if (++this.#depth > MAX_DEPTH) {
      throw new FormulaError(
        `formulas have at most ${MAX_DEPTH} levels`,
        offset,
        this.#scanner.text,
      );
    }
    const result = read();
    this.#depth--;
    return result;
  }

  /** Consumes the closing parenthesis of a pair. */
  close({ offset }: Token): void {
    if (this.isAtEnd()) {
      throw this.wrong(`a ) is missing for the ( at character ${offset + 1}`);
    }
    if (!this.isSymbol(")")) throw this.unexpected();
    this.advance();
  }

  /** Error for a token instead of an operator or the end. */
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

  /** Error for a token instead of a number or a name. */
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

  /** Error at the token. */
  wrong(message: string): FormulaError {
    return new FormulaError(message, this.#token.offset, this.#scanner.text);
  }
}

/** Largest length of a formula in characters. */
const MAX_LENGTH = 20_000;
/** Largest total number of terms of all sums of a formula. */
const MAX_TERMS = 20_000;

const DISJUNCTION = new Map([["or", Operation.Or]]);
const CONJUNCTION = new Map([["and", Operation.And]]);
const SUM = new Map([
  ["+", Operation.Add],
  ["-", Operation.Subtract],
]);
const PRODUCT = new Map([
  ["*", Operation.Multiply],
  ["/", Operation.Divide],
]);

/** Comparisons, with true if the sides are swapped. */
const COMPARISON = new Map<string, readonly [Operation, boolean]>([
  ["<", [Operation.Less, false]],
  ["<=", [Operation.LessOrEqual, false]],
  [">", [Operation.Less, true]],
  [">=", [Operation.LessOrEqual, true]],
  ["==", [Operation.Equal, false]],
  ["!=", [Operation.Different, false]],
]);

/** A parsed formula as a graph. */
export interface Parsed {
  /** Root node; the slots are the variables, then the quantities. */
  readonly root: Node;
  /** Quantities without duplicates, in the order of the text. */
  readonly quantities: readonly Quantity[];
}

/** Parses a formula. Throws a FormulaError if it is invalid. `index` is an index with a fixed value. */
export function parse(text: string, scope: Scope, index?: readonly [string, number]): Parsed {
  if (typeof text !== "string")
    throw descriptionError("formula", `must be a text, not ${show(text)}`);
  if (text.length > MAX_LENGTH) {
    throw new FormulaError(`formulas have at most ${MAX_LENGTH} characters`, MAX_LENGTH, text);
  }
  return new Parser(text, scope, index).parsed();
}

class Parser {
  readonly #reader: TokenReader;
  readonly #scope: Scope;
  readonly #builder: Builder;

  /** Number of terms of sums so far. */
  #terms = 0;

  constructor(text: string, scope: Scope, index: readonly [string, number] | undefined) {
    const { symbols } = scope;
    this.#reader = new TokenReader(text, symbols && (() => symbols.isExhausted()));
    this.#scope = scope;
    this.#builder = new Builder(text, scope);
    if (index) this.#builder.bind(0, ...index);
  }

  parsed(): Parsed {
    if (this.#reader.isAtEnd()) throw this.#reader.wrong("the formula is empty");
    const root = this.#expression();
    if (!this.#reader.isAtEnd()) throw this.#reader.unexpected();
    return { root, quantities: this.#builder.quantities };
  }

  #expression(): Node {
    return this.#list(DISJUNCTION, () => this.#conjunction());
  }

  #conjunction(): Node {
    return this.#list(CONJUNCTION, () => this.#negation());
  }

  #negation(): Node {
    if (!this.#reader.isSymbol("not")) return this.#comparison();
    const { offset } = this.#reader.advance();
    const operand = this.#reader.deeper(offset, () => this.#negation());
    return this.#builder.apply(offset, Operation.Not, operand);
  }

  #comparison(): Node {
    const left = this.#sum();
    const found = this.#reader.meaning(COMPARISON);
    if (!found) return left;
    const { offset } = this.#reader.advance();
    const right = this.#sum();
    if (this.#reader.meaning(COMPARISON)) {
      throw this.#reader.wrong("comparisons cannot be chained: write a < b and b < c");
    }
    const [operation, isSwapped] = found;
    const [a, b] = isSwapped ? [right, left] : [left, right];
    return this.#builder.apply(offset, operation, a, b);
  }

  #sum(): Node {
    return this.#list(SUM, () => this.#product());
  }

  #product(): Node {
    return this.#list(PRODUCT, () => this.#signed());
  }

  #signed(): Node {
    if (!this.#reader.isSymbol("-") && !this.#reader.isSymbol("+")) return this.#power();
    const { text, offset } = this.#reader.advance();
    const operand = this.#reader.deeper(offset, () => this.#signed());
    return text === "-" ? this.#builder.apply(offset, Operation.Negate, operand) : operand;
  }

  #power(): Node {
    const base = this.#operand();
    if (!this.#reader.isSymbol("^")) return base;
    const { offset } = this.#reader.advance();
    const exponent = this.#reader.deeper(offset, () => this.#signed());
    return this.#builder.apply(offset, Operation.Power, base, exponent);
  }

  #operand(): Node {
    const { kind, text, offset } = this.#reader.token;
    if (kind === "number") {
      this.#reader.advance();
      return this.#builder.number(offset, text);
    }
    if (kind === "name") {
      this.#reader.advance();
      if (this.#scope.symbols) return this.#ofEquation(text, offset);
      return this.#reader.isSymbol("(")
        ? this.#call(text, offset)
        : this.#builder.name(offset, text);
    }
    if (!this.#reader.isSymbol("(")) throw this.#reader.missing();
    const opening = this.#reader.advance();
    const inside = this.#reader.deeper(offset, () => this.#expression());
    this.#reader.close(opening);
    return inside;
  }

  /** A name in an equation, with index and quotes or arguments. */
  #ofEquation(name: string, offset: number): Node {
    const reader = this.#reader;
    if (reader.isSymbol("("))
      return name === "sum" ? this.#sumOver(offset) : this.#call(name, offset);
    let index: number | undefined;
    let rates = this.#rates();
    if (reader.isSymbol("[")) {
      const { offset: place } = reader.advance();
      const inside = reader.deeper(place, () => this.#expression());
      index = this.#builder.integer(place + 1, inside);
      reader.expect("]", `${name}[${index}]`);
      rates += this.#rates();
    }
    return this.#builder.symbol(offset, name, index, rates);
  }

  #rates(): number {
    let count = 0;
    for (; this.#reader.isSymbol("'"); count++) this.#reader.advance();
    return count;
  }

  /** sum(i, 1, n, term): the term is read again for each i. */
  #sumOver(offset: number): Node {
    const usage = "sum(i, 1, 5, m[i])";
    const reader = this.#reader;
    const builder = this.#builder;
    const opening = reader.advance();
    const { kind, text: name, offset: place } = reader.token;
    if (kind !== "name") throw reader.wrong(`a sum starts with its index: write ${usage}`);
    if (builder.isBound(name))
      throw reader.wrong(`the index ${name} is already in use: choose another name`);
    reader.advance();
    reader.expect(",", usage);
    const bound = () => {
      const at = reader.token.offset;
      const value = builder.integer(
        at,
        reader.deeper(at, () => this.#expression()),
      );
      reader.expect(",", usage);
      return value;
    };
    const [from, to] = [bound(), bound()];
    const begin = reader.token;
    this.#terms += Math.max(0, to - from + 1);
    if (this.#terms > MAX_TERMS)
      throw builder.error(`sums have at most ${MAX_TERMS} terms`, offset);
    let total: Node | undefined;
    // Skip the term of an empty sum, which may be unreadable: x[i] beyond the last index.
    if (to < from) reader.skip();
    for (let i = from; i <= to; i++) {
      if (i > from) reader.backTo(begin);
      builder.bind(place, name, i);
      const term = reader.deeper(offset, () => this.#expression());
      total = total ? builder.apply(offset, Operation.Add, total, term) : term;
      builder.bind(place, name, undefined);
    }
    if (reader.isSymbol(",")) throw reader.wrong(`a sum has one term: write ${usage}`);
    reader.close(opening);
    return total ?? builder.number(offset, "0");
  }

  #call(name: string, offset: number): Node {
    const opening = this.#reader.advance();
    const { quantities, functions } = this.#scope;
    const isQuoted = this.#reader.token.kind === "quoted";
    if (quantities.includes(name)) {
      const subject = this.#subject(name);
      this.#reader.close(opening);
      return this.#builder.quantity(offset, name, subject);
    }
    if (!builtIns.has(name) && !functions?.find(name)) {
      throw this.#builder.error(callProblem(name, this.#scope, isQuoted), offset);
    }
    if (isQuoted) throw this.#reader.wrong(`${name} takes numbers, not names in quotes`);
    const given = this.#reader.isSymbol(")")
      ? []
      : this.#reader.deeper(offset, () => this.#arguments());
    this.#reader.close(opening);
    return this.#builder.call(offset, name, given);
  }

  #arguments(): Node[] {
    const given = [this.#expression()];
    while (this.#reader.isSymbol(",")) {
      this.#reader.advance();
      given.push(this.#expression());
    }
    return given;
  }

  /** The quoted name of a quantity, if any. */
  #subject(name: string): string | undefined {
    const { kind, text } = this.#reader.token;
    if (kind === "quoted") return this.#reader.advance().text;
    if (this.#reader.isSymbol(")")) return undefined;
    const example = kind === "name" ? text : "...";
    throw this.#reader.wrong(`${name} takes a name in quotes: write ${name}('${example}')`);
  }

  /** Operators of the same precedence, from left to right. */
  #list(operators: ReadonlyMap<string, Operation>, operand: () => Node): Node {
    let left = operand();
    for (;;) {
      const operation = this.#reader.meaning(operators);
      if (operation === undefined) return left;
      const { offset } = this.#reader.advance();
      left = this.#builder.apply(offset, operation, left, operand());
    }
  }
}
