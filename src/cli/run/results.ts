// Formats the results of a run as a table and as JSON.

import type { Units } from "../../files/index.js";
import type { State } from "../../interfaces/index.js";
import type { Solution } from "../../solve.js";
import type { AtomicWriter } from "../written/atomic-file.js";
import type { RunRecord } from "./record-run.js";

type ColumnReader<S> = (state: S) => number;

/** A file that can be run: a mechanism or a system of equations. */
export interface RunnableFile<S> {
  readonly name: string;
  readonly settings: { readonly units: Units };
  readonly columns: readonly { readonly name: string; readonly read: ColumnReader<S> }[];
}

/** Columns of the table that the file defines; undefined for all coordinates. */
function columnsOf<S>({
  columns,
}: RunnableFile<S>): Readonly<Record<string, ColumnReader<S>>> | undefined {
  if (columns.length === 0) return undefined;
  return Object.fromEntries(columns.map(({ name, read }) => [name, read]));
}

/** Writes the table as comma-separated values, row by row. */
export class CsvTable<S extends State> {
  readonly #file: RunnableFile<S>;
  readonly #writer: AtomicWriter;
  /** Number of rows written; -1 before the header. */
  #done = -1;

  constructor(file: RunnableFile<S>, writer: AtomicWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  /** Adds the rows of a solution that have not been written yet. */
  add(solution: Solution<S>, rows: readonly number[]): void {
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

/** Status and statistics of a run as plain data. */
export function resultOf<S extends State>(file: RunnableFile<S>, solution: Solution<S>) {
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

/** The whole solution as JSON in pieces, since one string may exceed the limit of engines. Non-finite numbers are null. */
export function* jsonPieces<S extends State>(
  file: RunnableFile<S>,
  { solution, rows }: RunRecord<S>,
): Generator<string> {
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

function* tableOf<S extends State>(
  file: RunnableFile<S>,
  solution: Solution<S>,
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
