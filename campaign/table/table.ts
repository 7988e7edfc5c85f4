// The table of a campaign, with a row for each case, in the order of case indices. The bytes depend only on the cases, not on how
// or where they were run.

import type { CaseResult } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";

/** Number of rows per part. */
const ROWS_PER_PART = 5000;

/** A column of the table, with the function that reads it from a result; null if there is no value. */
interface Column {
  readonly name: string;
  readonly kind: "number" | "integer" | "text";
  read(result: CaseResult): number | string | null;
}

function columnsOf({ plan }: Ledger): readonly Column[] {
  return [
    { name: "case", kind: "integer", read: (result) => result.case },
    { name: "id", kind: "text", read: ({ id }) => id },
    ...plan.parameters.map(
      (name, i): Column => ({ name, kind: "number", read: ({ parameters }) => parameters[i]! }),
    ),
    ...plan.columns.map(
      (name, i): Column => ({
        name,
        kind: "number",
        read: (result) => (result.status === "done" ? result.outputs[i]! : null),
      }),
    ),
    { name: "status", kind: "text", read: ({ status }) => status },
    {
      name: "reason",
      kind: "text",
      read: (result) => (result.status === "failed" ? result.reason : null),
    },
  ];
}

/** The table as comma-separated values, in pieces. Numbers have the fewest digits that restore the same bits. */
export function* csvPieces(ledger: Ledger): Generator<string> {
  const columns = columnsOf(ledger);
  yield `${columns.map(({ name }) => quoted(name)).join(",")}\n`;
  for (const result of ledger.results()) {
    const cells = columns.map(({ read }) => {
      const value = read(result) ?? "";
      // Keep one line per case, for programs that count lines.
      return typeof value === "string" ? quoted(value.replaceAll(/\s*[\n\r]\s*/g, " ")) : value;
    });
    yield `${cells.join(",")}\n`;
  }
}

/** Quotes a cell, also so that spreadsheets read it as text and not as a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The table as JSON, in pieces, with the last accepted states of failed cases. */
export function* jsonPieces(ledger: Ledger): Generator<string> {
  const { plan, stopReason } = ledger;
  const { name, seed = 0, design } = plan.definition;
  const type = design.type;
  const head = {
    name,
    design: type,
    seed,
    cases: ledger.count,
    parameters: plan.parameters,
    outputs: plan.columns,
  };
  const ended = stopReason === undefined ? {} : { stopReason };
  yield `${JSON.stringify({ ...head, ...ended }).slice(0, -1)},"results":[\n`;
  let isFirst = true;
  for (const result of ledger.results()) {
    const { sum: _, ...record } = result as CaseResult & { readonly sum?: string };
    yield `${isFirst ? "" : ",\n"}${JSON.stringify(record)}`;
    isFirst = false;
  }
  yield "\n]}\n";
}

/** A column of a part of the table, for column-oriented formats. */
interface ColumnPart extends Pick<Column, "name" | "kind"> {
  readonly data: readonly (number | string | null)[];
}

/** Parts of the table, of several thousand rows each. */
export function* columnParts(ledger: Ledger): Generator<readonly ColumnPart[]> {
  const columns = columnsOf(ledger);
  const partOf = (rows: readonly CaseResult[]) =>
    columns.map(({ name, kind, read }) => ({ name, kind, data: rows.map(read) }));
  let rows: CaseResult[] = [];
  let hasParts = false;
  for (const result of ledger.results()) {
    rows.push(result);
    if (rows.length < ROWS_PER_PART) continue;
    yield partOf(rows);
    hasParts = true;
    rows = [];
  }
  if (rows.length > 0 || !hasParts) yield partOf(rows);
}
