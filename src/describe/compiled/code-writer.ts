// Writes the operations of formulas as WebAssembly. Each does what the interpreter does, bit by bit:
// sums, products, quotients and roots are rounded in one way only, and elementary functions are those
// of the same module.

import { type Body, Code, F64 } from "../../ground/emit/module-writer.js";
import type { Node } from "../expressions/graph.js";
import { FUNCTION_NAMES, isElementary, Operation } from "../expressions/operations.js";
import type { FunctionSpec, Place } from "./function-spec.js";

/** Numbers of imported functions. */
export interface Callable {
  elementary(name: string): number;
  /** The function of a table, by the table's node. */
  table(node: Node): number;
}

/** Operations that are one instruction. */
const INSTRUCTIONS: Partial<Record<Operation, Code>> = {
  [Operation.Add]: Code.F64Add,
  [Operation.Subtract]: Code.F64Subtract,
  [Operation.Multiply]: Code.F64Multiply,
  [Operation.Divide]: Code.F64Divide,
  [Operation.Negate]: Code.F64Negate,
  [Operation.SquareRoot]: Code.F64SquareRoot,
  [Operation.Absolute]: Code.F64Absolute,
  [Operation.Floor]: Code.F64Floor,
  [Operation.Ceil]: Code.F64Ceil,
  [Operation.Minimum]: Code.F64Minimum,
  [Operation.Maximum]: Code.F64Maximum,
};

const COMPARISONS: Partial<Record<Operation, Code>> = {
  [Operation.Less]: Code.F64Less,
  [Operation.LessOrEqual]: Code.F64LessOrEqual,
  [Operation.Equal]: Code.F64Equal,
  [Operation.Different]: Code.F64NotEqual,
};

/** The elementary function that an operation calls. */
export function functionOf(operation: Operation): string | undefined {
  // Formulas call it `mod`.
  if (operation === Operation.Modulo) return "modulo";
  return isElementary(operation) ? FUNCTION_NAMES[operation] : undefined;
}

/** Writes values of one function. */
export class CodeWriter {
  readonly #body: Body;
  readonly #callable: Callable;
  readonly #slot: (index: number) => Place;
  /** Locals that hold values. */
  readonly #locals = new Map<Node, number>();
  /** Values that lie in memory. */
  readonly #carried: ReadonlyMap<Node, number>;
  readonly #given: ReadonlyMap<Node, number> | undefined;

  constructor(
    body: Body,
    callable: Callable,
    { slot, given }: Pick<FunctionSpec, "slot" | "given">,
    carried: ReadonlyMap<Node, number>,
  ) {
    this.#body = body;
    this.#callable = callable;
    this.#slot = slot;
    this.#given = given;
    this.#carried = carried;
  }

  /** Evaluates a node into a local of its own. */
  keep(node: Node, twin: Node | undefined): void {
    if (this.#locals.has(node)) return;
    if (twin) this.#sineAndCosine(node, twin);
    else {
      this.#operation(node);
      this.#body.set(this.#localOf(node));
    }
    for (const made of twin ? [node, twin] : [node]) {
      const address = this.#carried.get(made);
      if (address === undefined) continue;
      this.#body.integer(0);
      this.#body.get(this.#localOf(made));
      this.#body.store(address);
    }
  }

  /** Puts the address of a place on the stack; the offset is that of the access. */
  base({ parameter }: Place): void {
    if (parameter === undefined) this.#body.integer(0);
    else this.#body.get(parameter);
  }

  /** Puts the value of a node on the stack. */
  value(node: Node): void {
    const local = this.#locals.get(node);
    if (local !== undefined) {
      this.#body.get(local);
      return;
    }
    const address = this.#carried.get(node);
    if (address !== undefined) {
      this.#body.integer(0);
      this.#body.load(address);
      this.#body.tee(this.#localOf(node));
      return;
    }
    this.#operation(node);
  }

  #localOf(node: Node): number {
    const local = this.#locals.get(node) ?? this.#body.local(F64);
    this.#locals.set(node, local);
    return local;
  }

