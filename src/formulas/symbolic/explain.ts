// Formats the derived equations for readers.

import { isConstant, type Node } from "../expressions/graph.js";
import type { DerivedEquations } from "./derive.js";
import { latexName, Printer, type Style } from "./print.js";

/** Equations in two formats. */
export interface Explanation {
  /** Equations as text that can be parsed again. */
  readonly text: string;
  /** Equations as LaTeX, in one display of aligned lines. */
  readonly latex: string;
}

/** A line of an explanation: left-hand side and node. */
export interface ExplanationLine {
  readonly left: string;
  readonly latex: string;
  readonly node: Node;
}

/** Names of slots: t, parameters, variables, and their rates. */
export function slotNames(parameters: readonly string[], variables: readonly string[]) {
  const names = ["t", ...parameters, ...variables, ...variables.map((name) => `${name}'`)];
  return (slot: number) => names[slot] ?? `slot ${slot}`;
}

export function explained(
  head: readonly string[],
  lines: readonly ExplanationLine[],
  name: (slot: number) => string,
): Explanation {
  const nodes = lines.map(({ node }) => node);
  const printed = (style: Style) => new Printer(style, name, nodes);
  const text = printed("text");
  const latex = printed("latex");
  const shared = text.shared.map((each) => `  ${each.name} = ${each.text}`);
  const sharedLatex = latex.shared.map((each) => `${each.name} &= ${each.text}`);
  const rows = lines.map(({ left, node }) => `  ${left} = ${text.text(node)}`);
  const rowsLatex = lines.map((line) => `${line.latex} &= ${latex.text(line.node)}`);
  return Object.freeze({
    text: [...head, ...(shared.length > 0 ? ["with", ...shared] : []), ...rows].join("\n"),
    latex: `\\begin{aligned}\n${[...sharedLatex, ...rowsLatex].join(" \\\\\n")}\n\\end{aligned}`,
  });
}

/** Formats M a = Q + J^T lambda and its constraints, entry by entry, without zeros. */
export function explainEquations(equations: DerivedEquations): Explanation {
  const { coordinateNames, parameterNames, mass, forces, phi, jacobian, gamma } = equations;
  const rowNames = [...equations.holonomicNames, ...equations.nonholonomicNames];
  const lines: ExplanationLine[] = [];
  const add = (letter: string, latexLetter: string, names: readonly string[], node: Node) => {
    if (isConstant(node, 0)) return;
    const marks = names.map((each) => latexName(each)).join(",");
    lines.push({
      left: `${letter}[${names.join(", ")}]`,
      latex: `${latexLetter}_{${marks}}`,
      node,
    });
  };
  for (const [i, row] of mass.entries()) {
    for (let j = 0; j <= i; j++) add("M", "M", [coordinateNames[i]!, coordinateNames[j]!], row[j]!);
  }
  for (const [i, force] of forces.entries()) add("Q", "Q", [coordinateNames[i]!], force);
  for (const [i, row] of phi.entries()) add("Phi", "\\Phi", [rowNames[i]!], row);
  for (const [i, row] of jacobian.entries()) {
    for (const [j, each] of row.entries()) add("J", "J", [rowNames[i]!, coordinateNames[j]!], each);
  }
  for (const [i, each] of gamma.entries()) add("gamma", "\\gamma", [rowNames[i]!], each);
  const kind = `${equations.massIsConstant ? "constant" : "varying"}, ${equations.massIsDiagonal ? "diagonal" : "full"}`;
  const head = [
    `${equations.name}: M a = Q + J^T lambda, J a = gamma`,
    `  ${coordinateNames.length} coordinates, ${rowNames.length} constraints; mass matrix: ${kind}`,
  ];
  return explained(head, lines, slotNames(parameterNames, coordinateNames));
}
