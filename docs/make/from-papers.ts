// docs/from-papers.md: every numbered equation, table and example of the five papers, with its implementation. The
// page is the data; this module has the numbering of each paper, and the lines generated from the registries.

import { coupledMethods, formulations, stabilisations } from "nodrift";
import { adaptiveIntegrators, directFormulations, directMethods, stateSpace } from "nodrift/solve";
import { textOf } from "../../test/support/sources.js";

export const FROM_PAPERS = "docs/from-papers.md";

/** Numbered items of a paper. */
export interface Paper {
  /** Beginning of its heading on the page, and its citation in references of methods. */
  readonly name: string;
  /** The highest number of an equation. */
  readonly highest: number;
  /** Equations with parts. */
  readonly parts: readonly string[];
  /** Tables, examples, and sections whose methods are unnumbered. */
  readonly others: readonly string[];
}

const sections = (...names: readonly string[]) => names.map((name) => `section ${name}`);
const tables = (...names: readonly string[]) => names.map((name) => `Table ${name}`);

export const PAPERS: readonly Paper[] = [
  {
    name: "Welch",
    highest: 79,
    parts: ["43a", "43b", "44a", "44b"],
    others: [...tables("1", "2", "3"), ...sections("I", "IV")],
  },
  {
    name: "Yoon",
    highest: 31,
    parts: ["24.a", "24.b", "24.c", "24.d", "29.a", "29.b"],
    others: ["Example 1"],
  },
  {
    name: "Laulusa",
    highest: 20,
    parts: ["13a", "13b", "15a", "15b"],
    others: sections("2.2.3", "2.2.4", "3", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"),
  },
  {
    name: "Negrut",
    highest: 48,
    parts: [],
    others: [...tables("I", "II", "III", "IV", "V", "VI"), ...sections("1", "5.1", "5.2")],
  },
  {
    name: "Braun",
    highest: 21,
    parts: [],
    others: [...tables("1"), ...sections("4.1", "4.2", "4.3", "4.4", "5.1", "5.2", "5.3", "5.4")],
  },
];

/** Cells of the rows of tables below a heading with this beginning. */
export function rowsBelow(heading: string, page = textOf(FROM_PAPERS)): readonly string[][] {
  const [, below = ""] = page.split(`\n## ${heading}`);
  const rows = below
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return rows.slice(2).map((row) => row.slice(2, -2).split(" | "));
}

/** Every number in a cell like "(43a)-(43b), (45)-(47), Table 1". */
export function numbersOf(cell: string): string[] {
  return cell.split(", ").flatMap((part) => {
    if (!part.startsWith("(")) return [part];
    const [first, last = first] = part.replaceAll(/[()]/g, "").split("-") as [string, string?];
    const stem = first.replace(/\.?[a-e]$/, "");
    if (stem === first) {
      return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => `${+first + i}`);
    }
    const [from, to] = [first, last].map((name) => name.charCodeAt(name.length - 1)) as [
      number,
      number,
    ];
    const letters = Array.from({ length: to - from + 1 }, (_, i) => String.fromCharCode(from + i));
    return letters.map((letter) => first.slice(0, -1) + letter);
  });
}

/** Equations, parts, tables, examples and sections without a line. */
export function missingLines({ name, highest, parts, others }: Paper, page?: string): string[] {
  const found = new Set(rowsBelow(name, page).flatMap(([cell]) => numbersOf(cell!)));
  const all = [...Array.from({ length: highest }, (_, i) => `${i + 1}`), ...parts, ...others];
  return all.filter((number) => !found.has(number));
}

const SOURCES = /^Methods whose source is this paper: .*$/m;

/** The page, with the methods of the registries whose reference is a paper below its table. */
export function fromPapersPage(): string {
  const registered = [
    ...formulations,
    stateSpace(),
    ...directFormulations,
    ...coupledMethods,
    ...directMethods,
    ...stabilisations,
    ...Object.values(adaptiveIntegrators).map((make) => make()),
  ];
  return textOf(FROM_PAPERS)
    .split("\n## ")
    .map((section) => {
      const paper = PAPERS.find(({ name }) => section.startsWith(name));
      const names = registered.flatMap(({ name, reference }) =>
        paper && reference.includes(paper.name) ? [`\`${name}\``] : [],
      );
      return section.replace(SOURCES, `Methods whose source is this paper: ${names.join(", ")}.`);
    })
    .join("\n## ");
}
