// The environment of a command: output and a stop signal.

import type { StopSignal } from "../../solve.js";
import type { Bar } from "./bar.js";
import type { Fallback, TemporaryFile } from "./messages.js";

/** Colours carry meaning, and the text is equivalent without them. */
export type TextStyle = "good" | "warn" | "bad" | "dim" | "strong";

/** Output, input and stop signal of a command. */
export interface Terminal {
  /** Prints results to standard output. A line break is added. */
  print(text: string): void;
  /** Prints all other messages to standard error. */
  log(text: string): void;
  /** A progress bar, for interactive terminals. */
  bar(): Bar;
  /** Colours a text by its meaning if standard output supports colours. */
  paint(tone: TextStyle, text: string): string;
  /** Reads all of standard input. */
  input(): Promise<string>;
  /** Aborted by Ctrl-C at any time. Commands then keep their partial results and return. */
  readonly signal: StopSignal;
  /** Whether standard output is still open. */
  readonly hasReader: boolean;
  /** Sets the output for the case that the command does not finish after a signal. */
  setFallback(fallback: Fallback): void;
  /** Registers a temporary file for clean-up if the command does not finish. */
  fileStarted(file: TemporaryFile): void;
  /** Unregisters a temporary file that was moved to its destination or removed. */
  fileFinished(path: string): void;
}

/** Codes of ECMA-48 that begin and end a colour. */
const CODES = {
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
  strong: [1, 22],
} as const;

/** Colours a text by its meaning. */
export function painted(tone: TextStyle, text: string): string {
  const [begin, end] = CODES[tone];
  return `\u001b[${begin}m${text}\u001b[${end}m`;
}

/** Returns the output of a part of a command as text. */
export function printed(terminal: Terminal, part: (terminal: Terminal) => void): string {
  const lines: string[] = [];
  const { paint } = terminal;
  part({ ...terminal, signal: terminal.signal, paint, print: (text) => void lines.push(text) });
  return lines.join("\n");
}

/** Exit codes. `nodrift --help` lists them. */
export const EXIT = {
  /** Success. */
  good: 0,
  /** Completed with a negative result: a failed run, a check with findings, a missed table. */
  bad: 1,
  /** Invalid command line. */
  usage: 2,
  /** Invalid model. */
  model: 3,
  /** A file cannot be read or written. */
  files: 4,
  /** Stopped by Ctrl-C; partial results were kept. */
  interrupted: 130,
} as const;
