// A graph as a list of instructions: small integers that address an array of registers. One loop evaluates it, without
// recursion, closures or allocation.

import { type ElementaryFunctions, elementary } from "../../base/wasm/elementary.js";
import { evaluate } from "./evaluate.js";
import type { Node } from "./graph.js";
import { isElementary, Operation } from "./operations.js";
import type { Table } from "./table.js";

/**
 * Number of integers per instruction: the operation and three registers. Each instruction has its own result register.
 */
const WIDTH = 4;

/** Registers are the slots, then the constants, then the result of each instruction. */
export class Program {
  /** Inputs. */
  readonly slots: Float64Array;
  readonly #registers: Float64Array;
  readonly #code: Int32Array;
  readonly #tables: readonly Table[];
  readonly #functions: ElementaryFunctions | undefined;
  /** Register of the first instruction, and of the result. */
  readonly #first: number;
  readonly #result: number;

  /** @param parts operands first; the last one is the result */
  constructor(parts: readonly Node[], slots: number) {
    const constants = parts.filter(({ operation }) => operation === Operation.Constant);
    const steps = parts.filter(({ operation }) => operation > Operation.Slot);
    const computed = [...constants, ...steps];
    const places = new Map(computed.map((node, i) => [node, slots + i]));
    const registerOf = (node: Node) => places.get(node) ?? node.number;

    this.#registers = new Float64Array(slots + computed.length);
    for (const node of constants) this.#registers[registerOf(node)] = node.number;
    this.slots = this.#registers.subarray(0, slots);
    this.#first = slots + constants.length;
    this.#result = registerOf(parts.at(-1)!);

    const tables = steps.flatMap(({ table }) => table ?? []);
    this.#tables = tables;
    let table = 0;
    this.#code = new Int32Array(WIDTH * steps.length);
    for (const [i, { operation, operands, number }] of steps.entries()) {
      const rest = operation === Operation.Table ? [table++, number] : [];
      this.#code.set([operation, ...operands.map(registerOf), ...rest], WIDTH * i);
    }
    this.#functions = steps.some(({ operation }) => isElementary(operation))
      ? elementary()
      : undefined;
  }

  run(): number {
    const code = this.#code;
    const registers = this.#registers;
    const functions = this.#functions;
    let out = this.#first;
    for (let i = 0; i < code.length; i += WIDTH, out++) {
      const operation = code[i]!;
      const a = code[i + 1]!;
      const b = code[i + 2]!;
      const c = code[i + 3]!;
      if (operation === Operation.Table) {
        registers[out] = this.#tables[b]!.derivative(registers[a]!, c);
      } else evaluate(operation, registers, out, a, b, c, functions);
    }
    return registers[this.#result]!;
  }
}
