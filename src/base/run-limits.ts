// Limits that are checked inside long loops. A run activates its limits for the duration of its work; loops that may
// take long (columns of a Jacobian, iterations of an assembly, pivots, poses, rows of output) pass a checkpoint in each
// iteration.
//
// The active limits are a variable of this module, not an argument: methods, formulations and systems between a run
// and the loops need not pass them on. Everything is synchronous, so one variable suffices; nested runs restore the
// limits of the outer run.

import { type Rule, rule } from "./checking/index.js";
import { NodriftError } from "./errors.js";

/**
 * A stop request. An AbortSignal works; so does any object whose `aborted` reads a flag set by another thread (an
 * AbortSignal cannot fire while this thread computes):
 *
 * @example
 * const flag = new Int32Array(new SharedArrayBuffer(4));
 * solve(system, { span, signal: { get aborted() { return Atomics.load(flag, 0) === 1; } } });
 */
export interface StopSignal {
  /** Whether to stop. */
  readonly aborted: boolean;
  /** Reason, copied to the reason of the solution. */
  readonly reason?: unknown;
}

export const stopSignal: Rule<StopSignal> = rule(
  "the signal of an AbortController, or AbortSignal.timeout(5000)",
  (value) => typeof (value as StopSignal | null)?.aborted === "boolean",
);

/** Limit that was reached. */
export type StopReason = "aborted" | "maximumSeconds";

/** Thrown once when a limit is reached. Callers leave data readable. */
export class Stopped extends NodriftError {
  constructor(
    readonly limit: StopReason,
    message: string,
    override readonly cause: unknown,
  ) {
    super("STOPPED", message);
  }
}

/** Limits of a run: a stop signal, and a time. */
export class RunLimits {
  readonly #signal: StopSignal | undefined;
  readonly #seconds: number;
  readonly #began = performance.now();
  #reported: StopReason | undefined;

  constructor(signal: StopSignal | undefined, seconds: number) {
    this.#signal = signal;
    this.#seconds = seconds;
  }

  /** Real time since the start, in seconds. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** The limit that has been reached, if any. */
  reached(): StopReason | undefined {
    if (this.#signal?.aborted) return "aborted";
    const isTimed = this.#seconds < Number.POSITIVE_INFINITY;
    return isTimed && this.seconds >= this.#seconds ? "maximumSeconds" : undefined;
  }

  /** The limit that was already reported; later checks do not throw again. */
  get reported(): StopReason | undefined {
    return this.#reported;
  }

  /** Returns the reached limit as text, with the position of the run. */
  sentence(limit: StopReason, where: string): string {
    if (limit === "maximumSeconds") return `${this.#seconds} s have passed${where}`;
    const { cause } = this;
    const why = cause instanceof Error ? cause.message : String(cause ?? "stopped on request");
    return `aborted${where}: ${why}`;
  }

  /** The reason that the signal states. */
  get cause(): unknown {
    return this.#signal?.aborted ? this.#signal.reason : undefined;
  }

  /** Throws {@link Stopped}, once, when a limit has been reached. */
  check(): void {
    if (this.#reported) return;
    const limit = this.reached();
    if (limit === undefined) return;
    this.#reported = limit;
    throw new Stopped(limit, this.sentence(limit, ""), this.cause);
  }
}

let inForce: RunLimits | undefined;

/**
 * Activates limits, or none, and returns the previous ones, which the caller restores. Allocates nothing, for use in
 * steps.
 */
export function setActiveLimits(watch: RunLimits | undefined): RunLimits | undefined {
  const before = inForce;
  inForce = watch;
  return before;
}

/** Runs an action under limits; `undefined` disables them for sections that must not be interrupted. */
export function withLimits<R>(watch: RunLimits | undefined, action: () => R): R {
  const before = setActiveLimits(watch);
  try {
    return action();
  } finally {
    setActiveLimits(before);
  }
}

/** Checkpoint of a long loop: throws {@link Stopped} if a limit of the run has been reached. */
export function checkLimits(): void {
  inForce?.check();
}
