// A run as data: the table, and all of it as JSON.

import type { BodyState } from "../../../bodies.js";
import type { Solution } from "../../../solve.js";
import type { ModelFile } from "../../files/index.js";
import type { AtomicWriter } from "../written/atomic-file.js";
import type { Recording } from "./record-run.js";

type Reading = (state: BodyState) => number;

/** Columns of the table: those of the file, or all coordinates. */
function columnsOf({ columns }: ModelFile): Readonly<Record<string, Reading>> | undefined {
  if (columns.length === 0) return undefined;
  return Object.fromEntries(columns.map(({ name, read }) => [name, read]));
}

/** The table as comma-separated values: rows are added as they come. */
export class CsvTable {
  readonly #file: ModelFile;
  readonly #writer: AtomicWriter;
  /** Rows that were written; -1 before the line of names. */
  #done = -1;

  constructor(file: ModelFile, writer: AtomicWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  /** Adds those rows of a solution that are not there yet. */
  add(solution: Solution<BodyState>, rows: readonly number[]): void {
    const columns = columnsOf(this.#file);
    const fresh = rows.slice(Math.max(0, this.#done));
    const lines = solution.csvLines({ ...(columns && { columns }), rows: fresh });
    const names = lines.next().value as string;
    if (this.#done < 0) this.#writer.write(names);
    for (const line of lines) this.#writer.write(line);
    this.#done = Math.max(0, this.#done) + fresh.length;
    this.#writer.flush();
  }
}

/** How a run ended and what it cost, as plain data. */
export function resultOf(file: ModelFile, solution: Solution<BodyState>) {
  const { status, reason, method, methodReason, notes, statistics, events, end } = solution;
  return {
    model: file.name,
    units: file.settings.units,
    status,
    reason,
    time: end.time,
    method,
    choice: methodReason,
    notes,
    statistics,
    events: events.map(({ name, time, direction, mode }) => ({ name, time, direction, mode })),
  };
}

/** All of it, in pieces: one text may be longer than engines allow. Numbers that are not finite are null: JSON has none. */
export function* jsonPieces(file: ModelFile, { solution, rows }: Recording): Generator<string> {
  const head = JSON.stringify(resultOf(file, solution));
  const times = rows.map((index) => solution.time[index]);
  yield `${head.slice(0, -1)},"times":${JSON.stringify(times)},"columns":{`;
  let isFirst = true;
  for (const [name, values] of tableOf(file, solution, rows)) {
    yield `${isFirst ? "" : ","}${JSON.stringify(name)}:${JSON.stringify(values)}`;
    isFirst = false;
  }
  yield "}}\n";
}

function* tableOf(
  file: ModelFile,
  solution: Solution<BodyState>,
  rows: readonly number[],
): Generator<readonly [string, readonly (number | undefined)[]]> {
  const columns = columnsOf(file);
  if (columns) {
    const names = Object.keys(columns);
    const readings = Object.values(columns);
    const table = names.map(() => new Array<number>(rows.length));
    rows.forEach((index, row) => {
      const state = solution.state(index);
      readings.forEach((read, k) => {
        table[k]![row] = read(state);
      });
    });
    for (const [k, name] of names.entries()) yield [name, table[k]!];
    return;
  }
  for (const name of solution.names) {
    const values = solution.column(name);
    yield [name, rows.map((index) => values[index])];
  }
}
