// Differential equations y' = f(t, y) given by formulas, with the structural nonzeros of df/dy in analytic form.

import { isConstant, type Node } from "../expressions/graph.js";
import type { FormulaOdeDescription } from "./description.js";
import { type Explanation, type ExplanationLine, explained, slotNames } from "./explain.js";
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
  /** Structural nonzeros of df/dy, computed on first use. */
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
    // Unknowns are not coordinates: formulas cannot use y', which the equations determine.
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

/** Differentiates each rate only by the unknowns that it contains, which are few in large systems. */
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

/** Formats the rates and df/dy as text and LaTeX. */
export function explainOde(ode: DerivedOde): Explanation {
  const { unknownNames, parameterNames, rates } = ode;
  const lines: ExplanationLine[] = rates.map((node, i) => ({
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
