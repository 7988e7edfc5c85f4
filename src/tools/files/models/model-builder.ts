// A document as a model: entries are added one by one, and what one of them is refused for does not keep the
// others from being checked.

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
} from "../../../bodies.js";
import type { JsonObject, ModelDocument, TypedEntry } from "../document/document.js";
import {
  BODIES,
  END_PAIR,
  ENDS,
  functionRole,
  JOINT_PAIR,
  JOINTS,
  PLANE,
} from "../document/references.js";
import { FileFunctions } from "../functions/file-functions.js";
import type { Path, Problems } from "../text/problems.js";
import { Entries } from "./named-entries.js";

/** Something an entry needs is wrong itself: already reported. */
const broken = Symbol("broken");

const shapes: Readonly<Record<string, (options: never) => Shape>> = { box, rod, cylinder, sphere };

function shapeOf({ type, ...options }: JsonObject): Shape {
  return shapes[type as string]!(options as never);
}

/** The mechanism of a file, and what formulas and settings can refer to. */
export interface Built {
  readonly model: Model;
  readonly functions: FileFunctions;
  readonly bodies: Entries<Body>;
  readonly joints: Entries<Joint>;
  readonly forces: Entries<Force>;
  /** Markers of a body. */
  markersOf(body: string): Entries<Marker>;
}

/** Makes the mechanism of a document. */
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
  /** Names of all joints, also of those that come later. */
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
      // Told where it stands, and missing where it belongs.
      if (Object.hasOwn(joints, String(entry?.type))) this.joints.lose(entry);
    }
    this.#each(document, "joints", this.joints, (entry, path) => this.#typed<Joint>(entry, path));
    const others = new Entries<{ readonly name: string }>();
    // Before forces, whose laws may read them: their rates look for what they read when they are called.
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

  /** Makes those entries of a list that have the right form. */
  #each<Made extends { readonly name: string }>(
    document: ModelDocument,
    key: "bodies" | "joints" | "forces" | "states" | "controllers",
    entries: Entries<Made>,
    make: (entry: JsonObject, path: Path) => Made | undefined,
  ): void {
    const list: unknown = document[key];
    // Where there is no list, what refers to it cannot be judged.
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

  /** A joint or force; nothing if it, or what it needs, is wrong. */
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
    const role = functionRole(type, key);
    const known = this.#withParameters(value, path);
    if (known === broken) return broken;
    if (role !== undefined) return this.functions.make(role, known, path) ?? broken;
    if (known !== value) return known;
    if (ENDS.has(key)) return this.#end(value, path);
    if (JOINTS.has(key)) return this.#joint(value as string, path);
    if (key === PLANE) return this.#plane(value as JsonObject, path);
    if (key !== END_PAIR && key !== JOINT_PAIR && key !== BODIES) return value;
    const pair = (value as unknown[]).map((one, i) =>
      key !== JOINT_PAIR ? this.#end(one, [...path, i]) : this.#joint(one as string, [...path, i]),
    );
    return pair.includes(broken) ? broken : pair;
  }

  /** The same with parameters of the model in place of references to them. */
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
