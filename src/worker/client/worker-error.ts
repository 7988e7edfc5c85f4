import { NodriftError } from "../../base/errors.js";

/** Last state that a page received from a worker. */
export interface LastState {
  readonly time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/**
 * Reports that a worker ended unexpectedly or does not respond. Contains the last state it sent.
 *
 * @example
 * live.on("error", (error) => {
 *   if (error instanceof WorkerError) console.log(error.message, error.last.time);
 * });
 */
export class WorkerError extends NodriftError {
  /** Name of the class, for messages. */
  override readonly name = "WorkerError";

  constructor(
    message: string,
    /** State of the last frame. */
    readonly last: LastState,
    options?: ErrorOptions,
  ) {
    super("WORKER", message, options);
  }
}
