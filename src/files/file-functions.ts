// Functions of a file: named ones, and those that options of joints and forces are given by.

import type { FunctionSource, NamedFunction } from "./document.js";
import { elasticLaw, Functions, loadLaw, roadProfile, timeFunction } from "./functions.js";
import type { Path, Problems } from "./problems.js";
import { quantityNames } from "./quantities.js";
import type { FunctionRole } from "./references.js";
import { isObject } from "./schema/values.js";

/** Knows which functions are broken: formulas that call them are not told besides. */
export class FileFunctions extends Functions {
  readonly #problems: Problems;
  readonly #broken = new Set<string>();
  /** There are broken ones whose names are not known. */
  #lacksNames = false;

  constructor(list: unknown, problems: Problems) {
    super();
    this.#problems = problems;
    this.#lacksNames = problems.isBroken(["functions"]) && !Array.isArray(list);
    for (const [i, definition] of (Array.isArray(list) ? list : []).entries()) {
      if (!this.#isDefined(definition, ["functions", i])) this.#lose(definition);
    }
  }

  #isDefined(definition: NamedFunction, path: Path): boolean {
    if (this.#problems.isBroken(path)) return false;
    const { name } = definition;
    if (quantityNames.includes(name)) {
      this.#problems.add(
        [...path, "name"],
        `${name} is a quantity, as in ${name}('...'): no function can have that name`,
      );
      return false;
    }
    const isTable = "table" in definition;
    if (!isTable && this.callsBroken(definition.expression)) return false;
    const [place, entry] = isTable ? [[...path, "table"], definition.table] : [path, definition];
    const isDone = () => {
      this.define(definition);
      return true;
    };
    return this.#problems.attempt(place, isDone, entry) ?? false;
  }

  #lose(definition: unknown): void {
    const name = isObject(definition) ? definition.name : undefined;
    if (typeof name === "string") this.#broken.add(name);
    else this.#lacksNames = true;
  }

  /** Whether a formula calls a function that is broken. */
  callsBroken(text: string): boolean {
    if (this.#lacksNames) return true;
    if (this.#broken.size === 0) return false;
    return [...text.matchAll(/\b(\w+)\s*\(/g)].some(([, name]) => this.#broken.has(name!));
  }

  /** A function of the model API; undefined where it, or one that it calls, is wrong. */
  make(role: FunctionRole, value: unknown, path: Path): unknown {
    if (role !== "load") return this.#one(role, value as FunctionSource, path);
    const sources = value as readonly FunctionSource[];
    // Each is made by itself first, to tell which one is wrong.
    const parts = sources.map((source, i) => this.#one(role, source, [...path, i]));
    return parts.includes(undefined) ? undefined : loadLaw(sources, this);
  }

  #one(role: FunctionRole, source: FunctionSource, path: Path): unknown {
    if (typeof source === "number") return source;
    if (typeof source !== "string") {
      const place = [...path, "table"];
      return this.#problems.attempt(place, () => this.#made(role, source), source.table);
    }
    if (this.callsBroken(source)) return undefined;
    return this.#problems.attempt(path, () => this.#made(role, source));
  }

  #made(role: FunctionRole, source: Exclude<FunctionSource, number>): unknown {
    if (role === "time") return timeFunction(source, this);
    if (role === "road") return roadProfile(source, this);
    return role === "load" ? loadLaw([source, 0, 0], this) : elasticLaw(role, source, this);
  }
}
