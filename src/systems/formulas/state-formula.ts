// Formulas evaluated at a state of a run: for tables, plots and events.

import type { Node } from "../../formulas/expressions/graph.js";
import { partsOf } from "../../formulas/expressions/graph.js";
import { Program } from "../../formulas/expressions/program.js";
import type { FormulaInput } from "../../formulas/symbolic/formula-reader.js";
import type { NamedParts } from "../../formulas/symbolic/read-names.js";
import type { State } from "../../interfaces/index.js";

/** A function of a state. */
export type StateFormula = (state: State) => number;

/** Compiles a formula in the names of a system, with its current parameters at each call. */
export function stateFormula(
  { reader }: NamedParts,
  variables: number,
  parameters: Float64Array,
  given: FormulaInput,
  where = "formula",
  index?: readonly [string, number],
): StateFormula {
  const node: Node = reader.read(where, given, index);
  const program = new Program(partsOf(node), 1 + parameters.length + variables);
  const { slots } = program;
  return ({ time, q, v }) => {
    slots[0] = time;
    slots.set(parameters, 1);
    slots.set(q, 1 + parameters.length);
    slots.set(v, 1 + parameters.length + q.length);
    return program.run();
  };
}
