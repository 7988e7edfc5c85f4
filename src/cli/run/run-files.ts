// Output files of a run. They are opened before the run, so that write errors are reported before anything is
// computed. Rows of the table are written during the run.

import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Units } from "../../files/index.js";
import type { State } from "../../interfaces/index.js";
import { bytes } from "../../report/numbers.js";
import type { SummaryLine } from "../../report/summary.js";
import type { Solution } from "../../solve.js";
import { AtomicWriter, lockFolder, writeAtomically } from "../terminal/atomic-file.js";
import { FileError, fileErrorText, type Terminal } from "../terminal/terminal.js";
import type { RowKeeper, RunRecord } from "./record-run.js";

export const FORMATS = ["html", "csv", "json"] as const;
export type Format = (typeof FORMATS)[number];

const NAMES: Readonly<Record<Format, string>> = {
  html: "report.html",
  csv: "motion.csv",
  json: "solution.json",
};
const PARTIAL = "motion.partial.csv";

export class RunFiles<S extends State> {
  readonly #folder: string;
  readonly #formats: readonly Format[];
  readonly #file: RunnableFile<S>;
  readonly #terminal: Terminal;
  readonly #unlock: () => void = () => {};
  readonly #writer: AtomicWriter | undefined;
  readonly #table: CsvTable<S> | undefined;
  #isCommitted = false;

  constructor(
    folder: string,
    formats: readonly Format[],
    file: RunnableFile<S>,
    terminal: Terminal,
  ) {
    this.#folder = folder;
    this.#formats = formats;
    this.#file = file;
    this.#terminal = terminal;
    if (formats.length === 0) return;
    makeFolder(folder);
    this.#unlock = lockFolder(folder, terminal);
    if (!formats.includes("csv")) return;
    try {
      this.#writer = new AtomicWriter(this.path("csv"), terminal, join(folder, PARTIAL));
    } catch (error) {
      this.#unlock();
      throw error;
    }
    this.#table = new CsvTable(file, this.#writer);
  }

  /** Writes rows during the run; undefined without a table. */
  get keepRows(): RowKeeper<S> | undefined {
    const table = this.#table;
    return table && ((solution, rows) => table.add(solution, rows(solution)));
  }

  /** Writes all files in turn: the table first, since most of it exists already, the page last. */
  *write(recording: RunRecord<S>, page: () => string): Generator<SummaryLine> {
    const { solution, rows } = recording;
    const sizes: Readonly<Record<Format, () => number>> = {
      csv: () => this.#commitTable(solution, rows),
      json: () => this.#writePieces("json", jsonPieces(this.#file, recording)),
      html: () => writeAtomically(this.path("html"), page(), this.#terminal),
    };
    const order = (["csv", "json", "html"] as const).filter((format) =>
      this.#formats.includes(format),
    );
    for (const [i, format] of order.entries()) {
      const left = order.slice(i).map((other) => this.path(other));
      this.#terminal.setFallback({ print: `  not written in time: ${left.join(", ")}`, files: [] });
      const size = sizes[format]();
      yield { label: "written", text: `${this.path(format)} (${bytes(size)})` };
    }
  }

  /** Removes incomplete files and unlocks the folder. */
  close(): void {
    if (!this.#isCommitted) this.#writer?.discard();
    this.#unlock();
  }

  /** Path of an output file. */
  path(format: Format): string {
    return join(this.#folder, NAMES[format]);
  }

  #commitTable(solution: Solution<S>, rows: readonly number[]): number {
    this.#table!.add(solution, rows);
    const size = this.#writer!.commit();
    this.#isCommitted = true;
    return size;
  }

  #writePieces(format: Format, pieces: Iterable<string>): number {
    const writer = new AtomicWriter(this.path(format), this.#terminal);
    try {
      for (const piece of pieces) writer.write(piece);
      return writer.commit();
    } catch (error) {
      writer.discard();
      throw error;
    }
  }
}

/** Creates a folder and its parents. Rejected: the option `recursive`, which never returns in /proc (Node 20). */
function makeFolder(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const above = dirname(folder);
    if (above !== folder) makeFolder(above);
    mkdirSync(folder);
  } catch (error) {
    if (error instanceof FileError) throw error;
    const cause = error as NodeJS.ErrnoException;
    // Another process may have created it meanwhile.
    if (cause.code === "EEXIST" && statSync(folder).isDirectory()) return;
    throw new FileError(fileErrorText(cause, folder));
  }
}

// Formats the results of a run as a table and as JSON.

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
