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
  /** Name of the class, for messages. */
  override readonly name: string = "NodriftError";

  constructor(
    /** Kind of the error. */
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Kinds of errors. */
export type ErrorCode =
  /** The WebAssembly module could not be fetched, compiled or started. */
  | "LOAD"
  /** Invalid memory request. */
  | "MEMORY"
  /** A kernel rejected its input. */
  | "KERNEL"
  /** The description of a system is incomplete or contradicts itself. */
  | "DESCRIPTION"
  /** A user function returned NaN, Infinity or the wrong number of values. */
  | "EVALUATION"
  /** The mass matrix is not positive definite. */
  | "MASS"
  /** The constraints depend on each other, and the method does not support that. */
  | "SINGULAR"
  /** No state satisfies the constraints near the one given. */
  | "ASSEMBLY"
  /** No equilibrium was found, or a motion that must be steady is not. */
  | "STEADY"
  /** An invalid method, or an invalid combination of methods. */
  | "METHOD"
  /** A step, a span or a state that is not a number, or has the wrong sign or length. */
  | "STEP"
  /** A time limit, or a signal, stopped the call before there was a result. */
  | "STOPPED"
  /** A worker ended, or does not respond. */
  | "WORKER";

/** An error at a certain time of a simulation. */
export class SimulationError extends NodriftError {
  override readonly name = "SimulationError";

  constructor(
    code: ErrorCode,
    readonly time: number,
    message: string,
  ) {
    super(code, message);
  }
}

/**
 * A step attempt failed; retry with the step times `factor`. Created once and thrown repeatedly, so that nothing is
 * allocated in a step.
 */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  /** Factor of the step size for the retry. */
  factor = 0.5;
}
