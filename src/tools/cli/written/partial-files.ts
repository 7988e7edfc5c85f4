// What becomes of files whose writer was stopped in the midst of them.

import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { sentenceOf } from "../terminal/file-error.js";
import type { TemporaryFile } from "../terminal/messages.js";
import { bytes } from "../terminal/numbers.js";
import { writeWhole } from "./atomic-file.js";

/** Bytes that are searched at once for the end of a line. */
const PIECE = 65_536;
const LINE_END = 10;

/** Removes it; what cannot be removed stays. */
export function removeTemporary({ path }: TemporaryFile): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Not mistaken for a result: its name says what it is.
  }
}

/** Keeps the whole lines of a table under a name that says that it is a part; removes all else. */
export function keepPartial(file: TemporaryFile): string[] {
  const { path, partial } = file;
  if (partial === undefined) {
    removeTemporary(file);
    return [];
  }
  try {
    const size = cutToLines(path);
    if (size === 0) removeTemporary(file);
    else renameSync(path, partial);
    return size === 0 ? [] : [`  kept  ${partial} (${bytes(size)}), the rows that were ready`];
  } catch (error) {
    removeTemporary(file);
    return [`  ${sentenceOf(error as NodeJS.ErrnoException, partial)}`];
  }
}

/** Cuts what comes after the last end of a line. Gives how much is left. */
function cutToLines(path: string): number {
  const file = openSync(path, "r+");
  try {
    const piece = Buffer.alloc(PIECE);
    let end = fstatSync(file).size;
    while (end > 0) {
      const from = Math.max(0, end - PIECE);
      const length = readSync(file, piece, 0, end - from, from);
      const last = piece.subarray(0, length).lastIndexOf(LINE_END);
      end = last < 0 ? from : from + last + 1;
      if (last >= 0) break;
    }
    ftruncateSync(file, end);
    fsyncSync(file);
    return end;
  } finally {
    closeSync(file);
  }
}

/** Writes a text, and says so. */
export function writeFallback({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): string {
  try {
    return `  written  ${path} (${bytes(writeWhole(path, text))})`;
  } catch (error) {
    return `  ${(error as Error).message}`;
  }
}
