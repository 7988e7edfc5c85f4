// Tables and lists for terminals, and the last line of pages.

import { packageVersion } from "../../../campaign/cases/version.js";
import type { SummaryLine } from "../../report/summary.js";
import type { Terminal, TextStyle } from "./terminal.js";

/** A cell, painted after it has been padded. */
export type TextCell = string | { readonly text: string; readonly tone: TextStyle };

const textOf = (cell: TextCell) => (typeof cell === "string" ? cell : cell.text);

/** Prints labels in a column of at least `minimumWidth` characters, and their texts, which are wrapped. */
export function printLines(
  terminal: Terminal,
  lines: readonly SummaryLine[],
  minimumWidth = 0,
): void {
  const width = Math.max(minimumWidth, ...lines.map(({ label }) => label.length));
  for (const { label, text, tone } of lines) {
    const [first = "", ...rest] = wrapped(text, 96 - width);
    const painted = (part: string) => (tone ? terminal.paint(tone, part) : part);
    terminal.print(`  ${terminal.paint("dim", label.padEnd(width))}  ${painted(first)}`);
    for (const part of rest) terminal.print(`  ${" ".repeat(width)}  ${painted(part)}`);
  }
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

export interface TextColumn {
  readonly name: string;
  readonly align: "left" | "right";
}

/** A table with aligned columns. */
export function printTable(
  terminal: Terminal,
  columns: readonly TextColumn[],
  rows: readonly (readonly TextCell[])[],
): void {
  const widths = columns.map(({ name }, i) =>
    Math.max(name.length, ...rows.map((row) => textOf(row[i] ?? "").length)),
  );
  const padded = (text: string, i: number) =>
    columns[i]!.align === "left" ? text.padEnd(widths[i]!) : text.padStart(widths[i]!);
  const line = (cells: readonly TextCell[]) =>
    cells
      .map((cell, i) => {
        const text = padded(textOf(cell), i);
        return typeof cell === "string" ? text : terminal.paint(cell.tone, text);
      })
      .join("  ")
      .trimEnd();
  terminal.print(terminal.paint("dim", line(columns.map(({ name }) => name))));
  for (const row of rows) terminal.print(line(row));
}

/** Last line of a page: version and date. */
export function pageFooter(): string {
  const today = new Date().toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  return `nodrift ${packageVersion()}, ${today}`;
}
