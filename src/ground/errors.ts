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
    /** What kind of mistake or failure it is. */
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
  /** A function of the user gave NaN, Infinity or the wrong number of values. */
  | "EVALUATION"
  /** The mass matrix is not positive definite. */
  | "MASS"
  /** The constraints depend on each other, and the method cannot take that. */
  | "SINGULAR"
  /** No state satisfies the constraints near the one given. */
  | "ASSEMBLY"
  /** No equilibrium was found, or a motion is not steady where one has to be. */
  | "STEADY"
  /** A method, or a combination of methods, that makes no sense. */
  | "METHOD"
  /** A step, a span or a state that is not a number, or of the wrong sign or length. */
  | "STEP"
  /** A limit on time, or a signal, ended it before there was a result. */
  | "STOPPED"
  /** A worker ended, or does not answer. */
  | "WORKER";

/** Something went wrong at a certain time of a simulation. */
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
 * A step attempt failed; retry with the step times `factor`. Made once and thrown repeatedly, so that nothing is
 * allocated in a step.
 */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  /** The step times this is to be tried. */
  factor = 0.5;
}
