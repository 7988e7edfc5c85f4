// The calls that described a model, from which the model can be rebuilt or written to a file.

import { type Handle, isHandle } from "./handles.js";
import { Shape } from "./shapes.js";

/** One call of a method of a model, with a copy of its options. */
export interface ModelCall {
  /** The handle it returned, whose kind is that of the call. */
  readonly made: Handle;
  /** Plain data, except that handles, shapes and functions are kept by reference. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Returns a deep copy, unaffected by later changes of arrays and objects. */
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
