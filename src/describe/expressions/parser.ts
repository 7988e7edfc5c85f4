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
// Lists are read by loops: only what is inside of something else is deeper.

import { descriptionError, show } from "../../ground/option-checks.js";
import { builtIns } from "./built-in-functions.js";
import { FormulaError } from "./error.js";
import type { Node } from "./graph.js";
import { Builder, type Quantity } from "./graph-builder.js";
import { Operation } from "./operations.js";
import { callProblem, type Scope } from "./scope.js";
import { Reader } from "./token-reader.js";

/** Characters that a formula may have. */
const LENGTH = 20_000;
/** Terms that all sums of a formula may have together. */
const TERMS = 20_000;

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

/** With true where the sides change places. */
const COMPARISON = new Map<string, readonly [Operation, boolean]>([
  ["<", [Operation.Less, false]],
  ["<=", [Operation.LessOrEqual, false]],
  [">", [Operation.Less, true]],
  [">=", [Operation.LessOrEqual, true]],
  ["==", [Operation.Equal, false]],
  ["!=", [Operation.Different, false]],
]);

/** A text as a graph. */
export interface Parsed {
  /** Its slots are the variables, then the quantities. */
  readonly root: Node;
  /** Each once, in the order of the text. */
  readonly quantities: readonly Quantity[];
}

/** Reads a formula. Throws a FormulaError where it is wrong. An index has a value from the beginning. */
export function parse(text: string, scope: Scope, index?: readonly [string, number]): Parsed {
  if (typeof text !== "string")
    throw descriptionError("formula", `it must be a text, not ${show(text)}`);
  if (text.length > LENGTH) {
    throw new FormulaError(`formulas have at most ${LENGTH} characters`, LENGTH, text);
  }
  return new Parser(text, scope, index).parsed();
}

class Parser {
  readonly #reader: Reader;
  readonly #scope: Scope;
  readonly #builder: Builder;

  /** Terms of sums that were read. */
  #terms = 0;

  constructor(text: string, scope: Scope, index: readonly [string, number] | undefined) {
    const { symbols } = scope;
    this.#reader = new Reader(text, symbols && (() => symbols.isExhausted()));
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

  /** A name in an equation: with index and quotes, or called. */
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
    if (kind !== "name") throw reader.wrong(`a sum begins with its index: write ${usage}`);
    if (builder.isBound(name))
      throw reader.wrong(`the index ${name} is in use: give this one another name`);
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
    if (this.#terms > TERMS) throw builder.error(`sums have at most ${TERMS} terms`, offset);
    let total: Node | undefined;
    // There may be nothing that a sum without terms could be read with: x[i] beyond the last.
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

  /** The name in the quotes of a quantity, which may have none. */
  #subject(name: string): string | undefined {
    const { kind, text } = this.#reader.token;
    if (kind === "quoted") return this.#reader.advance().text;
    if (this.#reader.isSymbol(")")) return undefined;
    const example = kind === "name" ? text : "...";
    throw this.#reader.wrong(`${name} takes a name in quotes: write ${name}('${example}')`);
  }

  /** Operands of the same rank, from left to right. */
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
