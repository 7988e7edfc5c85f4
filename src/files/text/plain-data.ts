// Copies parsed values of a program as plain data, so that later changes do not affect the model.

import { FORBIDDEN, type ParsedText, type ReadLimits } from "./json-source.js";
import { ModelFileError, type Path, pointerOf } from "./problems.js";

/** Copies a value. Throws if it is not plain data, or too large. */
export function sourceOf(value: unknown, limits: ReadLimits): ParsedText {
  return { value: new Copier(limits).copy(value, []), place: () => undefined };
}

class Copier {
  #count = 0;

  constructor(readonly limits: ReadLimits) {}

  copy(value: unknown, path: Path): unknown {
    const { depth, values } = this.limits;
    if (++this.#count > values) throw refused([], `the limit of ${values} values is exceeded`);
    if (typeof value !== "object" || value === null) return value;
    if (path.length >= depth) throw refused(path, `values are nested more than ${depth} deep`);
    if (Array.isArray(value)) {
      return Array.from(value, (entry, i) => this.copy(entry, [...path, i]));
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw refused(path, "only plain objects, lists, texts and numbers are allowed in a model");
    }
    return this.#object(value, path);
  }

  #object(value: object, path: Path): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(value)) {
      if (FORBIDDEN.has(key)) throw refused(path, `the key "${key}" is not allowed`);
      if (entry !== undefined) made[key] = this.copy(entry, [...path, key]);
    }
    return made;
  }
}

function refused(path: Path, message: string): ModelFileError {
  const place = { line: undefined, column: undefined };
  return new ModelFileError([{ pointer: pointerOf(path), ...place, message }]);
}
