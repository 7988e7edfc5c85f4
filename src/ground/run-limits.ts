// Limits that hold inside long loops. A run puts its limits in force around what it does; loops that may take long
// (columns of a Jacobian, iterations of an assembly, pivots, poses, rows of output) pass a checkpoint in each turn.
//
// The limits in force are a variable of this module, not an argument: between a run and the loops that must obey it
// stand methods, formulations and systems, which have nothing to do with either. All of it is synchronous, so that
// one variable does; runs inside of runs put back what they found.

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
  /** Why: goes to the reason of the solution. */
  readonly reason?: unknown;
}

export const stopSignal: Rule<StopSignal> = rule(
  "the signal of an AbortController, or AbortSignal.timeout(5000)",
  (value) => typeof (value as StopSignal | null)?.aborted === "boolean",
);

/** Which limit it was. */
export type Limit = "aborted" | "maximumSeconds";

/** Thrown once when a limit is reached. Callers leave data readable. */
export class Stopped extends NodriftError {
  constructor(
    readonly limit: Limit,
    message: string,
    override readonly cause: unknown,
  ) {
    super("STOPPED", message);
  }
}

/** Limits of a run: a wish to stop, and a time. */
export class RunLimits {
  readonly #signal: StopSignal | undefined;
  readonly #seconds: number;
  readonly #began = performance.now();
  #told: Limit | undefined;

  constructor(signal: StopSignal | undefined, seconds: number) {
    this.#signal = signal;
    this.#seconds = seconds;
  }

  /** Real time since it began. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** What has been reached, if anything. */
  reached(): Limit | undefined {
    if (this.#signal?.aborted) return "aborted";
    const isTimed = this.#seconds < Number.POSITIVE_INFINITY;
    return isTimed && this.seconds >= this.#seconds ? "maximumSeconds" : undefined;
  }

  /** The limit that was already reported; later checks do not throw again. */
  get told(): Limit | undefined {
    return this.#told;
  }

  /** The limit that was reached, as text, with where the run was. */
  sentence(limit: Limit, where: string): string {
    if (limit === "maximumSeconds") return `${this.#seconds} s have passed${where}`;
    const { cause } = this;
    const why = cause instanceof Error ? cause.message : String(cause ?? "stopped on request");
    return `aborted${where}: ${why}`;
  }

  /** What the signal gives as its reason. */
  get cause(): unknown {
    return this.#signal?.aborted ? this.#signal.reason : undefined;
  }

  /** Throws {@link Stopped}, once, when a limit has been reached. */
  check(): void {
    if (this.#told) return;
    const limit = this.reached();
    if (limit === undefined) return;
    this.#told = limit;
    throw new Stopped(limit, this.sentence(limit, ""), this.cause);
  }
}

let inForce: RunLimits | undefined;

/** Puts limits in force, or none. Gives those that were, to be put back: nothing is allocated, for use in steps. */
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

/** A turn of a long loop: where a limit of the run has been reached, the loop ends here. */
export function checkLimits(): void {
  inForce?.check();
}
