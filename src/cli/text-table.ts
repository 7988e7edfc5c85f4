// Tables and lists for terminals.

import type { SummaryLine } from "./summary.js";
import type { Terminal, Tone } from "./terminal.js";

/** A cell, painted after it has been padded. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

const textOf = (cell: Cell) => (typeof cell === "string" ? cell : cell.text);

/** Prints labels and what belongs to them; long texts are wrapped. */
export function printLines(terminal: Terminal, lines: readonly SummaryLine[]): void {
  const width = Math.max(...lines.map(({ label }) => label.length));
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

/** A table with aligned columns: the first to the left, the others to the right unless they are words. */
export function printTable(
  terminal: Terminal,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  left: ReadonlySet<number> = new Set([0]),
): void {
  const widths = header.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => textOf(row[i] ?? "").length)),
  );
  const padded = (text: string, i: number) =>
    left.has(i) ? text.padEnd(widths[i]!) : text.padStart(widths[i]!);
  const line = (cells: readonly Cell[]) =>
    cells
      .map((cell, i) => {
        const text = padded(textOf(cell), i);
        return typeof cell === "string" ? text : terminal.paint(cell.tone, text);
      })
      .join("  ")
      .trimEnd();
  terminal.print(terminal.paint("dim", line(header)));
  for (const row of rows) terminal.print(line(row));
}
