// A run as data: the table, and all of it as JSON.

import type { BodyState } from "../bodies/index.js";
import type { ModelFile } from "../files/index.js";
import type { Solution } from "../solve/index.js";
import type { Recording } from "./record.js";

/** Columns of the table: those of the file, or all coordinates. */
function columnsOf({ columns }: ModelFile, { names }: Solution<BodyState>) {
  return columns.length === 0
    ? names
    : Object.fromEntries(columns.map(({ name, read }) => [name, read]));
}

/** Comma-separated values: a line for each row of the output. */
export function csvText(file: ModelFile, { solution, rows }: Recording): string {
  const lines = [...solution.csvLines({ columns: columnsOf(file, solution) })];
  return [lines[0]!, ...rows.map((index) => lines[index + 1]!)].join("");
}

/** How a run ended and what it cost, as plain data. */
export function resultOf(file: ModelFile, solution: Solution<BodyState>) {
  const { status, reason, method, choice, notes, statistics, events, end } = solution;
  return {
    model: file.name,
    units: file.settings.units,
    status,
    reason,
    time: end.time,
    method,
    choice,
    notes,
    statistics,
    events: events.map(({ name, time, direction, mode }) => ({ name, time, direction, mode })),
  };
}

/** Numbers that are not finite are null: JSON has none. */
export function jsonText(file: ModelFile, { solution, rows }: Recording): string {
  const columns = columnsOf(file, solution);
  const entries = Array.isArray(columns)
    ? columns.map((name: string) => [name, name] as const)
    : Object.entries(columns as Readonly<Record<string, (state: BodyState) => number>>);
  const table = entries.map(([name, what]) => {
    const values = solution.column(what);
    return [name, rows.map((index) => values[index])] as const;
  });
  const data = {
    ...resultOf(file, solution),
    times: rows.map((index) => solution.time[index]),
    columns: Object.fromEntries(table),
  };
  return `${JSON.stringify(data)}\n`;
}
