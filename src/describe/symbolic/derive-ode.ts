// Differential equations y' = f(t, y) by formulas: df/dy exactly, where it is not zero.

import { isConstant, type Node } from "../expressions/graph.js";
import type { FormulaOdeDescription } from "./description.js";
import { type Explanation, explained, type Line, slotNames } from "./explain.js";
import { wrong } from "./formula-reader.js";
import { latexName } from "./print.js";
import {
  entriesOf,
  type NamedParts,
  readNames,
  requireNew,
  startOf,
  variableNames,
} from "./read-names.js";

export interface DerivedOde extends NamedParts {
  readonly name: string;
  readonly unknownNames: readonly string[];
  readonly y: readonly Node[];
  readonly rates: readonly Node[];
  /** Numbers of df/dy that are not always zero. Found when it is first asked for. */
  jacobian(): readonly { readonly row: number; readonly column: number; readonly node: Node }[];
  readonly start: readonly number[] | undefined;
}

/** Reads a description of differential equations. */
export function deriveOde(name: string, given: FormulaOdeDescription): DerivedOde {
  const unknownNames = variableNames(name, "unknowns", given.unknowns);
  const y: Node[] = [];
  const parts = readNames(name, given, (symbols) => {
    for (const each of unknownNames) requireNew(name, symbols, each);
    for (const _ of unknownNames) y.push(symbols.slot());
    // Not coordinates: y' is what the equations determine, and no name for a formula to use.
    for (const [i, each] of unknownNames.entries()) symbols.define("unknown", each, y[i]!);
  });
  const found = new Map<string, Node>();
  for (const { name: key, where, index, formula } of entriesOf(
    name,
    "rates",
    given.rates,
    unknownNames,
  )) {
    found.set(key, parts.reader.read(where, formula, index));
  }
  const missing = unknownNames.find((each) => !found.has(each));
  if (missing !== undefined) throw wrong(name, `rates has no formula for "${missing}"`);
  const rates = unknownNames.map((each) => found.get(each)!);
  let jacobian: ReturnType<DerivedOde["jacobian"]> | undefined;
  return {
    ...parts,
    name,
    unknownNames,
    y,
    rates,
    jacobian: () => {
      jacobian ??= jacobianOf(parts, rates, y);
      return jacobian;
    },
    start: startOf(name, given.start, unknownNames, false)?.q,
  };
}

/** Row by row, by those unknowns that a rate contains: most of large systems contain few. */
function jacobianOf({ symbols }: NamedParts, rates: readonly Node[], y: readonly Node[]) {
  const columns = new Map(y.map((slot, j) => [slot, j]));
  return rates.flatMap((rate, row) => {
    const used = symbols.slotsOf([rate]).filter((slot) => columns.has(slot));
    const derivatives = symbols.calculus.jacobian([rate], used)[0]!;
    return derivatives.flatMap((node, k) =>
      isConstant(node, 0) ? [] : [{ row, column: columns.get(used[k]!)!, node }],
    );
  });
}

/** The rates and df/dy, as text and LaTeX. */
export function explainOde(ode: DerivedOde): Explanation {
  const { unknownNames, parameterNames, rates } = ode;
  const lines: Line[] = rates.map((node, i) => ({
    left: `${unknownNames[i]}'`,
    latex: latexName(`${unknownNames[i]}'`),
    node,
  }));
  for (const { row, column, node } of ode.jacobian()) {
    const [of, by] = [unknownNames[row]!, unknownNames[column]!];
    lines.push({
      left: `d(${of}')/d(${by})`,
      latex: `\\frac{\\partial ${latexName(`${of}'`)}}{\\partial ${latexName(by)}}`,
      node,
    });
  }
  const head = [`${ode.name}: y' = f(t, y), ${unknownNames.length} unknowns`];
  return explained(head, lines, slotNames(parameterNames, unknownNames));
}
