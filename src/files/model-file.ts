import { locationOf, plain, reading, readKeys, refuseMore } from "../base/checking/index.js";
import { descriptionError, label } from "../base/checking/values.js";
import { NodriftError } from "../base/errors.js";
import {
  type CompiledModel,
  type CompileOptions,
  compile,
  type Handle,
  type Model,
  type ModelCall,
  type Parameter,
  Shape,
} from "../bodies.js";
import { isHandle, referenceName } from "../model/handles.js";
import type { LawKind, OptionKind } from "../model/recipe-checker.js";
import type { SolveOptions } from "../solve.js";
import {
  type FileSettings,
  FORMAT,
  type Json,
  type JsonObject,
  type ModelDocument,
  type NamedFunction,
  type TypedEntry,
} from "./document/document.js";
import { HEIGHT, optionKind, SLOPE } from "./document/references.js";
import { type FunctionOrigin, originOf } from "./functions/functions.js";
import { buildModel } from "./models/model-builder.js";
import { type Prepared, prepare, SolvableFile } from "./models/settings.js";
import { isEquations, readAll, validate } from "./models/validate.js";
import {
  limitsOf,
  type ParsedText,
  type ReadLimits,
  readSource,
  sourceOf,
} from "./text/json-source.js";
import type { Problems } from "./text/problems.js";

// Converts a model to a document: its calls, with names instead of handles and sources instead of functions.

/** The mechanism of a file. */
type MechanismDocument = Pick<
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
 * Converts a model to a mechanism of a file. Throws if it contains a user function, which cannot be written to a file;
 * formulas and tables can.
 */
function describeModel(model: Model, functions: readonly NamedFunction[] = []): MechanismDocument {
  return new Describer(model, functions).mechanism();
}

interface MarkerEntries {
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

  mechanism(): MechanismDocument {
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
      ...(hasMarkers && { ground: ground as MarkerEntries }),
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

  #markersOf(body: string): Partial<MarkerEntries> {
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
        `${HEIGHT} and ${SLOPE} must belong to one road to be saved: use { ...roadProfile("...") }`,
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
    const { type = "" } = made as { type?: string };
    const kind = optionKind(type, option === SLOPE ? HEIGHT : option);
    if (typeof value === "string" && isEnd(kind)) return this.#end(value);
    if (typeof value !== "function") return value as Json;
    const origin = originOf(value);
    if (origin) return this.#source(origin);
    const example = EXAMPLES[kind as LawKind];
    throw descriptionError(
      titleOf(made),
      example === undefined
        ? `${type} uses JavaScript functions and cannot be saved to a file`
        : `${option} is a JavaScript function and cannot be saved: use a formula or a table, as in ${example}`,
    );
  }

  /** Resolves a body or a marker given by name. */
  #end(name: string): Json {
    const isBody = name === "ground" || this.#of("body").some(({ made }) => made.name === name);
    const marker = this.#of("marker").find(({ made }) => referenceName(made) === name);
    return isBody || marker === undefined ? name : reference(marker.made);
  }

  #source({ source, functions }: FunctionOrigin): Json {
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

