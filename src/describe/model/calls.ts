// What users asked a model for, call by call: enough to make the same model again, and to write it down.

import { type Handle, isHandle } from "./handles.js";
import { Shape } from "./shapes.js";

/** One call of a method of a model, with a copy of its options. */
export interface ModelCall {
  /** What it made. Its kind is that of the call. */
  readonly made: Handle;
  /** Plain data; but handles, shapes and functions are those that were given. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A copy that later changes of arrays and objects do not reach. */
export function copyOptions(options: object): Readonly<Record<string, unknown>> {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(options)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, copyOf(value)]),
    ),
  );
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copyOf));
  if (ArrayBuffer.isView(value)) return Object.freeze(Array.from(value as Float64Array));
  const isPlain =
    typeof value === "object" &&
    value !== null &&
    !(value instanceof Shape) &&
    !isHandle(value) &&
    !Object.values(value).some((entry) => typeof entry === "function");
  return isPlain ? copyOptions(value) : value;
}
