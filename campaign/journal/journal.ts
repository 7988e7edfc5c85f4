// The journal of a campaign: one line for each result, appended and never changed. A process that is killed while writing leaves a
// torn line, which the next one truncates. Lines that were damaged later are skipped, and their cases run again.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { NodriftError } from "../../src/base/errors.js";
import { lineOf, recordOf } from "../cases/result.js";

const LINE_END = 10;
/** Size of a read in bytes. */
const READ_BYTES = 1 << 16;
/** Largest size of a line in bytes; longer ones are damaged. */
const MAX_LINE_BYTES = 1 << 24;

/** Content of the first line, which identifies the format. */
const HEAD = { journal: "nodrift campaign", format: 1 };

/** Error of a journal file: a full disk, a missing folder, a file of another format. */
export class JournalError extends NodriftError {
  override readonly name = "JournalError";

  constructor(
    message: string,
    /** System error code, such as "ENOSPC". */
    readonly reason: string | undefined,
  ) {
    super("STOPPED", message);
  }
}

/** Location of a line in bytes. */
export interface LineLocation {
  readonly offset: number;
  readonly length: number;
}

export interface JournalOptions {
  /** Neither creates nor changes the file. */
  readonly isReadOnly?: boolean;
}

/** An append-only file of lines. */
export class Journal {
  readonly path: string;
  readonly #file: number;
  #size = 0;
  #isDirty = false;

  /**
   * Opens or creates a journal and calls `each` for its lines. A journal opened for reading is not repaired, since a running
   * campaign may be writing the torn line at its end.
   */
  constructor(
    path: string,
    each: (line: string, location: LineLocation) => void,
    { isReadOnly = false }: JournalOptions = {},
  ) {
    this.path = path;
    const mode = isReadOnly ? "r" : existsSync(path) ? "r+" : "wx+";
    this.#file = this.#try(() => openSync(path, mode));
    try {
      this.#size = this.#read(each);
      if (isReadOnly) return;
      if (this.#size === 0) this.append([lineOf(HEAD)]);
      else ftruncateSync(this.#file, this.#size);
      this.flush();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Appends lines and returns their locations. If the disk is full, the file is truncated to its previous size. */
  append(lines: readonly string[]): LineLocation[] {
    const locations: LineLocation[] = [];
    let offset = this.#size;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      locations.push({ offset, length });
      offset += length + 1;
    }
    const bytes = Buffer.from(`${lines.join("\n")}\n`, "utf8");
    this.#try(() => {
      try {
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(this.#file, bytes, done, bytes.length - done, this.#size + done);
        }
      } catch (error) {
        // If the process is killed here, the torn line is cut when the journal is opened again.
        ftruncateSync(this.#file, this.#size);
        throw error;
      }
    });
    this.#size += bytes.length;
    this.#isDirty = true;
    return locations;
  }

  /** Writes appended lines to disk, safe against power failure. */
  flush(): void {
    if (!this.#isDirty) return;
    this.#try(() => fsyncSync(this.#file));
    this.#isDirty = false;
  }

  /** Reads the line at a location. */
  line({ offset, length }: LineLocation): string {
    const bytes = Buffer.allocUnsafe(length);
    this.#try(() => readSync(this.#file, bytes, 0, length, offset));
    return bytes.toString("utf8");
  }

  close(): void {
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
    }
  }

  /** Calls `each` for all complete lines. Returns the end of the last one. */
  #read(each: (line: string, location: LineLocation) => void): number {
    const { size } = fstatSync(this.#file);
    const piece = Buffer.alloc(READ_BYTES);
    let rest: Buffer[] = [];
    let [length, start, isFirst] = [0, 0, true];
    for (let at = 0; at < size; ) {
      const count = readSync(this.#file, piece, 0, READ_BYTES, at);
      if (count === 0) break;
      let from = 0;
      for (
        let end = piece.indexOf(LINE_END);
        end >= 0 && end < count;
        end = piece.indexOf(LINE_END, from)
      ) {
        const bytes = Buffer.concat([...rest, piece.subarray(from, end)]);
        if (isFirst) this.#checkHead(bytes.toString("utf8"));
        else each(bytes.toString("utf8"), { offset: start, length: bytes.length });
        isFirst = false;
        rest = [];
        length = 0;
        start = at + end + 1;
        from = end + 1;
      }
      length += count - from;
      if (length <= MAX_LINE_BYTES) rest.push(Buffer.from(piece.subarray(from, count)));
      at += count;
    }
    return start;
  }

  #checkHead(line: string): void {
    const record = recordOf(line);
    // The lines after a damaged head are checked individually.
    if (
      record
        ? record.journal === HEAD.journal && record.format === HEAD.format
        : line.includes("nodrift")
    )
      return;
    throw new JournalError(
      `${this.path} is not a journal of this version of nodrift: choose another folder with --out`,
      undefined,
    );
  }

  #try<R>(action: () => R): R {
    try {
      return action();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const full = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
      const why = full
        ? "the disk is full. All results so far are kept: free some space, and run the same command again"
        : message;
      throw new JournalError(`${this.path}: ${why}`, code);
    }
  }
}