/** Examples of functions that can be saved, by role. */
const EXAMPLES: Readonly<Record<LawKind, string>> = {
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

function isEnd(kind: OptionKind | undefined): boolean {
  return kind === "end" || kind === "ends" || kind === "plane";
}

function titleOf(made: Handle): string {
  const { type } = made as { type?: string };
  return label(type ?? made.kind, made.name);
}

function reference(handle: Handle | Parameter): Json {
  if (handle.kind === "parameter") return { parameter: handle.name };
  return handle.kind === "marker" ? { marker: handle.name, of: handle.body.name } : handle.name;
}

// Formats JSON for readers: values that fit are on one line, and list entries have a line each.

const WIDTH = 100;

/** Formats a value, ending with a line break. */
function formatJson(value: Json): string {
  return `${lines(value, "", 0)}\n`;
}

function lines(value: Json, indent: string, before: number): string {
  const short = inline(value);
  // The outermost object always has a line for each key.
  const fits = indent.length + before + short.length <= WIDTH && indent !== "";
  if (fits || typeof value !== "object" || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== "object")) return wrapped(value, indent, inner);
    const entries = value.map((one) => `${inner}${lines(one, inner, 1)}`);
    return `[\n${entries.join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).flatMap(([key, one]) => {
    if (one === undefined) return [];
    const start = `${JSON.stringify(key)}: `;
    return [`${inner}${start}${lines(one, inner, start.length + 1)}`];
  });
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

/** Wraps a list of numbers or words, with as many per line as fit. */
function wrapped(list: readonly Json[], indent: string, inner: string): string {
  const rows: string[] = [];
  let row = "";
  for (const [i, one] of list.entries()) {
    const cell = `${inline(one)}${i < list.length - 1 ? "," : ""}`;
    if (row !== "" && inner.length + row.length + 1 + cell.length > WIDTH) {
      rows.push(row);
      row = "";
    }
    row = row === "" ? cell : `${row} ${cell}`;
  }
  return `[\n${[...rows, row].map((one) => `${inner}${one}`).join("\n")}\n${indent}]`;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  // JSON.stringify would write a negative zero as 0.
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (entries.length === 0) return "{}";
  return `{ ${entries.map(([key, one]) => `${JSON.stringify(key)}: ${inline(one as Json)}`).join(", ")} }`;
}

/**
 * A model with the settings of its file. Created by {@link readModel}.
 *
 * @example
 * const file = readModel(text);
 * const system = await file.compile();
 * const solution = solve(system, file.solveOptions(system));
 */
export class ModelFile extends SolvableFile<CompiledModel, FileSettings> {
  /** The model, identical to one built by calls. */
  readonly model: Model;

  constructor(model: Model, settings: FileSettings, prepared: Prepared<CompiledModel>) {
    super(settings, prepared);
    this.model = model;
  }

  /** Name of the model. */
  get name(): string {
    return this.model.name;
  }

  /**
   * Compiles the mechanism at the start time and in the initial state of the file. The options `joints`, `hold` and
   * `start` replace that state.
   *
   * @example
   * const system = await file.compile({ hold: ["crank"] });
   */
  compile(
    options: Omit<CompileOptions, "time" | "unnormalisedEulerParameters"> = {},
  ): Promise<CompiledModel> {
    const { solve, start } = this.settings;
    // Options that hold bodies replace the joint coordinates of the file.
    const keeps = options.hold !== undefined || options.start === "asGiven";
    const joints = keeps ? undefined : start?.joints;
    const hold = keeps || options.joints !== undefined ? undefined : start?.hold;
    return compile(this.model, {
      time: solve?.span[0] ?? 0,
      ...(solve?.coordinates && { coordinates: solve.coordinates }),
      ...(joints && { joints }),
      ...(hold && { hold }),
      ...options,
    });
  }

  /**
   * Options for `solve` from the file, overridden by `others`.
   *
   * @example
   * const system = await file.compile();
   * const solution = solve(system, file.solveOptions(system, { tolerance: 1e-9 }));
   */
  solveOptions(
    system: CompiledModel,
    others: Partial<SolveOptions<CompiledModel>> = {},
  ): SolveOptions<CompiledModel> {
    requireCompiled("solveOptions", system);
    const { modes } = this.settings;
    const own = modes && {
      modes: Object.fromEntries(
        modes.map(({ name, without }) => [name, system.without(...without)]),
      ),
    };
    return this.optionsWith({ ...own }, others);
  }
}

function requireModel(where: string, model: unknown): void {
  const fits = reading(locationOf(where, "DESCRIPTION", "the model"), () => {
    const { calls, data } = (model ?? {}) as Partial<Model>;
    return typeof calls === "function" && typeof data === "function";
  });
  if (!fits)
    throw new NodriftError("DESCRIPTION", `${where}: the argument must be a model made by model()`);
}

function requireCompiled(where: string, system: unknown): void {
  const fits = reading(locationOf(where, "STEP", "the system"), () => {
    const { without, bodySystem } = (system ?? {}) as Partial<CompiledModel>;
    return typeof without === "function" && typeof bodySystem === "function";
  });
  if (fits) return;
  throw new NodriftError(
    "STEP",
    `${where}: the argument must be a compiled model: await file.compile()`,
  );
}

/**
 * Reads a model file. Throws a ModelFileError with all problems, each with its line and a JSON pointer. Safe for untrusted
 * texts: sizes are limited, formulas are parsed and bounded, and no code is run.
 *
 * @example
 * const file = readModel(await readFile("crane.json", "utf8"));
 * const system = await file.compile();
 * const solution = solve(system, file.solveOptions(system));
 */
export function readModel(
  text: string,
  limits: Partial<ReadLimits> = {},
  ...more: undefined[]
): ModelFile {
  refuseMore("readModel", "DESCRIPTION", more, "it takes a text and limits");
  if (typeof text !== "string") {
    throw new NodriftError(
      "DESCRIPTION",
      "readModel: the argument must be the text of a file; for parsed values use readDocument",
    );
  }
  return mechanismOf("readModel", readSource(text, limitsOf(limits)));
}

/**
 * Like {@link readModel} for parsed JSON; copies the data.
 *
 * @example
 * const file = readDocument({ nodrift: 1, name: "ball", units: "SI", gravity: [0, 0, -9.81], bodies: [ball] });
 */
export function readDocument(
  document: unknown,
  limits: Partial<ReadLimits> = {},
  ...more: undefined[]
): ModelFile {
  refuseMore("readDocument", "DESCRIPTION", more, "it takes a document and limits");
  const source = limitsOf(limits);
  const location = locationOf("readDocument", "DESCRIPTION", "the document");
  return mechanismOf(
    "readDocument",
    reading(location, () => sourceOf(document, source)),
  );
}

/** Reads a mechanism. Throws for a system of equations, without building it. */
export function mechanismOf(where: string, source: ParsedText): ModelFile {
  return readAll(source, (value, problems) => {
    const document = validate(value, problems);
    if (!document) return undefined;
    if (!isEquations(document)) return mechanismFrom(document, problems);
    if (problems.count > 0) return undefined;
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: ${document.name} is a system of equations, not a mechanism: use readSystem`,
    );
  });
}

