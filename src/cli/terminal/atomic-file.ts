// Files are written under a temporary name in the target folder and renamed when complete and flushed. So no report is
// ever partial, even if the disk is full, the power fails or the process is killed.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { FileError, fileErrorText, type TemporaryFile } from "./terminal.js";

/** Number of characters that are buffered before a write. */
const BUFFER_CHARACTERS = 262_144;

/** Tracks temporary files whose writer may be interrupted. */
export interface TemporaryFiles {
  fileStarted(file: TemporaryFile): void;
  fileFinished(path: string): void;
}

let count = 0;

/** Writes one file. Throws only {@link FileError}. */
export class AtomicWriter {
  readonly #path: string;
  /** Path that is written: temporary, except for devices and pipes. */
  readonly #temporaryPath: string;
  readonly #isDirect: boolean;
  readonly #file: number;
  readonly #tracker: TemporaryFiles | undefined;
  #waiting = "";
  #size = 0;
  #isOpen = true;

  /** Opens the file, so that errors are reported immediately. */
  constructor(path: string, tracker?: TemporaryFiles, partial?: string) {
    const there = statSync(path, { throwIfNoEntry: false });
    this.#isDirect = there !== undefined && !there.isFile();
    // Symbolic links stay; the file they point to is replaced.
    this.#path = there?.isFile() ? realpathSync(path) : path;
    const { pid } = process;
    this.#temporaryPath = this.#isDirect
      ? path
      : join(dirname(this.#path), `.${basename(this.#path)}.${pid}-${count++}.part`);
    this.#tracker = this.#isDirect ? undefined : tracker;
    this.#file = this.#try(() => this.#open(there));
    this.#tracker?.fileStarted({
      path: this.#temporaryPath,
      ...(partial !== undefined && { partial }),
    });
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= BUFFER_CHARACTERS) this.#flush();
  }

  /** Writes the buffer to disk, so that other processes can read it. */
  flush(): void {
    this.#flush();
  }

  /** Moves the complete file to its destination. Returns its size in bytes. */
  commit(): number {
    this.#flush();
    this.#try(() => {
      // Devices and pipes do not support it.
      if (!this.#isDirect) fsyncSync(this.#file);
      this.#close();
      if (!this.#isDirect) renameSync(this.#temporaryPath, this.#path);
    });
    this.#tracker?.fileFinished(this.#temporaryPath);
    return this.#size;
  }

  /** Removes an incomplete file. */
  discard(): void {
    try {
      this.#close();
    } catch {
      // The data is discarded anyway.
    }
    if (!this.#isDirect) rmSync(this.#temporaryPath, { force: true });
    this.#tracker?.fileFinished(this.#temporaryPath);
  }

  #open(there: Stats | undefined): number {
    if (there?.isDirectory()) throw new FileError(`${this.#path} is a folder, not a file`);
    if (this.#isDirect) return openSync(this.#path, "w");
    // Renaming would replace a write-protected file.
    if (there) accessSync(this.#path, constants.W_OK);
    const file = openSync(this.#temporaryPath, "wx");
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

  /** Performs an action on the file; removes the file if it fails. */
  #try<R>(action: () => R): R {
    try {
      return action();
    } catch (error) {
      if (this.#file !== undefined) this.discard();
      if (error instanceof FileError) throw error;
      throw new FileError(fileErrorText(error as NodeJS.ErrnoException, this.#path));
    }
  }
}

/** Writes a complete file. Returns its size in bytes. */
export function writeAtomically(path: string, text: string, tracker?: TemporaryFiles): number {
  const writer = new AtomicWriter(path, tracker);
  writer.write(text);
  return writer.commit();
}

/** Throws if a file cannot be written. Call before a long computation. */
export function checkWritable(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  // Opening a pipe has a side effect on its reader.
  if (there && !there.isFile() && !there.isDirectory()) return;
  new AtomicWriter(path).discard();
}

// Locks an output folder: the files of two concurrent runs would mix.

const NAME = ".nodrift-lock";

/** Locks a folder for this process. Returns a function that unlocks it. */
export function lockFolder(folder: string, tracker: TemporaryFiles): () => void {
  const path = join(folder, NAME);
  if (!tryLock(path)) {
    const owner = holderOf(path);
    if (owner !== undefined && isAlive(owner)) {
      throw new FileError(
        `another run (process ${owner.pid}${owner.host === hostname() ? "" : ` on ${owner.host}`}) is writing to ` +
          `${folder}: choose another folder with --out, or wait. If no such run exists, delete ${path}`,
      );
    }
    // The owner died without removing the lock.
    rmSync(path, { force: true });
    if (!tryLock(path))
      throw new FileError(
        `another run has just started to write to ${folder}: choose another folder with --out, or wait`,
      );
  }
  tracker.fileStarted({ path: path });
  for (const name of readdirSync(folder)) {
    if (/^\..*\.\d+-\d+\.part$/.test(name)) rmSync(join(folder, name), { force: true });
  }
  return () => {
    rmSync(path, { force: true });
    tracker.fileFinished(path);
  };
}

/** Creates the lock file. Returns false if it exists. */
function tryLock(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    writeSync(file, `${process.pid} ${hostname()}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.code === "EEXIST") return false;
    throw new FileError(fileErrorText(cause, dirname(path)));
  }
}

interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

function holderOf(path: string): LockHolder | undefined {
  try {
    const [pid = "", host = ""] = readFileSync(path, "utf8").trim().split(" ");
    return { pid: Number(pid), host };
  } catch {
    // It has been removed meanwhile.
    return undefined;
  }
}

/** Whether the owner may be alive. Processes of other machines cannot be checked; an empty lock is being written. */
function isAlive({ pid, host }: LockHolder): boolean {
  if (host !== hostname() || !(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
