// Parameters of a model. Each is replaced by its value before a recipe is called. The recorded call contains the
// parameter, so that it can be repeated with another value.

import { descriptionError, label } from "../base/checking/values.js";
import { isHandle } from "./handles.js";
import type { Parameter } from "./parameter-types.js";

/** Returns the current value of a parameter. */
export type ParameterValue = (parameter: Parameter) => number;

export function isParameter(value: unknown): value is Parameter {
  return isHandle(value) && (value as { kind: string }).kind === "parameter";
}

/** Returns the initial value of a parameter. */
export const initialValue: ParameterValue = ({ value }) => value;

/** Returns the options with values in place of parameters. Parts without parameters are not copied. */
export function withValues<T>(given: T, valueFor: ParameterValue): T {
  return (hasParameters(given) ? replaced(given, valueFor) : given) as T;
}

/** Whether the options contain a parameter. */
export function hasParameters(given: unknown): boolean {
  if (isParameter(given)) return true;
  if (follows(given)) return true;
  if (Array.isArray(given)) return given.some(hasParameters);
  return isPlain(given) && Object.values(given).some(hasParameters);
}

function replaced(given: unknown, valueFor: ParameterValue): unknown {
  if (isParameter(given)) return valueFor(given);
  if (follows(given)) return given.follows(valueFor);
  if (Array.isArray(given)) return given.map((entry) => withValues(entry, valueFor));
  if (!isPlain(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, withValues(value, valueFor)]),
  );
}

/** Whether this is a shape with parameters. */
function follows(given: unknown): given is { follows(valueFor: ParameterValue): object } {
  return typeof (given as { follows?: unknown } | null)?.follows === "function";
}

/** Whether this is a plain object of options, not a handle, a typed array or a simulation, which may contain itself. */
function isPlain(given: unknown): given is Record<string, unknown> {
  if (typeof given !== "object" || given === null || isHandle(given)) return false;
  const prototype = Object.getPrototypeOf(given);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Returns the initial value of a parameter; throws for a parameter of another model. */
export function ownValue(where: string, owns: (parameter: Parameter) => boolean): ParameterValue {
  return (parameter) => {
    if (owns(parameter)) return parameter.value;
    throw descriptionError(
      where,
      `${label("parameter", parameter.name)} is of another model: make one of this model`,
    );
  };
}
