// Formulas that are read at a state of a run: for tables, plots and events.

import type { Node } from "../../describe/expressions/graph.js";
import { partsOf } from "../../describe/expressions/graph.js";
import { Program } from "../../describe/expressions/program.js";
import type { FormulaInput } from "../../describe/symbolic/formula-reader.js";
import type { NamedParts } from "../../describe/symbolic/read-names.js";
import type { State } from "../../seam/index.js";

/** A function of a state. */
export type StateFormula = (state: State) => number;

/** Reads a formula of the names of a system, with its parameters as they are when it is asked. */
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
