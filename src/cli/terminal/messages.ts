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
