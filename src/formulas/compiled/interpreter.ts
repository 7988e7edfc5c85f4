// Interprets formulas, for hosts without WebAssembly compilation, and for tests, which compare the bits.

import { elementary } from "../../base/wasm/elementary.js";
import { evaluate } from "../expressions/evaluate.js";
import { Operation } from "../expressions/operations.js";
import { allPartsOf, type FunctionSpec, type Place } from "./function-spec.js";

/** Returns the function of a specification over the values of a memory. */
export function interpreted(
  spec: FunctionSpec,
  memory: Float64Array,
): (...addresses: number[]) => number {
  const { outputs, returns, given } = spec;
  const roots = [...outputs.map(({ node }) => node), ...(returns ? [returns] : [])];
  const parts = allPartsOf(roots, given);
  const registers = new Float64Array(parts.length);
  const index = new Map(parts.map((node, i) => [node, i]));
  const functions = elementary();
  const steps = parts.map((node, out) => {
    const [a = 0, b = 0, c = 0] = node.operands.map((operand) => index.get(operand) ?? 0);
    return { node, out, a, b, c, at: given?.get(node) };
  });
  return (...addresses) => {
    const slotOf = ({ parameter, offset }: Place) =>
      ((parameter === undefined ? 0 : addresses[parameter]!) + offset) / 8;
    for (const { node, out, a, b, c, at } of steps) {
      const { operation, number, table } = node;
      if (at !== undefined) registers[out] = memory[at / 8]!;
      else if (operation === Operation.Constant) registers[out] = number;
      else if (operation === Operation.Slot) registers[out] = memory[slotOf(spec.slot(number))]!;
      else if (operation === Operation.Table) {
        registers[out] = table!.derivative(registers[a]!, number);
      } else evaluate(operation, registers, out, a, b, c, functions);
    }
    for (const { node, place } of outputs) memory[slotOf(place)] = registers[index.get(node)!]!;
    return returns && registers[index.get(returns)!] !== 0 ? 1 : 0;
  };
}
