// Compiles formulas with a separate memory, for comparison with the interpreter.

import { elementary } from "../../../src/base/wasm/elementary.js";
import { compileFormulas, scratchSlots } from "../../../src/formulas/compiled/compile.js";
import type { FunctionSpec } from "../../../src/formulas/compiled/function-spec.js";
import { tableFunctions } from "../../../src/formulas/compiled/table-writer.js";
import type { Node } from "../../../src/formulas/expressions/graph.js";
import { parse } from "../../../src/formulas/expressions/parser.js";
import { interpreted } from "../../../src/systems/formulas/formula-module.js";

export { elementary } from "../../../src/base/wasm/elementary.js";
export { Calculus } from "../../../src/formulas/compiled/calculus.js";
export { Algebra } from "../../../src/formulas/expressions/algebra.js";
export { Graph } from "../../../src/formulas/expressions/graph.js";
export { Operation } from "../../../src/formulas/expressions/operations.js";
export { parse } from "../../../src/formulas/expressions/parser.js";
export { Table } from "../../../src/formulas/expressions/table.js";
export { SymbolTable } from "../../../src/formulas/symbolic/symbol-table.js";

/** Addresses of the outputs and of the scratch values of long functions. */
const OUT = 4096;
const SCRATCH = 65536;

/** Values by compiled code and by the interpreter. */
export function bothWays(
  nodes: readonly Node[],
  given: readonly number[],
): { compiled: Float64Array; interpreted: Float64Array } {
  const spec: FunctionSpec = {
    name: "all",
    parameters: 0,
    outputs: nodes.map((node, i) => ({ node, place: { offset: OUT + 8 * i } })),
    slot: (index) => ({ offset: 8 * index }),
  };
  const pages = Math.ceil((SCRATCH + 8 * scratchSlots([spec])) / 65536) + 1;
  const memory = new WebAssembly.Memory({ initial: pages });
  const numbers = new Float64Array(memory.buffer);
  const take = () => numbers.slice(OUT / 8, OUT / 8 + nodes.length);
  const { bytes, tables } = compileFormulas([spec], SCRATCH);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    env: { memory },
    elementary: elementary() as unknown as WebAssembly.ModuleImports,
    tables: tableFunctions(tables),
  });
  numbers.set(given);
  (exports.all as () => void)();
  const compiled = take();
  numbers.fill(0, OUT / 8);
  interpreted(spec, numbers)();
  return { compiled, interpreted: take() };
}

/** The graph of a text. */
export function nodeOf(text: string, variables: readonly string[]): Node {
  return parse(text, { variables, quantities: [], functions: undefined }).root;
}
