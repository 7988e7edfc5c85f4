// Positional arguments, and protection against re-entrant calls.

import { type ErrorCode, NodriftError } from "../errors.js";
import { locationOf } from "./option-location.js";
import { isRecord, type Rule, readOptions, type Shape } from "./read.js";
import { show } from "./show.js";

/** Options of a function, by their shape: `optionsOf("maggi", "METHOD", given, SHAPE, more)`. */
export function optionsOf<Options extends object>(
  where: string,
  code: ErrorCode,
  given: unknown,
  shape: Shape<Options>,
  more: readonly unknown[] = [],
): Options {
  if (!isRecord(given)) {
    const rules = Object.entries(shape) as [string, Rule][];
    const [key] = rules.find(([, rule]) => rule.needed) ?? rules[0] ?? [""];
    const example = `${where}({ ${key}: ... })`;
    throw new NodriftError(
      code,
      `${where}: options must be an object, not ${show(given)}: ${example}`,
    );
  }
  refuseMore(where, code, more, "it takes one options object");
  return readOptions(locationOf(where, code), given, shape);
}

/** An argument by its rule. */
export function argument<T>(
  where: string,
  code: ErrorCode,
  name: string,
  value: unknown,
  rule: Rule<T>,
): T {
  return rule.read(value, locationOf(where, code, name));
}

/**
 * Throws for arguments that would be ignored: `radau5({ tolerance: 1e-6 })`, `baumgarte({ alpha: 1 }, 1)`. Functions
 * declare them as `undefined[]`: with `never[]` their ReturnType would be any.
 */
export function refuseMore(
  where: string,
  code: ErrorCode,
  more: readonly unknown[],
  advice = "it takes no arguments",
): void {
  const given = more.find((value) => value !== undefined);
  if (given === undefined) return;
  throw new NodriftError(code, `${where}: the argument ${show(given)} is not expected: ${advice}`);
}

/**
 * Wraps a function so that its arguments are checked one by one, for functions without options. An argument may be
 * left out if its rule is not needed.
 */
/* @__NO_SIDE_EFFECTS__ */
export function checkedFunction<F extends (...given: never[]) => unknown>(
  where: string,
  code: ErrorCode,
  rules: Readonly<Record<string, Rule>>,
  call: F,
): F {
  const list = Object.entries(rules);
  return ((...given: unknown[]) => {
    refuseMore(where, code, given.slice(list.length), `it takes ${list.length} arguments`);
    const read = list.map(([name, rule], i) => {
      if (given[i] === undefined && !rule.needed) return undefined;
      return argument(where, code, name, given[i], rule);
    });
    return call(...(read as never[]));
  }) as unknown as F;
}

/** Wraps the factory of a method without options: options passed to it would be ignored. */
/* @__NO_SIDE_EFFECTS__ */
export function withoutOptions<T>(name: string, make: () => T): (...more: undefined[]) => T {
  return (...more) => {
    refuseMore(name, "METHOD", more);
    return make();
  };
}

/**
 * Prevents re-entrant calls from user functions, which would recurse or see a half-finished step.
 */
export class ReentryGuard {
  #taken = false;

  constructor(readonly owner: string) {}

  /** Marks the call as running; call `leave` in a `finally`. */
  enter(what: string): void {
    this.refuse(what);
    this.#taken = true;
  }

  leave(): void {
    this.#taken = false;
  }

  /** Rejects a call from inside a running call. */
  refuse(what: string): void {
    if (!this.#taken) return;
    throw new NodriftError(
      "EVALUATION",
      `${what}: ${this.owner} is busy: this was called from inside one of its own callbacks. Callbacks may only use ` +
        "their arguments; step, read or restore after the step",
    );
  }
}
