// Files are written to a temporary name in the target folder and renamed when complete and flushed, so a report is
// never partial: not even if the disk is full, the power fails or the process is killed.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { FileError, sentenceOf } from "../terminal/file-error.js";
import type { TemporaryFile } from "../terminal/messages.js";

/** Characters that are collected before they are written. */
const PIECE = 262_144;

/** Tracks temporary files whose writer may be interrupted. */
export interface TemporaryFiles {
  begun(file: TemporaryFile): void;
  over(aside: string): void;
}

let count = 0;

/** Writes one file. Errors are sentences about files. */
export class AtomicWriter {
  readonly #path: string;
  /** Where it is written: elsewhere than its place, but for devices and pipes. */
  readonly #aside: string;
  readonly #isDirect: boolean;
  readonly #file: number;
  readonly #caretaker: TemporaryFiles | undefined;
  #waiting = "";
  #size = 0;
  #isOpen = true;

  /** Begins. Obstacles are reported at once. */
  constructor(path: string, caretaker?: TemporaryFiles, partial?: string) {
    const there = statSync(path, { throwIfNoEntry: false });
    this.#isDirect = there !== undefined && !there.isFile();
    // Links stay links: what they point to is replaced.
    this.#path = there?.isFile() ? realpathSync(path) : path;
    const { pid } = process;
    this.#aside = this.#isDirect
      ? path
      : join(dirname(this.#path), `.${basename(this.#path)}.${pid}-${count++}.part`);
    this.#caretaker = this.#isDirect ? undefined : caretaker;
    this.#file = this.#try(() => this.#open(there));
    this.#caretaker?.begun({ path: this.#aside, ...(partial !== undefined && { partial }) });
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE) this.#flush();
  }

  /** All that was given so far goes to the disk, where others find it. */
  flush(): void {
    this.#flush();
  }

  /** It is whole: puts it in its place. Gives its size. */
  place(): number {
    this.#flush();
    this.#try(() => {
      // Devices and pipes know nothing of it.
      if (!this.#isDirect) fsyncSync(this.#file);
      this.#close();
      if (!this.#isDirect) renameSync(this.#aside, this.#path);
    });
    this.#caretaker?.over(this.#aside);
    return this.#size;
  }

  /** It will not be whole: removes it. */
  drop(): void {
    try {
      this.#close();
    } catch {
      // What was to be written is not wanted any more.
    }
    if (!this.#isDirect) rmSync(this.#aside, { force: true });
    this.#caretaker?.over(this.#aside);
  }

  #open(there: Stats | undefined): number {
    if (there?.isDirectory()) throw new FileError(`${this.#path} is a folder, not a file`);
    if (this.#isDirect) return openSync(this.#path, "w");
    // Renaming would replace what must not be written.
    if (there) accessSync(this.#path, constants.W_OK);
    const file = openSync(this.#aside, "wx");
    if (there) fchmodSync(file, there.mode);
    return file;
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting, "utf8");
    this.#waiting = "";
    this.#try(() => {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.#file, bytes, done, bytes.length - done);
      }
    });
    this.#size += bytes.length;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#file);
  }

  /** Does something with the file; after a failure nothing of it is left. */
  #try<R>(action: () => R): R {
    try {
      return action();
    } catch (error) {
      if (this.#file !== undefined) this.drop();
      if (error instanceof FileError) throw error;
      throw new FileError(sentenceOf(error as NodeJS.ErrnoException, this.#path));
    }
  }
}

/** Writes a whole file. Gives its size. */
export function writeWhole(path: string, text: string, caretaker?: TemporaryFiles): number {
  const writer = new AtomicWriter(path, caretaker);
  writer.write(text);
  return writer.place();
}

/** Told before it has been computed: what cannot be written. */
export function checkWritable(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  // Opening a pipe has a side effect on its reader.
  if (there && !there.isFile() && !there.isDirectory()) return;
  new AtomicWriter(path).drop();
}
