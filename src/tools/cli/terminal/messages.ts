// Messages between the worker and the main thread. Commands run in a worker, so that signals are handled at once:
// docs/decisions/0012-command-line.md.

/** A file that is being written aside. */
export interface TemporaryFile {
  /** Where it is now. */
  readonly path: string;
  /** Where its whole lines may go should the work not get to its end; other files are removed then. */
  readonly partial?: string;
}

/** What to print, and to write, if the work does not finish after a signal. */
export interface Fallback {
  readonly print: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** From the thread that works. */
export type WorkerMessage =
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "tell"; readonly text: string }
  /** How far it is; without a fraction the bar goes away. */
  | { readonly kind: "bar"; readonly fraction?: number; readonly text?: string }
  /** It wants standard input. */
  | { readonly kind: "input" }
  /** A file has been begun, or is in its place, or removed. */
  | { readonly kind: "begun"; readonly file: TemporaryFile }
  | { readonly kind: "over"; readonly aside: string }
  | { readonly kind: "fallback"; readonly fallback: Fallback }
  | { readonly kind: "done"; readonly code: number };

/** What the thread that works is given. */
export interface Work {
  readonly args: readonly string[];
  /** Numbers of {@link Flag}, in shared memory: they can be read in the midst of anything. */
  readonly flags: Int32Array;
  readonly isInteractive: boolean;
  readonly hasColours: boolean;
}

/** Places in the shared flags. */
export const Flag = {
  /** 1 when a signal has asked to stop. */
  stop: 0,
  /** 1 when standard output is closed. */
  deaf: 1,
  LENGTH: 2,
} as const;

/** The answer to "input": text, or why there is none. */
export type Input = { readonly text: string } | { readonly problem: string };
