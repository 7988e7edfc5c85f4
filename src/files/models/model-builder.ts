// Builds the model of a document. Entries are added one by one, so that an error in one does not keep the
// others from being checked.

import { advice, similar } from "../../base/checking/suggest.js";
import {
  type Body,
  box,
  cylinder,
  type Force,
  type Joint,
  joints,
  type Marker,
  type Model,
  model,
  type Parameter,
  rod,
  type Shape,
  sphere,
} from "../../bodies.js";
import { Table } from "../../formulas/expressions/index.js";
import { parse } from "../../formulas/expressions/parser.js";
import { quantityNames } from "../../model/measured/vocabulary.js";
import type { LawKind, OptionKind } from "../../model/recipe-checker.js";
import type {
  FunctionSource,
  JsonObject,
  ModelDocument,
  NamedFunction,
  TypedEntry,
} from "../document/document.js";
import { optionKind } from "../document/references.js";
import { FunctionSet, type LawSource, lawSource, timeFunction } from "../functions/functions.js";
import { isObject } from "../schema/values.js";
import type { Path, Problems } from "../text/problems.js";

// Functions of a file: named functions, and functions in options of joints and forces.

/**
 * Largest total length of all formulas of a file in characters, including the functions they call, which are inlined.
 * Formulas that are differentiated more than once have a larger weight.
 */
