// Locks an output folder: the files of two concurrent runs would mix.

import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { FileError, fileErrorText } from "../terminal/file-error.js";
import type { TemporaryFiles } from "./atomic-file.js";

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