/** Builds the mechanism of a validated document; undefined if it has problems. */
export function mechanismFrom(document: ModelDocument, problems: Problems): ModelFile | undefined {
  const built = buildModel(document, problems);
  const settings = settingsOf(document);
  const prepared = prepare(settings, built, problems);
  return problems.count > 0 ? undefined : new ModelFile(built.model, settings, prepared);
}

const SETTINGS = [
  "$schema",
  "description",
  "units",
  "functions",
  "start",
  "solve",
  "output",
  "events",
  "modes",
  "view",
] as const;

function settingsOf(document: ModelDocument): FileSettings {
  const found = SETTINGS.flatMap((key) =>
    document[key] === undefined ? [] : [[key, document[key]]],
  );
  return Object.fromEntries(found) as unknown as FileSettings;
}

/**
 * Converts a model to the document of its file. Throws if the model has functions that are not formulas or tables, or if
 * the file would not be readable.
 */
export function writeDocument(
  model: Model,
  given: FileSettings = { units: "SI" },
  ...more: undefined[]
): ModelDocument {
  refuseMore("writeDocument", "DESCRIPTION", more, "it takes a model and settings");
  const location = locationOf("writeDocument", "DESCRIPTION", "settings");
  requireModel("writeDocument", model);
  const settings = plain(location, readKeys(location, given, SETTINGS)) as unknown as FileSettings;
  const empty = Object.entries(settings).find(([, part]) => part === null)?.[0];
  if (empty !== undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      `writeDocument: ${empty} is null: give a value, or omit it`,
    );
  }
  const { $schema, description, units, start, solve, output, events, modes, view } = settings;
  const { name, gravity, ...mechanism } = describeModel(model, settings.functions);
  const document: ModelDocument = {
    ...($schema !== undefined && { $schema }),
    nodrift: FORMAT,
    name,
    ...(description !== undefined && { description }),
    units,
    gravity,
    ...mechanism,
    ...(start !== undefined && { start }),
    ...(solve !== undefined && { solve }),
    ...(output !== undefined && { output }),
    ...(events !== undefined && { events }),
    ...(modes !== undefined && { modes }),
    ...(view !== undefined && { view }),
  };
  // Names and settings may be invalid in files. Programs may exceed the limits for untrusted files.
  readDocument(document, { values: Number.POSITIVE_INFINITY });
  return document;
}

/**
 * Converts a model to the text of a file. Reading it restores the same model, bit by bit.
 *
 * @example
 * await writeFile("crane.json", writeModel(m, { units: "SI", solve: { span: [0, 10] } }));
 * await writeFile("copy.json", writeModel(file.model, file.settings));
 */
export function writeModel(model: Model, settings?: FileSettings, ...more: undefined[]): string {
  return formatJson(writeDocument(model, settings, ...more) as unknown as Json);
}
