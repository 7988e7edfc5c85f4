// Errors on their way between threads: cloned they would lose their class, code and fields.

import { type ErrorCode, NodriftError } from "../../../ground/errors.js";
import { ModelFileError, type Problem } from "../../files/text/problems.js";

/** An error as plain data. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of errors of this package. */
  readonly code?: ErrorCode;
  /** Of those at a certain time of a simulation. */
  readonly time?: number;
  /** Of model files. */
  readonly problems?: readonly Problem[];
  readonly count?: number;
  readonly cause?: ErrorData;
}

/** Causes of causes that are told at most: nothing forbids that they form a ring. */
const DEEPEST = 4;

/** What can be told about whatever was thrown. */
export function errorData(thrown: unknown, depth = 0): ErrorData {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  // By its shape: the model of a user may be made by another copy of the package.
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
    ...(cause !== undefined && depth < DEEPEST && { cause: errorData(cause, depth + 1) }),
  };
}

/** The error it was, of the same class where it is one of this package. */
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
