// A model as a document: the calls that made it, with names in place of handles and sources in place of functions.

import { type Handle, type Model, type ModelCall, type Parameter, Shape } from "../../../bodies.js";
import { isHandle, referenceName } from "../../../describe/model/handles.js";
import { descriptionError, label } from "../../../describe/model/option-checks.js";
import type {
  Json,
  JsonObject,
  ModelDocument,
  NamedFunction,
  TypedEntry,
} from "../document/document.js";
import {
  END_PAIR,
  ENDS,
  type FunctionRole,
  functionRole,
  HEIGHT,
  PLANE,
  SLOPE,
} from "../document/references.js";
import { type Origin, originOf } from "../functions/functions.js";

/** The mechanism of a file. */
export type Mechanism = Pick<
  ModelDocument,
  | "name"
  | "gravity"
  | "parameters"
  | "functions"
  | "ground"
  | "bodies"
  | "joints"
  | "forces"
  | "states"
  | "controllers"
>;

/**
 * Describes a model. Throws where something was made with a user function, which no file can tell: laws
 * that are formulas or tables can.
 */
export function describeModel(model: Model, functions: readonly NamedFunction[] = []): Mechanism {
  return new Describer(model, functions).mechanism();
}

interface Markers {
  readonly markers: readonly JsonObject[];
}

class Describer {
  readonly #functions = new Map<string, NamedFunction>();
  readonly #calls: readonly ModelCall[];

  constructor(
    readonly model: Model,
    functions: readonly NamedFunction[],
  ) {
    this.#calls = model.calls();
    for (const one of functions) this.#functions.set(one.name, one);
  }

  mechanism(): Mechanism {
    const bodies = this.#of("body").map((call) => ({
      ...this.#plain(call),
      ...this.#markersOf(call.made.name),
    }));
    const joints = this.#of("joint").map((call) => this.#typed(call));
    const forces = this.#of("force").map((call) => this.#typed(call));
    const states = this.#of("states").map((call) => this.#plain(call));
    const controllers = this.#of("controller").map((call) => this.#plain(call));
    const ground = this.#markersOf("ground");
    const hasMarkers = ground.markers !== undefined;
    const functions = [...this.#functions.values()];
    const parameters = this.model.parameters();
    return {
      name: this.model.name,
      gravity: this.model.gravity,
      ...(parameters.length > 0 && {
        parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
      }),
      ...(functions.length > 0 && { functions }),
      ...(hasMarkers && { ground: ground as Markers }),
      bodies,
      ...(joints.length > 0 && { joints }),
      ...(forces.length > 0 && { forces }),
      ...(states.length > 0 && { states }),
      ...(controllers.length > 0 && { controllers }),
    };
  }

  #of(kind: Handle["kind"]): readonly ModelCall[] {
    return this.#calls.filter(({ made }) => made.kind === kind);
  }

  #markersOf(body: string): Partial<Markers> {
    const own = this.#of("marker").filter(
      ({ made }) => made.kind === "marker" && made.body.name === body,
    );
    return own.length === 0 ? {} : { markers: own.map((call) => this.#plain(call)) };
  }

  #typed(call: ModelCall): TypedEntry {
    const { type } = call.made as Handle & { type: string };
    return { type, ...this.#plain(call) };
  }

  #plain({ made, options }: ModelCall): JsonObject {
    const { [HEIGHT]: height, [SLOPE]: slope } = options;
    const road = typeof height === "function" ? originOf(height) : undefined;
    if (road && (typeof slope !== "function" || originOf(slope) !== road)) {
      throw descriptionError(
        titleOf(made),
        `${HEIGHT} and ${SLOPE} must be of one road to be written: use { ...roadProfile("...") }`,
      );
    }
    const entries = Object.entries(options).filter(([key]) => key !== SLOPE || !road);
    return Object.fromEntries(entries.map(([key, value]) => [key, this.#json(value, made, key)]));
  }

  #json(value: unknown, made: Handle, option: string): Json {
    if (typeof value === "object" && value !== null) {
      const origin = originOf(value);
      if (origin) return this.#source(origin);
      if (isHandle(value)) return reference(value);
      if (value instanceof Shape) {
        const { name: type, given } = value;
        return given
          ? { type, ...(this.#json(given, made, option) as JsonObject) }
          : { ...value.description };
      }
      if (Array.isArray(value)) return value.map((one) => this.#json(one, made, option));
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, this.#json(one, made, option)]),
      );
    }
    if (typeof value === "string" && isEnd(option)) return this.#end(value);
    if (typeof value !== "function") return value as Json;
    const origin = originOf(value);
    if (origin) return this.#source(origin);
    const { type = "" } = made as { type?: string };
    const role = functionRole(type, option === SLOPE ? HEIGHT : option);
    throw descriptionError(
      titleOf(made),
      role === undefined
        ? `${type} uses JavaScript functions and cannot be saved to a file`
        : `${option} is a JavaScript function and cannot be saved: use a formula or a table, as in ${INSTEAD[role]}`,
    );
  }

  /** A body, or a marker of one, that was given by its name. */
  #end(name: string): Json {
    const isBody = name === "ground" || this.#of("body").some(({ made }) => made.name === name);
    const marker = this.#of("marker").find(({ made }) => referenceName(made) === name);
    return isBody || marker === undefined ? name : reference(marker.made);
  }

  #source({ source, functions }: Origin): Json {
    for (const one of functions?.named ?? []) {
      const known = this.#functions.get(one.name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(one)) {
        throw descriptionError("functions", `two different functions are named "${one.name}"`);
      }
      this.#functions.set(one.name, one);
    }
    return source as Json;
  }
}

/** What makes functions that can be written. */
const INSTEAD: Readonly<Record<FunctionRole, string>> = {
  time: 'timeFunction("sin(t)")',
  live: 'timeFunction("sin(t)"), or the text of a formula',
  length: 'elasticLaw("length", "-500 * length")',
  angle: 'elasticLaw("angle", "-5 * angle")',
  load: 'loadLaw(["sin(t)", 0, 0])',
  along: 'force: ["-500 * x^3", 0, 0]',
  about: 'torque: ["-5 * xTurn^3", 0, 0]',
  road: '...roadProfile("0.02 * sin(x)")',
  loads: "loads: [{ force: [\"-2 * x('ball')\", 0, 0] }]",
  rows: "value: [\"z('bead') - x('bead')^2\"]",
};

function isEnd(option: string): boolean {
  return option === END_PAIR || option === PLANE || ENDS.has(option);
}

function titleOf(made: Handle): string {
  const { type } = made as { type?: string };
  return label(type ?? made.kind, made.name);
}

function reference(handle: Handle | Parameter): Json {
  if (handle.kind === "parameter") return { parameter: handle.name };
  return handle.kind === "marker" ? { marker: handle.name, of: handle.body.name } : handle.name;
}
