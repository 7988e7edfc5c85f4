// Functions of a file: named ones, and those that options of joints and forces are given by.

import type { Parameter } from "../../../bodies.js";
import { Table } from "../../../describe/expressions/index.js";
import { parse } from "../../../describe/expressions/parser.js";
import { quantityNames } from "../../../describe/measured/vocabulary.js";
import type { FunctionSource, NamedFunction } from "../document/document.js";
import type { FunctionRole } from "../document/references.js";
import { isObject } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";
import { FunctionSet, lawSource, type Source, timeFunction } from "./functions.js";

/**
 * How long all formulas of a file may be together: characters, with those of the functions they call, which become
 * part of them. All are differentiated, some more than once, and count for more.
 */
const LONGEST = 4_000_000;
const WEIGHTS: Readonly<Record<FunctionRole, number>> = {
  time: 16,
  live: 16,
  road: 8,
  length: 4,
  angle: 4,
  along: 4,
  about: 4,
  load: 4,
  loads: 4,
  rows: 16,
};

const AXES = ["x", "y", "z"] as const;
const BUSHING = [...AXES.flatMap((x) => [x, `${x}Rate`, `${x}Turn`, `${x}TurnRate`]), "t"];

/** Names of its own that a formula has. */
const NAMES: Readonly<Record<FunctionRole, readonly string[]>> = {
  time: ["t"],
  live: ["t"],
  road: ["x", "y", "t"],
  length: ["length", "rate", "t"],
  angle: ["angle", "rate", "t"],
  along: BUSHING,
  about: BUSHING,
  load: ["t", "x", "y", "z", "vx", "vy", "vz"],
  loads: ["t"],
  rows: ["t"],
};

/** What a table is a function of; for each component, if they differ. */
const ARGUMENTS: Readonly<Record<FunctionRole, string | readonly string[]>> = {
  time: "t",
  live: "t",
  road: "x",
  length: "length",
  angle: "angle",
  along: AXES,
  about: AXES.map((x) => `${x}Turn`),
  load: "t",
  loads: "t",
  rows: "t",
};

/** Options that are lists of functions. */
const LISTS: ReadonlySet<FunctionRole> = new Set(["load", "along", "about", "rows"]);

/** Knows which functions are broken: formulas that call them are not reported as well. */
export class FileFunctions {
  /** Those that are right, for formulas to call. */
  readonly named = new FunctionSet();
  readonly #problems: Problems;
  /** Characters of named functions, and of all formulas so far. */
  readonly #lengths = new Map<string, number>();
  #length = 0;
  readonly #broken = new Set<string>();
  /** Formulas cannot be judged: names of broken functions are not known, or there was too much of them. */
  #isBlind = false;

  readonly #parameters: readonly string[];

  constructor(list: unknown, problems: Problems, parameters: readonly string[]) {
    this.#problems = problems;
    this.#parameters = parameters;
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

  /** What an option of the model API is given; undefined where it, or what it calls, is wrong. */
  make(role: FunctionRole, value: unknown, path: Path): unknown {
    if (LISTS.has(role)) return this.#list(role, value as Given[], path);
    if (role !== "loads") return this.#one(role, value as Given, path);
    const loads = (value as Record<string, Given[]>[]).map((load, i) => {
      const parts = Object.entries(load).map(
        ([key, list]) => [key, this.#list(role, list, [...path, i, key])] as const,
      );
      return parts.some(([, list]) => list === undefined) ? undefined : Object.fromEntries(parts);
    });
    return loads.includes(undefined) ? undefined : loads;
  }

  #list(role: FunctionRole, list: readonly Given[], path: Path): unknown {
    const parts = list.map((source, i) => this.#one(role, source, [...path, i], i));
    return parts.includes(undefined) ? undefined : parts;
  }

  #one(role: FunctionRole, source: Given, path: Path, component = 0): unknown {
    if (typeof source === "number") return source;
    if (typeof source === "object" && "kind" in source) return source;
    if (typeof source !== "string") {
      const { table } = source;
      return this.#problems.attempt(
        [...path, "table"],
        () => this.#ofTable(role, source, component),
        table,
      );
    }
    if (!this.takes(source, path, WEIGHTS[role])) return undefined;
    return this.#problems.attempt(path, () => this.#ofText(role, source));
  }

  #ofTable(role: FunctionRole, source: Exclude<Source, string>, component: number): unknown {
    // A drive needs a velocity without jumps.
    if (role === "time" || role === "live") return timeFunction(source, this.named);
    const argument = ARGUMENTS[role];
    const own = typeof argument === "string" ? argument : argument[component]!;
    return lawSource(own, source, undefined);
  }

  /** What it names in quotes is looked for by the joint or force it belongs to. */
  #ofText(role: FunctionRole, text: string): unknown {
    // The motor knows what it may read.
    if (role === "live") return lawSource("t", text, this.named);
    parse(text, {
      variables: [...NAMES[role], ...this.#parameters],
      quantities: role === "time" || role === "road" ? [] : quantityNames,
      functions: this.named.library,
    });
    return lawSource("t", text, this.named);
  }
}

/** A number, formula or table; or a parameter of the model. */
type Given = FunctionSource | Parameter;

/** Names of what a formula calls. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name!);
}