const MAX_FORMULA_LENGTH = 4_000_000;
const WEIGHTS: Readonly<Record<LawKind, number>> = {
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

/** Variables of formulas, by role. */
const NAMES: Readonly<Record<LawKind, readonly string[]>> = {
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

/** Argument of a table, by role; for each component if they differ. */
const ARGUMENTS: Readonly<Record<LawKind, string | readonly string[]>> = {
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

/** Roles whose options are lists of functions. */
const LISTS: ReadonlySet<LawKind> = new Set(["load", "along", "about", "rows"]);

/** Functions of a file. Formulas that call an invalid function are not reported again. */
class FileFunctions {
  /** Valid functions, for formulas to call. */
  readonly named = new FunctionSet();
  readonly #problems: Problems;
  /** Lengths of named functions in characters, with those of the functions they call. */
  readonly #lengths = new Map<string, number>();
  #length = 0;
  readonly #broken = new Set<string>();
  /** Whether formulas can no longer be checked: names of invalid functions are unknown, or the limit was exceeded. */
  #isUncheckable = false;

  readonly #parameters: readonly string[];

  constructor(list: unknown, problems: Problems, parameters: readonly string[]) {
    this.#problems = problems;
    this.#parameters = parameters;
    this.#isUncheckable = problems.isBroken(["functions"]) && !Array.isArray(list);
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
        `${name} is the name of a quantity, as in ${name}('...'): use another name`,
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
    else this.#isUncheckable = true;
  }

  /** Whether a formula can be checked: it calls no invalid function, and the total length is within the limit. */
  takes(text: string, path: Path, weight = 1): boolean {
    if (this.#isUncheckable || callsIn(text).some((name) => this.#broken.has(name))) return false;
    this.#length += weight * this.#lengthOf(text);
    if (this.#length <= MAX_FORMULA_LENGTH) return true;
    this.#problems.add(
      path,
      "from here on the formulas of the file exceed the limit of their total length",
    );
    this.#isUncheckable = true;
    return false;
  }

  #lengthOf(text: string): number {
    return callsIn(text).reduce((sum, name) => sum + (this.#lengths.get(name) ?? 0), text.length);
  }

  /** Converts a function to an option of the model API; undefined if it, or a function it calls, is invalid. */
  make(role: LawKind, value: unknown, path: Path): unknown {
    if (LISTS.has(role)) return this.#list(role, value as FunctionEntry[], path);
    if (role !== "loads") return this.#one(role, value as FunctionEntry, path);
    const loads = (value as Record<string, FunctionEntry[]>[]).map((load, i) => {
      const parts = Object.entries(load).map(
        ([key, list]) => [key, this.#list(role, list, [...path, i, key])] as const,
      );
      return parts.some(([, list]) => list === undefined) ? undefined : Object.fromEntries(parts);
    });
    return loads.includes(undefined) ? undefined : loads;
  }

  #list(role: LawKind, list: readonly FunctionEntry[], path: Path): unknown {
    const parts = list.map((source, i) => this.#one(role, source, [...path, i], i));
    return parts.includes(undefined) ? undefined : parts;
  }

  #one(role: LawKind, source: FunctionEntry, path: Path, component = 0): unknown {
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

  #ofTable(role: LawKind, source: Exclude<LawSource, string>, component: number): unknown {
    // A drive needs a continuous velocity.
    if (role === "time" || role === "live") return timeFunction(source, this.named);
    const argument = ARGUMENTS[role];
    const own = typeof argument === "string" ? argument : argument[component]!;
    return lawSource(own, source, undefined);
  }

  /** Converts a formula. The joint or force that it belongs to resolves names in quotes. */
  #ofText(role: LawKind, text: string): unknown {
    // The motor checks the quantities that it may read.
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
type FunctionEntry = FunctionSource | Parameter;

/** Names that a formula calls. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name!);
}

function isLaw(kind: OptionKind | undefined): kind is LawKind {
  return kind !== undefined && Object.hasOwn(WEIGHTS, kind);
}

/** Marks an entry whose error is already reported elsewhere. */
const broken = Symbol("broken");

const shapes: Readonly<Record<string, (options: never) => Shape>> = { box, rod, cylinder, sphere };

function shapeOf({ type, ...options }: JsonObject): Shape {
  return shapes[type as string]!(options as never);
}

/** The mechanism of a file, and the entries that formulas and settings can refer to. */
export interface Built {
  readonly model: Model;
  readonly functions: FileFunctions;
  readonly bodies: Entries<Body>;
  readonly joints: Entries<Joint>;
  readonly forces: Entries<Force>;
  /** Markers of a body. */
  markersOf(body: string): Entries<Marker>;
}

/** Builds the mechanism of a document. */
export function buildModel(document: ModelDocument, problems: Problems): Built {
  return new ModelBuilder(document, problems);
}

class ModelBuilder implements Built {
  readonly model: Model;
  readonly functions: FileFunctions;
  readonly bodies = new Entries<Body>();
  readonly joints = new Entries<Joint>();
  readonly forces = new Entries<Force>();
  readonly #problems: Problems;
  readonly #parameters = new Entries<Parameter>();
  readonly #markers = new Map<string, Entries<Marker>>();
  /** Names of all joints, including later ones. */
  readonly #jointNames: ReadonlySet<unknown>;

  constructor(document: ModelDocument, problems: Problems) {
    this.#problems = problems;
    const usable = (path: Path) => !problems.isBroken(path);
    const { name, gravity } = document;
    this.model = model({
      ...(usable(["name"]) && { name }),
      ...(usable(["gravity"]) && { gravity }),
    });
    for (const [key, value] of Object.entries(document.parameters ?? {})) {
      const path = ["parameters", key];
      const made = usable(path)
        ? problems.attempt(path, () => this.model.parameter(key, value), document.parameters!)
        : undefined;
      if (made) this.#parameters.add(made);
      else this.#parameters.lose({ name: key });
    }
    this.functions = new FileFunctions(
      document.functions,
      problems,
      Object.keys(document.parameters ?? {}),
    );
    this.#jointNames = new Set(listOf(document.joints).map((entry) => entry?.name));
    this.bodies.add(this.model.ground);
    this.#addMarkers(this.model.ground, document.ground?.markers, ["ground"]);
    this.#each(document, "bodies", this.bodies, (entry, path) => this.#body(entry, path));
    for (const entry of listOf(document.forces)) {
      // A joint among the forces: reported there, and not missed among the joints.
      if (Object.hasOwn(joints, String(entry?.type))) this.joints.lose(entry);
    }
    this.#each(document, "joints", this.joints, (entry, path) => this.#typed<Joint>(entry, path));
    const others = new Entries<{ readonly name: string }>();
    // States precede forces, whose laws may read them. Rates resolve the quantities they read when they are called.
    this.#each(document, "states", others, (entry, path) =>
      this.#plainEntry("states", entry, path),
    );
    this.#each(document, "forces", this.forces, (entry, path) => this.#typed<Force>(entry, path));
    this.#each(document, "controllers", others, (entry, path) =>
      this.#plainEntry("controller", entry, path),
    );
  }

  #plainEntry(method: "states" | "controller", entry: JsonObject, path: Path) {
    const options = this.#withParameters(entry, path);
    if (options === broken) return undefined;
    const add = this.model[method] as (options: never) => { readonly name: string };
    return this.#problems.attempt(path, () => add(options as never), entry);
  }

  markersOf(body: string): Entries<Marker> {
    const known = this.#markers.get(body) ?? new Entries<Marker>();
    this.#markers.set(body, known);
    return known;
  }

  /** Adds the valid entries of a list. */
  #each<Made extends { readonly name: string }>(
    document: ModelDocument,
    key: "bodies" | "joints" | "forces" | "states" | "controllers",
    entries: Entries<Made>,
    make: (entry: JsonObject, path: Path) => Made | undefined,
  ): void {
    const list: unknown = document[key];
    // Without a valid list, references to it cannot be checked.
    if (this.#problems.isBroken([key]) && listOf(list).length === 0) entries.lose(undefined);
    for (const [i, entry] of listOf(list).entries()) {
      const path = [key, i];
      const made = this.#problems.isBroken(path) ? undefined : make(entry as JsonObject, path);
      if (made) entries.add(made);
      else entries.lose(entry);
    }
  }

  #body(entry: JsonObject, path: Path): Body | undefined {
    const { markers, ...given } = entry;
    const options = this.#withParameters(given, path) as JsonObject | typeof broken;
    if (options === broken) return undefined;
    const form = options.shape as JsonObject | undefined;
    const shape = form && this.#problems.attempt([...path, "shape"], () => shapeOf(form), form);
    if (form && !shape) return undefined;
    const body = this.#problems.attempt(
      path,
      () => this.model.body({ ...options, ...(shape && { shape }) } as never),
      entry,
    );
    if (body) this.#addMarkers(body, markers, path);
    return body;
  }

  #addMarkers(body: Body, list: unknown, path: Path): void {
    const known = this.markersOf(body.name);
    for (const [i, entry] of listOf(list).entries()) {
      const place = [...path, "markers", i];
      const options = this.#problems.isBroken(place) ? broken : this.#withParameters(entry, place);
      const marker =
        options === broken
          ? undefined
          : this.#problems.attempt(place, () => body.marker(options as never), entry as object);
      if (marker) known.add(marker);
      else known.lose(entry);
    }
  }

  /** Adds a joint or force; undefined if it, or an entry it refers to, is invalid. */
  #typed<Made>(entry: JsonObject, path: Path): Made | undefined {
    const { type, ...given } = entry as TypedEntry;
    const options: Record<string, unknown> = {};
    let usable = true;
    for (const [key, value] of Object.entries(given)) {
      const resolved = this.#resolve(type, key, value, [...path, key]);
      if (resolved === broken) usable = false;
      else options[key] = resolved;
    }
    if (!usable) return undefined;
    const method = this.model[type as "fixed"] as (options: never) => unknown;
    return this.#problems.attempt(path, () => method(options as never), entry) as Made | undefined;
  }

  #resolve(type: string, key: string, value: unknown, path: Path): unknown {
    const kind = optionKind(type, key);
    const known = this.#withParameters(value, path);
    if (known === broken) return broken;
    if (isLaw(kind)) return this.functions.make(kind, known, path) ?? broken;
    if (known !== value) return known;
    switch (kind) {
      case "end":
        return this.#end(value, path);
      case "joint":
        return this.#joint(value as string, path);
      case "plane":
        return this.#plane(value as JsonObject, path);
      case "ends":
      case "bodies":
        return this.#all(value, path, (one, place) => this.#end(one, place));
      case "joints":
        return this.#all(value, path, (one, place) => this.#joint(one as string, place));
      default:
        return value;
    }
  }

  /** Resolves the entries of a list. */
  #all(list: unknown, path: Path, resolve: (one: unknown, path: Path) => unknown): unknown {
    const made = (list as readonly unknown[]).map((one, i) => resolve(one, [...path, i]));
    return made.includes(broken) ? broken : made;
  }

  #withParameters(value: unknown, path: Path): unknown {
    if (!refersToParameter(value)) return value;
    if (isReference(value)) {
      return this.#named(this.#parameters, "parameter", value.parameter, [...path, "parameter"]);
    }
    const entries = Object.entries(value as object).map(
      ([key, one]) => [key, this.#withParameters(one, [...path, key])] as const,
    );
    if (entries.some(([, one]) => one === broken)) return broken;
    return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
  }

  #end(value: unknown, path: Path): unknown {
    if (typeof value === "string") return this.#named(this.bodies, "body", value, path);
    const { marker, of } = value as { marker: string; of: string };
    const body = this.#named(this.bodies, "body", of, [...path, "of"]);
    if (body === broken) return broken;
    return this.#named(this.markersOf(of), "marker", marker, [...path, "marker"], ` of "${of}"`);
  }

  #joint(value: string, path: Path): unknown {
    const comesLater = this.#jointNames.has(value) && !this.joints.has(value);
    if (!comesLater || this.joints.isLost(value)) {
      return this.#named(this.joints, "joint", value, path, " before this one in the list");
    }
    const what = `joint "${value}" is defined later: move it before this entry`;
    this.#problems.add(path, what);
    return broken;
  }

  #plane(value: JsonObject, path: Path): unknown {
    if ("marker" in value) return this.#end(value, path);
    if (value.body === undefined) return value;
    const body = this.#end(value.body, [...path, "body"]);
    return body === broken ? broken : { ...value, body };
  }

  #named<Made extends { readonly name: string }>(
    entries: Entries<Made>,
    what: string,
    name: string,
    path: Path,
    where = "",
  ): Made | typeof broken {
    const found = entries.get(name);
    if (found) return found;
    if (!entries.isLost(name)) {
      const message = () => `there is no ${what} "${name}"${where}${entries.advice(name)}`;
      this.#problems.add(path, message);
    }
    return broken;
  }
}

