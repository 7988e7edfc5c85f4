// One run in a folder at a time: the files of two would mix.

import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { FileError, sentenceOf } from "../terminal/file-error.js";
import type { TemporaryFiles } from "./atomic-file.js";

const NAME = ".nodrift-lock";

/** Takes a folder for this process. Gives what lets go of it. */
export function lockFolder(folder: string, caretaker: TemporaryFiles): () => void {
  const path = join(folder, NAME);
  if (!taken(path)) {
    const owner = ownerOf(path);
    if (owner !== undefined && isAlive(owner)) {
      throw new FileError(
        `another run (process ${owner.pid}${owner.host === hostname() ? "" : ` on ${owner.host}`}) is writing to ` +
          `${folder}: choose another folder with --out, or wait. If no such run exists, delete ${path}`,
      );
    }
    // Its owner is gone, and could not clean up.
    rmSync(path, { force: true });
    if (!taken(path)) throw new FileError(`another run has just begun to write to ${folder}`);
  }
  caretaker.begun({ path: path });
  for (const name of readdirSync(folder)) {
    if (/^\..*\.\d+-\d+\.part$/.test(name)) rmSync(join(folder, name), { force: true });
  }
  return () => {
    rmSync(path, { force: true });
    caretaker.over(path);
  };
}

/** Makes the lock, unless there is one. */
function taken(path: string): boolean {
  try {
    const file = openSync(path, "wx");
    writeSync(file, `${process.pid} ${hostname()}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    const trouble = error as NodeJS.ErrnoException;
    if (trouble.code === "EEXIST") return false;
    throw new FileError(sentenceOf(trouble, dirname(path)));
  }
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

function ownerOf(path: string): Owner | undefined {
  try {
    const [pid = "", host = ""] = readFileSync(path, "utf8").trim().split(" ");
    return { pid: Number(pid), host };
  } catch {
    // It has been removed in between.
    return undefined;
  }
}

/** Processes of other machines cannot be asked; a lock that is still empty is being written. */
function isAlive({ pid, host }: Owner): boolean {
  if (host !== hostname() || !(pid > 0)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
