/**
 * Every error this package throws on purpose. `code` is stable and meant for programs, the message
 * for people: it says what was wrong, where, and what to try.
 *
 * @example
 * try {
 *   await init("missing.wasm");
 * } catch (error) {
 *   if (error instanceof NodriftError && error.code === "LOAD") showFallback(error.message);
 * }
 */
export class NodriftError extends Error {
  override readonly name: string = "NodriftError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What kind of thing went wrong. */
export type ErrorCode =
  /** The WebAssembly module could not be fetched, compiled or started. */
  | "LOAD"
  /** Memory was asked for in a wrong amount or at a wrong time. */
  | "MEMORY"
  /** A kernel refused its input. */
  | "KERNEL";