  /** Both of one angle: `node` is one of them. */
  #sineAndCosine(node: Node, twin: Node): void {
    const [sine, cosine] = node.operation === Operation.Sin ? [node, twin] : [twin, node];
    this.value(sine.operands[0]!);
    this.#body.call(this.#callable.elementary("sineAndCosine"));
    this.#body.set(this.#localOf(sine));
    this.#body.call(this.#callable.elementary("keptCosine"));
    this.#body.set(this.#localOf(cosine));
  }

  #operation(node: Node): void {
    const body = this.#body;
    const { operation, operands, number } = node;
    const address = this.#given?.get(node);
    if (address !== undefined) {
      body.integer(0);
      body.load(address);
      return;
    }
    if (operation === Operation.Constant) {
      body.float(number);
      return;
    }
    if (operation === Operation.Slot) {
      const place = this.#slot(number);
      this.base(place);
      body.load(place.offset);
      return;
    }
    if (operation === Operation.IntegerPower) {
      this.#power(operands[0]!, operands[1]!.number);
      return;
    }
    if (operation === Operation.Sign) {
      this.#sign(operands[0]!);
      return;
    }
    if (operation === Operation.Select) {
      this.value(operands[1]!);
      this.value(operands[2]!);
      this.#truth(operands[0]!);
      body.code(Code.Select);
      return;
    }
    if (operation >= Operation.Less && operation <= Operation.Not) {
      this.#logic(node);
      body.code(Code.F64FromI32);
      return;
    }
    for (const operand of operands) this.value(operand);
    const instruction = INSTRUCTIONS[operation];
    if (instruction !== undefined) body.code(instruction);
    else if (operation === Operation.Table) body.call(this.#callable.table(node));
    else body.call(this.#callable.elementary(functionOf(operation)!));
  }

  /** x x x ..., from the left, as the interpreter does; the reciprocal of it below zero. */
  #power(x: Node, exponent: number): void {
    if (exponent < 0) this.#body.float(1);
    this.value(x);
    for (let i = 1; i < Math.abs(exponent); i++) {
      this.value(x);
      this.#body.code(Code.F64Multiply);
    }
    if (exponent < 0) this.#body.code(Code.F64Divide);
  }

  /** 1 above zero, -1 below, else x itself: zeros keep their signs, and NaN stays. */
  #sign(x: Node): void {
    const body = this.#body;
    body.float(1);
    body.float(-1);
    this.value(x);
    this.value(x);
    body.float(0);
    body.code(Code.F64Less);
    body.code(Code.Select);
    this.value(x);
    body.float(0);
    body.code(Code.F64Greater);
    body.code(Code.Select);
  }

  /** An integer: 1 where a value is not zero. */
  #truth(node: Node): void {
    if (
      node.operation >= Operation.Less &&
      node.operation <= Operation.Not &&
      !this.#locals.has(node) &&
      !this.#carried.has(node) &&
      !this.#given?.has(node)
    ) {
      this.#logic(node);
      return;
    }
    this.value(node);
    this.#body.float(0);
    this.#body.code(Code.F64NotEqual);
  }

  /** An integer: 1 where a comparison holds. */
  #logic({ operation, operands }: Node): void {
    const body = this.#body;
    const [a, b] = operands as [Node, Node];
    const comparison = COMPARISONS[operation];
    if (comparison !== undefined) {
      this.value(a);
      this.value(b);
      body.code(comparison);
      return;
    }
    this.#truth(a);
    if (operation === Operation.Not) {
      body.code(Code.I32EqualsZero);
      return;
    }
    this.#truth(b);
    body.code(operation === Operation.And ? Code.I32And : Code.I32Or);
  }

  /** Puts 1 or 0 on the stack for what a function returns. */
  returned(node: Node): void {
    this.#truth(node);
  }
}
