// The files of a run: opened before it, so that write errors are reported before anything is computed; rows of the
// table are written on the way.

import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { State } from "../../../seam/index.js";
import type { Solution } from "../../../solve.js";
import type { SummaryLine } from "../../report/summary.js";
import { FileError, sentenceOf } from "../terminal/file-error.js";
import { bytes } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";
import { AtomicWriter, writeWhole } from "../written/atomic-file.js";
import { lockFolder } from "../written/lock.js";
import type { Recording, RowKeeper } from "./record-run.js";
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
  #isPlaced = false;

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

  /** Keeps rows on the way. */
  get keepRows(): RowKeeper<S> | undefined {
    const table = this.#table;
    return table && ((solution, rows) => table.add(solution, rows(solution)));
  }

  /** Writes all files, one after the other: the table first, which is nearly done, the page last. */
  *write(recording: Recording<S>, page: () => string): Generator<SummaryLine> {
    const { solution, rows } = recording;
    const sizes: Readonly<Record<Format, () => number>> = {
      csv: () => this.#place(solution, rows),
      json: () => this.#pieces("json", jsonPieces(this.#file, recording)),
      html: () => writeWhole(this.path("html"), page(), this.#terminal),
    };
    const order = (["csv", "json", "html"] as const).filter((format) =>
      this.#formats.includes(format),
    );
    for (const [i, format] of order.entries()) {
      const left = order.slice(i).map((other) => this.path(other));
      this.#terminal.keep({ print: `  there was no time to write ${left.join(", ")}`, files: [] });
      const size = sizes[format]();
      yield { label: "written", text: `${this.path(format)} (${bytes(size)})` };
    }
  }

  /** Removes what is not whole, and lets go of the folder. */
  close(): void {
    if (!this.#isPlaced) this.#writer?.drop();
    this.#unlock();
  }

  /** Where a file goes. */
  path(format: Format): string {
    return join(this.#folder, NAMES[format]);
  }

  #place(solution: Solution<S>, rows: readonly number[]): number {
    this.#table!.add(solution, rows);
    const size = this.#writer!.place();
    this.#isPlaced = true;
    return size;
  }

  #pieces(format: Format, pieces: Iterable<string>): number {
    const writer = new AtomicWriter(this.path(format), this.#terminal);
    try {
      for (const piece of pieces) writer.write(piece);
      return writer.place();
    } catch (error) {
      writer.drop();
      throw error;
    }
  }
}

/** With all folders above it. Not by `recursive`, which in /proc goes on for ever (Node 20). */
function makeFolder(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const above = dirname(folder);
    if (above !== folder) makeFolder(above);
    mkdirSync(folder);
  } catch (error) {
    if (error instanceof FileError) throw error;
    const trouble = error as NodeJS.ErrnoException;
    // Another run may have made it in between.
    if (trouble.code === "EEXIST" && statSync(folder).isDirectory()) return;
    throw new FileError(sentenceOf(trouble, folder));
  }
}
