// The journal of a campaign: one line for each result, added at the end and never changed. A process that is killed in the midst of a
// line leaves a torn one, which is cut off by the next; lines that were damaged later are skipped, and their cases run again.

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
import { NodriftError } from "../../../ground/errors.js";
import { lineOf, recordOf } from "../cases/result.js";

const LINE_END = 10;
/** Bytes that are read at once. */
const PIECE = 1 << 16;
/** Bytes of a line: longer ones are damage. */
const LONGEST = 1 << 24;

/** The first line: which format this is. */
const HEAD = { journal: "nodrift campaign", format: 1 };

/** Something about the file of a journal: full disks, missing folders, files that are no journal. */
export class JournalError extends NodriftError {
  override readonly name = "JournalError";

  constructor(
    message: string,
    /** That of the system: "ENOSPC". */
    readonly reason: string | undefined,
  ) {
    super("STOPPED", message);
  }
}

/** Where a line lies. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

export interface JournalOptions {
  /** Nothing is written, mended or made. */
  readonly isReadOnly?: boolean;
}

/** A file of lines. */
export class Journal {
  readonly path: string;
  readonly #file: number;
  #size = 0;
  #isDirty = false;

  /**
   * Opens a journal, or begins one. Each line that is there is given to `each`. One that is only read is left as it is: the torn line
   * at its end may be the one that a campaign is just writing.
   */
  constructor(
    path: string,
    each: (line: string, place: LinePlace) => void,
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

  /** Adds lines. On a full disk none of them is there afterwards, or only those that are whole. Gives their places. */
  append(lines: readonly string[]): LinePlace[] {
    const places: LinePlace[] = [];
    let offset = this.#size;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      places.push({ offset, length });
      offset += length + 1;
    }
    const bytes = Buffer.from(`${lines.join("\n")}\n`, "utf8");
    this.#try(() => {
      try {
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(this.#file, bytes, done, bytes.length - done, this.#size + done);
        }
      } catch (error) {
        // The next opening would cut it as well.
        ftruncateSync(this.#file, this.#size);
        throw error;
      }
    });
    this.#size += bytes.length;
    this.#isDirty = true;
    return places;
  }

  /** All that was added is on the disk, should the power fail. */
  flush(): void {
    if (!this.#isDirty) return;
    this.#try(() => fsyncSync(this.#file));
    this.#isDirty = false;
  }

  /** A line by its place. */
  line({ offset, length }: LinePlace): string {
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

  /** Gives all whole lines; returns where the last of them ends. */
  #read(each: (line: string, place: LinePlace) => void): number {
    const { size } = fstatSync(this.#file);
    const piece = Buffer.alloc(PIECE);
    let rest: Buffer[] = [];
    let [length, start, isFirst] = [0, 0, true];
    for (let at = 0; at < size; ) {
      const count = readSync(this.#file, piece, 0, PIECE, at);
      if (count === 0) break;
      let from = 0;
      for (
        let end = piece.indexOf(LINE_END);
        end >= 0 && end < count;
        end = piece.indexOf(LINE_END, from)
      ) {
        const whole = Buffer.concat([...rest, piece.subarray(from, end)]);
        if (isFirst) this.#checkHead(whole.toString("utf8"));
        else each(whole.toString("utf8"), { offset: start, length: whole.length });
        isFirst = false;
        rest = [];
        length = 0;
        start = at + end + 1;
        from = end + 1;
      }
      length += count - from;
      if (length <= LONGEST) rest.push(Buffer.from(piece.subarray(from, count)));
      at += count;
    }
    return start;
  }

  #checkHead(line: string): void {
    const record = recordOf(line);
    // A damaged head says nothing about the lines behind it, which are judged by themselves.
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
        ? "the disk is full. All results so far are kept: make room, and run the same command again"
        : message;
      throw new JournalError(`${this.path}: ${why}`, code);
    }
  }
}
