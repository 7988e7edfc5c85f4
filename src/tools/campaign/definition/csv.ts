// Lists of cases as comma-separated values: a line of names, then numbers.

import { locationOf } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import { columnName, MOST_CASES } from "./checks.js";

/** Columns by name. Throws where a cell is not a number. */
export function readColumns(
  text: string,
  path: string,
): Readonly<Record<string, readonly number[]>> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop();
  const [head = "", ...rows] = lines;
  if (rows.length === 0)
    throw wrong(path, 1, "has no cases: a line of names, then lines of numbers");
  if (rows.length > MOST_CASES) throw wrong(path, 1, `has more than ${MOST_CASES} cases`);
  const separator = !head.includes(",") && head.includes(";") ? ";" : ",";
  const names = head
    .split(separator)
    .map((cell) => columnName.read(unquoted(cell), locationOf(path, "DESCRIPTION", "a heading")));
  if (new Set(names).size !== names.length) throw wrong(path, 1, "has a heading twice");
  const columns = names.map(() => new Array<number>(rows.length));
  for (const [i, row] of rows.entries()) {
    const cells = row.split(separator);
    if (cells.length !== names.length) {
      throw wrong(path, i + 2, `has ${cells.length} cells; there are ${names.length} headings`);
    }
    for (const [k, cell] of cells.entries()) {
      const value = Number(unquoted(cell));
      if (unquoted(cell) === "" || !Number.isFinite(value))
        throw wrong(path, i + 2, `"${cell}" is not a number`);
      columns[k]![i] = value;
    }
  }
  return Object.fromEntries(names.map((name, k) => [name, columns[k]!]));
}

const unquoted = (cell: string) => cell.trim().replace(/^"(.*)"$/, "$1");

function wrong(path: string, line: number, what: string): NodriftError {
  return new NodriftError("DESCRIPTION", `${path}, line ${line}: ${what}`);
}
