// The environment of a command: output and a stop signal.

import type { StopSignal } from "../../../solve.js";
import type { Bar } from "./bar.js";
import type { Fallback, TemporaryFile } from "./messages.js";

/** Colours carry meaning, and the text is equivalent without them. */
export type Tone = "good" | "warn" | "bad" | "dim" | "strong";

/** Where a command prints. */
export interface Terminal {
  /** Results: what a pipe gets. A line break is added. */
  print(text: string): void;
  /** Everything else. */
  tell(text: string): void;
  /** A progress bar, for interactive terminals. */
  bar(): Bar;
  /** Text in the colour of its meaning, where results can have colours. */
  paint(tone: Tone, text: string): string;
  /** All of standard input. */
  input(): Promise<string>;
  /** Aborted by Ctrl-C, at any time: commands then keep what they have and end. */
  readonly signal: StopSignal;
  /** Whether anybody reads what is printed. */
  readonly isHeard: boolean;
  /** What is printed and written if the command does not finish after a signal. */
  keep(fallback: Fallback): void;
  /** A file is written aside: it is cared for should the command not get to its end. */
  begun(file: TemporaryFile): void;
  /** It is in its place, or removed. */
  over(aside: string): void;
}

/** Codes of ECMA-48 that begin and end a colour. */
const CODES = {
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  strong: [1, 22],
} as const;

/** Text in the colour of its meaning. */
export function painted(tone: Tone, text: string): string {
  const [begin, end] = CODES[tone];
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

/** What a part of a command prints, as text. */
export function printed(terminal: Terminal, part: (terminal: Terminal) => void): string {
  const lines: string[] = [];
  const { paint } = terminal;
  part({ ...terminal, signal: terminal.signal, paint, print: (text) => void lines.push(text) });
  return lines.join("\n");
}

/** What exit codes mean. `nodrift --help` lists them. */
export const EXIT = {
  /** All is well. */
  good: 0,
  /** It ran, and the answer is bad: a run that failed, a check with findings, a table that was missed. */
  bad: 1,
  /** The command cannot be understood. */
  usage: 2,
  /** The model cannot be used. */
  model: 3,
  /** Files cannot be read or written. */
  files: 4,
  /** Stopped by Ctrl-C; what was computed until then was kept. */
  interrupted: 130,
} as const;