function isReference(value: unknown): value is { readonly parameter: string } {
  return typeof (value as { parameter?: unknown } | null)?.parameter === "string";
}

function refersToParameter(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isReference(value) || Object.values(value).some(refersToParameter);
}

function listOf(value: unknown): readonly (JsonObject | null)[] {
  return Array.isArray(value) ? value : [];
}

// Entries of a list by name, some of which are invalid. References to invalid ones are not reported: one
// mistake is one problem.

/** Name of an entry, even if its key is misspelt. */
function nameIn(entry: Readonly<Record<string, unknown>>): unknown {
  if (Object.hasOwn(entry, "name")) return entry.name;
  const key = Object.keys(entry).find((one) => similar(one, ["name"]) !== undefined);
  return key === undefined ? undefined : entry[key];
}

/** Bodies, joints, forces or markers of a file. */
export class Entries<Made extends { readonly name: string }> {
  readonly #made = new Map<string, Made>();
  readonly #broken = new Set<string>();
  /** Whether there are invalid entries with unknown or automatic names. */
  #hasUnnamed = false;
  #lacksNumbers = false;

  add(made: Made): void {
    this.#made.set(made.name, made);
  }

  /** Records an invalid entry; undefined for all entries. */
  lose(entry: unknown): void {
    const name = isObject(entry) ? nameIn(entry) : null;
    if (name === undefined) this.#lacksNumbers = true;
    // An entry with a duplicate name was meant to have another one.
    else if (typeof name !== "string" || this.has(name)) this.#hasUnnamed = true;
    else this.#broken.add(name);
  }

  get(name: string): Made | undefined {
    return this.#made.get(name);
  }

  get names(): readonly string[] {
    return [...this.#made.keys()];
  }

  /** Whether a valid entry has this name. */
  has(name: string): boolean {
    return this.#made.has(name);
  }

  /** Whether an invalid entry may have this name, so that nothing is reported about it. */
  isLost(name: string): boolean {
    if (this.#broken.has(name) || this.#hasUnnamed) return true;
    return this.#lacksNumbers && /^\w+ \d+$/.test(name);
  }

  /** Suggestion to replace an unknown name. */
  advice(name: string): string {
    const all = [...this.#made.keys(), ...this.#broken];
    return all.length === 0 ? ": there are none" : advice(name, all);
  }
}
