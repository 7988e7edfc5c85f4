// The table of a campaign, with a row for each case, in the order of case indices. The bytes depend only on the cases, not on how
// or where they were run.

import type { CaseResult } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";

/** Number of rows per part. */
const ROWS_PER_PART = 5000;

/** Names of all columns. */
export function tableNames({ plan }: Ledger): readonly string[] {
  return ["case", "id", ...plan.parameters, ...plan.columns, "status", "reason"];
}

/** The table as comma-separated values, in pieces. Numbers have the fewest digits that restore the same bits. */
export function* csvPieces(ledger: Ledger): Generator<string> {
  yield `${tableNames(ledger).map(quoted).join(",")}\n`;
  const width = ledger.plan.columns.length;
  for (const result of ledger.results()) {
    const outputs = result.status === "done" ? result.outputs : new Array<null>(width).fill(null);
    const cells = [
      result.case,
      result.id,
      ...result.parameters,
      ...outputs.map((value) => value ?? ""),
      result.status,
      // Keep one line per case, for programs that count lines.
      quoted(reasonOf(result).replaceAll(/\s*[\n\r]\s*/g, " ")),
    ];
    yield `${cells.join(",")}\n`;
  }
}

const reasonOf = (result: CaseResult) => (result.status === "failed" ? result.reason : "");

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
export interface ColumnPart {
  readonly name: string;
  readonly kind: "number" | "integer" | "text";
  readonly data: readonly (number | string | null)[];
}

/** Parts of the table, of several thousand rows each. */
export function* columnParts(ledger: Ledger): Generator<readonly ColumnPart[]> {
  let rows: CaseResult[] = [];
  let hasParts = false;
  for (const result of ledger.results()) {
    rows.push(result);
    if (rows.length < ROWS_PER_PART) continue;
    yield partOf(ledger, rows);
    hasParts = true;
    rows = [];
  }
  if (rows.length > 0 || !hasParts) yield partOf(ledger, rows);
}

function partOf({ plan }: Ledger, rows: readonly CaseResult[]): readonly ColumnPart[] {
  return [
    { name: "case", kind: "integer", data: rows.map((row) => row.case) },
    { name: "id", kind: "text", data: rows.map(({ id }) => id) },
    ...plan.parameters.map((name, i) => ({
      name,
      kind: "number" as const,
      data: rows.map(({ parameters }) => parameters[i]!),
    })),
    ...plan.columns.map((name, i) => ({
      name,
      kind: "number" as const,
      data: rows.map((row) => (row.status === "done" ? row.outputs[i]! : null)),
    })),
    { name: "status", kind: "text", data: rows.map(({ status }) => status) },
    {
      name: "reason",
      kind: "text",
      data: rows.map((row) => (row.status === "failed" ? row.reason : null)),
    },
  ];
}
