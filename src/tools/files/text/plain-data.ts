// Values that a program has parsed, as plain data. They are copied: what is done to them later changes no model.

import { FORBIDDEN, type ReadLimits, type Source } from "./json-source.js";
import { ModelFileError, type Path, pointerOf } from "./problems.js";

/** A copy of a value. Throws where it is no plain data, or too large. */
export function sourceOf(value: unknown, limits: ReadLimits): Source {
  return { value: new Copier(limits).copy(value, []), place: () => undefined };
}

class Copier {
  #count = 0;

  constructor(readonly limits: ReadLimits) {}

  copy(value: unknown, path: Path): unknown {
    const { depth, values } = this.limits;
    if (++this.#count > values)
      throw refused([], `there are more than the ${values} values allowed`);
    if (typeof value !== "object" || value === null) return value;
    if (path.length >= depth) throw refused(path, `values are nested more than ${depth} deep`);
    if (Array.isArray(value)) {
      return Array.from(value, (entry, i) => this.copy(entry, [...path, i]));
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw refused(path, "only plain objects, lists, texts and numbers can be in a model");
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
