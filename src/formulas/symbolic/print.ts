// Prints nodes as text that can be parsed again, and as LaTeX. Long shared parts get names of their own, since formulas printed
// in full could be exponentially long.

import { allPartsOf } from "../compiled/function-spec.js";
import { isConstant, type Node } from "../expressions/graph.js";
import { FUNCTION_NAMES, Operation } from "../expressions/operations.js";

export type Style = "text" | "latex";

/** Number of characters from which a repeated part gets a name. */
const MIN_SHARED_LENGTH = 40;

/** Precedence of the outermost operator. */
enum Rank {
  Choice,
  Comparison,
  Sum,
  Product,
  Sign,
  Power,
  Atom,
}

interface Printed {
  readonly text: string;
  readonly rank: Rank;
}

const LATEX: ReadonlySet<string> = new Set([
  "sin",
  "cos",
  "tan",
  "sinh",
  "cosh",
  "tanh",
  "exp",
  "log",
  "min",
  "max",
]);

const COMPARISONS: Partial<Record<Operation, readonly [string, string]>> = {
  [Operation.Less]: ["<", "<"],
  [Operation.LessOrEqual]: ["<=", "\\le"],
  [Operation.Equal]: ["==", "="],
  [Operation.Different]: ["!=", "\\ne"],
  [Operation.And]: ["and", "\\wedge"],
  [Operation.Or]: ["or", "\\vee"],
};

/** Prints nodes with named slots. */
export class Printer {
  readonly #style: Style;
  readonly #name: (slot: number) => string;
  readonly #printed = new Map<Node, Printed>();
  /** Named parts, in order. */
  readonly shared: { readonly name: string; readonly text: string }[] = [];

  constructor(style: Style, name: (slot: number) => string, roots: readonly Node[]) {
    this.#style = style;
    this.#name = name;
    const parts = allPartsOf(roots);
    const uses = new Map<Node, number>();
    for (const node of roots) uses.set(node, (uses.get(node) ?? 0) + 1);
    for (const { operands } of parts) {
      for (const operand of operands) uses.set(operand, (uses.get(operand) ?? 0) + 1);
    }
    for (const node of parts) {
      const printed = this.#print(node);
      const isShared = uses.get(node)! > 1 && printed.text.length > MIN_SHARED_LENGTH;
      if (!isShared) {
        this.#printed.set(node, printed);
        continue;
      }
      const number = this.shared.length + 1;
      const name = style === "latex" ? `s_{${number}}` : `s${number}`;
      this.shared.push({ name, text: printed.text });
      this.#printed.set(node, { text: name, rank: Rank.Atom });
    }
  }

  text(node: Node): string {
    return this.#printed.get(node)!.text;
  }

  #print(node: Node): Printed {
    const { operation, operands, number } = node;
    const [a, b] = operands as [Node, Node];
    const isLatex = this.#style === "latex";
    switch (operation) {
      case Operation.Constant:
        return { text: numberText(number, isLatex), rank: number < 0 ? Rank.Sign : Rank.Atom };
      case Operation.Slot:
        return {
          text: isLatex ? latexName(this.#name(number)) : this.#name(number),
          rank: Rank.Atom,
        };
      case Operation.Add:
        return { text: this.#sum(a, b), rank: Rank.Sum };
      case Operation.Subtract:
        return { text: `${this.#in(a, Rank.Sum)} - ${this.#in(b, Rank.Product)}`, rank: Rank.Sum };
      case Operation.Multiply: {
        const sign = isLatex ? " \\, " : "*";
        return {
          text: `${this.#in(a, Rank.Product)}${sign}${this.#in(b, Rank.Sign)}`,
          rank: Rank.Product,
        };
      }
      case Operation.Divide:
        return isLatex
          ? { text: `\\frac{${this.text(a)}}{${this.text(b)}}`, rank: Rank.Atom }
          : { text: `${this.#in(a, Rank.Product)}/${this.#in(b, Rank.Sign)}`, rank: Rank.Product };
      case Operation.Negate:
        return { text: `-${this.#in(a, Rank.Sign)}`, rank: Rank.Sign };
      case Operation.IntegerPower:
      case Operation.Power:
        return isLatex
          ? { text: `${this.#in(a, Rank.Atom)}^{${this.text(b)}}`, rank: Rank.Power }
          : { text: `${this.#in(a, Rank.Atom)}^${this.#in(b, Rank.Atom)}`, rank: Rank.Power };
      default:
        return this.#call(node);
    }
  }

  #call({ operation, operands, number }: Node): Printed {
    const isLatex = this.#style === "latex";
    const comparison = COMPARISONS[operation];
    if (comparison) {
      const sign = comparison[isLatex ? 1 : 0];
      const [a, b] = operands.map((operand) => this.#in(operand, Rank.Sum));
      return { text: `${a} ${sign} ${b}`, rank: Rank.Comparison };
    }
    const given = operands.map((operand) => this.text(operand)).join(", ");
    if (operation === Operation.Not) return { text: `(not ${given})`, rank: Rank.Atom };
    if (operation === Operation.Select) return { text: `if(${given})`, rank: Rank.Atom };
    if (operation === Operation.Table)
      return { text: `table${"'".repeat(number)}(${given})`, rank: Rank.Atom };
    const name = FUNCTION_NAMES[operation]!;
    if (!isLatex) return { text: `${name}(${given})`, rank: Rank.Atom };
    if (name === "sqrt") return { text: `\\sqrt{${given}}`, rank: Rank.Atom };
    const word = LATEX.has(name) ? `\\${name}` : `\\operatorname{${name}}`;
    return { text: `${word}\\left(${given}\\right)`, rank: Rank.Atom };
  }

  /** Prints a sum; as a difference if the second part is negative. */
  #sum(a: Node, b: Node): string {
    if (isConstant(b) && b.number < 0) {
      return `${this.#in(a, Rank.Sum)} - ${numberText(-b.number, this.#style === "latex")}`;
    }
    return `${this.#in(a, Rank.Sum)} + ${this.#in(b, Rank.Sum)}`;
  }

  /** Adds parentheses if the precedence is below `minimum`. */
  #in(node: Node, minimum: Rank): string {
    const { text, rank } = this.#printed.get(node)!;
    if (rank >= minimum) return text;
    return this.#style === "latex" ? `\\left(${text}\\right)` : `(${text})`;
  }
}

function numberText(value: number, isLatex: boolean): string {
  const text = String(value);
  if (!isLatex) return text;
  const [, digits, power] = /^(.*)e\+?(.*)$/.exec(text) ?? [];
  return power === undefined ? text : `${digits} \\cdot 10^{${power}}`;
}

const GREEK =
  /^(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega)(\d*)$/;

/** theta1' as \dot{\theta}_{1}. */
export function latexName(name: string): string {
  const [, base, index, quote] = /^([A-Za-z_]\w*)(?:\[(-?\d+)\])?('?)$/.exec(name) ?? [];
  if (base === undefined) return `\\text{${name.replaceAll(/[\\{}$&#^_%~]/g, " ")}}`;
  const greek = GREEK.exec(base);
  const letters = greek ?? /^([A-Za-z])(\d*)$/.exec(base);
  const word = greek
    ? `\\${greek[1]}`
    : (letters?.[1] ?? `\\mathrm{${base.replaceAll("_", "\\_")}}`);
  const subscript = [letters?.[2], index].filter(Boolean).join(",");
  const dotted = quote ? `\\dot{${word}}` : word;
  return subscript === "" ? dotted : `${dotted}_{${subscript}}`;
}
