// Output files of a run. They are opened before the run, so that write errors are reported before anything is
// computed. Rows of the table are written during the run.

import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { State } from "../../interfaces/index.js";
import type { SummaryLine } from "../../report/summary.js";
import type { Solution } from "../../solve.js";
import { FileError, fileErrorText } from "../terminal/file-error.js";
import { bytes } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { AtomicWriter, writeAtomically } from "../written/atomic-file.js";
import { lockFolder } from "../written/lock.js";
import type { RowKeeper, RunRecord } from "./record-run.js";
import { CsvTable, jsonPieces, type RunnableFile } from "./results.js";

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
