import { NodriftError } from "../../../ground/errors.js";

/** The last state of a worker that a page has seen. */
export interface LastState {
  readonly time: number;
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/**
 * A worker ended that should not have, or does not answer. The last state it sent is kept.
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
    /** What the last frame showed. */
    readonly last: LastState,
    options?: ErrorOptions,
  ) {
    super("WORKER", message, options);
  }
}
