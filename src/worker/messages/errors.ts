// Errors as messages between threads: structured cloning would lose their class, code and fields.

import { type ErrorCode, NodriftError } from "../../base/errors.js";
import { ModelFileError, type Problem } from "../../files/text/problems.js";

/** An error as plain data. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Error code, for errors of this package. */
  readonly code?: ErrorCode;
  /** Simulated time of the error, if it has one. */
  readonly time?: number;
  /** Problems of a model file. */
  readonly problems?: readonly Problem[];
  readonly count?: number;
  readonly cause?: ErrorData;
}

/** Depth of nested causes that are sent: causes may form a cycle. */
const MAX_CAUSE_DEPTH = 4;

/** Returns a thrown value as plain data. */
export function errorData(thrown: unknown, depth = 0): ErrorData {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  // Distinguished by shape: the user's model may come from another copy of the package.
  const { code, time, problems, count } = thrown as Partial<NodriftError & ModelFileError> & {
    time?: unknown;
  };
  return {
    name,
    message,
    stack,
    ...(typeof code === "string" && { code }),
    ...(typeof time === "number" && { time }),
    ...(Array.isArray(problems) && { problems, count: count ?? problems.length }),
    ...(cause !== undefined && depth < MAX_CAUSE_DEPTH && { cause: errorData(cause, depth + 1) }),
  };
}

/** Recreates an error; errors of this package keep their class. */
export function errorOf(data: ErrorData): Error {
  const { name, message, stack, code, time, problems, count, cause } = data;
  const options = cause === undefined ? {} : { cause: errorOf(cause) };
  if (problems !== undefined) return new ModelFileError(problems, count);
  const error =
    code === undefined ? new Error(message, options) : new NodriftError(code, message, options);
  for (const [key, value] of Object.entries({ name, time, stack })) {
    if (value !== undefined) define(error, key, value);
  }
  return error;
}

function define(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, configurable: true, writable: true });
}
