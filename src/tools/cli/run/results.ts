// A run as data: the table, and all of it as JSON.

import type { State } from "../../../seam/index.js";
import type { Solution } from "../../../solve.js";
import type { Units } from "../../files/index.js";
import type { AtomicWriter } from "../written/atomic-file.js";
import type { Recording } from "./record-run.js";

type Reading<S> = (state: S) => number;

/** A file that can be run: a mechanism, or a system by equations. */
export interface RunnableFile<S> {
  readonly name: string;
  readonly settings: { readonly units: Units };
  readonly columns: readonly { readonly name: string; readonly read: Reading<S> }[];
}

/** Columns of the table: those of the file, or all coordinates. */
function columnsOf<S>({
  columns,
}: RunnableFile<S>): Readonly<Record<string, Reading<S>>> | undefined {
  if (columns.length === 0) return undefined;
  return Object.fromEntries(columns.map(({ name, read }) => [name, read]));
}

/** The table as comma-separated values: rows are added as they come. */
export class CsvTable<S extends State> {
  readonly #file: RunnableFile<S>;
  readonly #writer: AtomicWriter;
  /** Rows that were written; -1 before the line of names. */
  #done = -1;

  constructor(file: RunnableFile<S>, writer: AtomicWriter) {
    this.#file = file;
    this.#writer = writer;
  }

  /** Adds those rows of a solution that are not there yet. */
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

/** How a run ended and what it cost, as plain data. */
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

/** All of it, in pieces: one text may be longer than engines allow. Numbers that are not finite are null: JSON has none. */
export function* jsonPieces<S extends State>(
  file: RunnableFile<S>,
  { solution, rows }: Recording<S>,
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
