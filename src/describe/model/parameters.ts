// Named numbers of a model. Recipes never see one: it is replaced by its value before they are called, and the call is
// noted with the parameter in it, so that the same call can be made again with another value.

import { isHandle } from "./handles.js";
import { descriptionError, label } from "./option-checks.js";
import type { Parameter } from "./parameter-types.js";

/** What a parameter is at the moment. */
export type ParameterValue = (parameter: Parameter) => number;

export function isParameter(value: unknown): value is Parameter {
  return isHandle(value) && (value as { kind: string }).kind === "parameter";
}

/** The value a parameter was made with. */
export const initialValue: ParameterValue = ({ value }) => value;

/** The same options with numbers in place of parameters. What holds none is not copied. */
export function withValues<T>(given: T, valueFor: ParameterValue): T {
  return (hasParameters(given) ? replaced(given, valueFor) : given) as T;
}

/** Whether a parameter stands somewhere in the options. */
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

/** A shape that was made with parameters. */
function follows(given: unknown): given is { follows(valueFor: ParameterValue): object } {
  return typeof (given as { follows?: unknown } | null)?.follows === "function";
}

/** Objects of options; handles and views are what they are. */
function isPlain(given: unknown): given is Record<string, unknown> {
  return (
    typeof given === "object" && given !== null && !ArrayBuffer.isView(given) && !isHandle(given)
  );
}

/** Gives what is looked for the value of a parameter of this model alone. */
export function ownValue(where: string, owns: (parameter: Parameter) => boolean): ParameterValue {
  return (parameter) => {
    if (owns(parameter)) return parameter.value;
    throw descriptionError(
      where,
      `${label("parameter", parameter.name)} is of another model: make one of this model`,
    );
  };
}
