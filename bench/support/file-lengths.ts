// Files that are too long to be about one subject. Tables are not read from top to bottom: they may be longer.

import { sourceFiles, textOf } from "./sources.js";

/** Lines of a file that holds code. It is split by subject, never for the count. */
export const MOST_LINES = 400;

/** Files of data, which may be longer: memory layouts, tableaus, reference values. */
export const dataFiles: readonly string[] = ["assembly/layout.ts", "assembly/layout-bodies.ts"];

/** Files of src/ and assembly/ with more lines than that, which are not data. */
export function longFiles(): string[] {
  return [...sourceFiles("src"), ...sourceFiles("assembly")].filter(
    (path) => !dataFiles.includes(path) && isLong(textOf(path)),
  );
}

export function isLong(text: string): boolean {
  return text.trimEnd().split("\n").length > MOST_LINES;
}
