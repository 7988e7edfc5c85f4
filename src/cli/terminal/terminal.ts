// The environment of a command: output and a stop signal; errors of files; messages between the two threads.

import { spawn } from "node:child_process";
import type { StopSignal } from "../../solve.js";

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

/** Shows progress. */
export interface Bar {
  /** Shows the completed fraction, from 0 to 1, and a text. */
  update(fraction: number, text: string): void;
  /** Removes the bar. */
  stop(): void;
}

/** Bar that shows nothing, for other than interactive terminals. */
export const SILENT: Bar = { update: () => {}, stop: () => {} };

/** An error of the file system, with a message for users. */
export class FileError extends Error {
  override readonly name = "FileTrouble";
}

/** Messages for system error codes. */
const MESSAGES: Readonly<Record<string, (path: string) => string>> = {
  ENOSPC: (path) =>
    `${path}: the disk is full. Nothing was written: free some space, or write elsewhere`,
  EDQUOT: (path) => `${path}: disk quota exceeded. Nothing was written`,
  EFBIG: (path) => `${path}: file too large for this file system. Nothing was written`,
  EROFS: (path) => `${path}: read-only file system. Write elsewhere with --out`,
  EACCES: (path) => `${path}: permission denied. Write elsewhere with --out`,
  EPERM: (path) => `${path}: permission denied. Write elsewhere with --out`,
  ENOENT: (path) => `${path}: folder not found`,
  ENOTDIR: (path) => `${path}: part of the path is a file, not a folder`,
  EEXIST: (path) => `${path}: a file with this name exists, but a folder is needed`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  ENAMETOOLONG: (path) => `${path}: the name is too long`,
  EPIPE: (path) => `${path}: broken pipe`,
  EIO: (path) => `${path}: I/O error`,
  EMFILE: (path) => `${path}: too many open files`,
};

export function fileErrorText({ code = "", message }: NodeJS.ErrnoException, path: string): string {
  return MESSAGES[code]?.(path) ?? `${path}: ${message}`;
}

/** Largest size of a model file in bytes. Larger files are not read, since the parser would reject them. */
export const MAX_MODEL_BYTES = 20_000_000;

// Messages between the worker and the main thread. Commands run in a worker, so that signals are handled immediately:
// docs/decisions/0012-command-line.md.

/** A file that is being written under a temporary name. */
export interface TemporaryFile {
  /** Temporary path. */
  readonly path: string;
  /** Path for its complete lines if the command does not finish. Without it the file is removed then. */
  readonly partial?: string;
}

/** Text to print and files to write if the command does not finish after a signal. */
export interface Fallback {
  readonly print: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** Messages from the worker. */
export type WorkerMessage =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "log"; readonly text: string }
  /** Progress; without a fraction the bar is removed. */
  | { readonly kind: "bar"; readonly fraction?: number; readonly text?: string }
  /** Requests standard input. */
  | { readonly kind: "input" }
  /** A temporary file was created; or it was moved to its destination or removed. */
  | { readonly kind: "fileStarted"; readonly file: TemporaryFile }
  | { readonly kind: "fileFinished"; readonly path: string }
  | { readonly kind: "fallback"; readonly fallback: Fallback }
  | { readonly kind: "done"; readonly code: number };

/** Input of the worker. */
export interface Work {
  readonly args: readonly string[];
  /** Values indexed by {@link Flag}, in shared memory, so that they can be read during a computation. */
  readonly flags: Int32Array;
  readonly isInteractive: boolean;
  readonly hasColours: boolean;
}

/** Indices into the shared flags. */
export const Flag = {
  /** 1 when a signal has asked to stop. */
  stop: 0,
  /** 1 when standard output is closed. */
  outputClosed: 1,
  LENGTH: 2,
} as const;

/** Response to "input": the text, or an error message. */
export type InputResponse = { readonly text: string } | { readonly problem: string };

// Opens pages in the user's browser.

/** Program that opens addresses and files, by platform. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address or file. Does nothing without a browser: the address has been printed. */
export function openInBrowser(address: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
