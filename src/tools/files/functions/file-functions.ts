// Functions of a file: named ones, and those that options of joints and forces are given by.

import { Table } from "../../../describe/expressions/index.js";
import { readsSomething } from "../../../describe/states/reading-formula.js";
import type { FunctionSource, NamedFunction } from "../document/document.js";
import type { FunctionRole } from "../document/references.js";
import { isObject } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";
import { elasticLaw, FunctionSet, loadLaw, roadProfile, timeFunction } from "./functions.js";
import { quantityNames } from "./quantities.js";

/**
 * How long all formulas of a file may be together: characters, with those of the functions they call, which become
 * part of them. Drives and roads count for more, as they are differentiated.
 */
const LONGEST = 4_000_000;
const WEIGHTS: Readonly<Record<FunctionRole, number>> = {
  time: 16,
  live: 16,
  road: 8,
  length: 1,
  angle: 1,
  load: 1,
};

/** Knows which functions are broken: formulas that call them are not reported as well. */
export class FileFunctions {
  /** Those that are right, for formulas to call. */
  readonly named = new FunctionSet();
  readonly #problems: Problems;
  /** Characters of named functions, and of all formulas till now. */
  readonly #lengths = new Map<string, number>();
  #length = 0;
  readonly #broken = new Set<string>();
  /** Formulas cannot be judged: names of broken functions are not known, or there was too much of them. */
  #isBlind = false;

  constructor(list: unknown, problems: Problems) {
    this.#problems = problems;
    this.#isBlind = problems.isBroken(["functions"]) && !Array.isArray(list);
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
    if ("table" in definition) {
      const { table } = definition;
      if (!this.#problems.attempt([...path, "table"], () => new Table(table), table)) return false;
    } else {
      const { expression } = definition;
      if (!this.takes(expression, [...path, "expression"])) return false;
      this.#lengths.set(name, this.#lengthOf(expression));
    }
    const isDone = () => {
      this.named.define(definition);
      return true;
    };
    return this.#problems.attempt(path, isDone) ?? false;
  }

  #lose(definition: unknown): void {
    const name = isObject(definition) ? definition.name : undefined;
    if (typeof name === "string") this.#broken.add(name);
    else this.#isBlind = true;
  }

  /** Whether a formula can be checked: it calls nothing that is broken, and all together are not too long. */
  takes(text: string, path: Path, weight = 1): boolean {
    if (this.#isBlind || callsIn(text).some((name) => this.#broken.has(name))) return false;
    this.#length += weight * this.#lengthOf(text);
    if (this.#length <= LONGEST) return true;
    this.#problems.add(path, "from here on the formulas of the file are too long together");
    this.#isBlind = true;
    return false;
  }

  #lengthOf(text: string): number {
    return callsIn(text).reduce((sum, name) => sum + (this.#lengths.get(name) ?? 0), text.length);
  }

  /** A function of the model API; undefined where it, or one that it calls, is wrong. */
  make(role: FunctionRole, value: unknown, path: Path): unknown {
    if (role !== "load") return this.#one(role, value as FunctionSource, path);
    const sources = value as readonly FunctionSource[];
    // Each is made by itself first, to tell which one is wrong.
    const parts = sources.map((source, i) => this.#one(role, source, [...path, i]));
    return parts.includes(undefined) ? undefined : loadLaw(sources, this.named);
  }

  #one(role: FunctionRole, source: FunctionSource, path: Path): unknown {
    if (typeof source === "number") return source;
    if (typeof source !== "string") {
      const place = [...path, "table"];
      return this.#problems.attempt(place, () => this.#made(role, source), source.table);
    }
    if (!this.takes(source, path, WEIGHTS[role])) return undefined;
    return this.#problems.attempt(path, () => this.#made(role, source));
  }

  #made(role: FunctionRole, source: Exclude<FunctionSource, number>): unknown {
    // What reads the mechanism stays a text: the model reads it.
    if (role === "live" && typeof source === "string" && readsSomething(source)) return source;
    if (role === "time" || role === "live") return timeFunction(source, this.named);
    if (role === "road") return roadProfile(source, this.named);
    return role === "load"
      ? loadLaw([source, 0, 0], this.named)
      : elasticLaw(role, source, this.named);
  }
}

/** Names of what a formula calls. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name!);
}
