import { type CompiledModel, type CompileOptions, compile, type Model } from "../../bodies.js";
import {
  locationOf,
  plain,
  reading,
  readKeys,
  readRecord,
  refuseMore,
} from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { SolveOptions } from "../../solve.js";
import { type FileSettings, FORMAT, type Json, type ModelDocument } from "./document/document.js";
import { formatJson } from "./document/format.js";
import { buildModel } from "./models/model-builder.js";
import { describeModel } from "./models/model-writer.js";
import { readAll } from "./models/read-rounds.js";
import {
  type OutputColumn,
  type OutputPlot,
  type Prepared,
  prepare,
  solveOptions,
} from "./models/settings.js";
import { isEquations, validate } from "./models/validate.js";
import { limitsOf, type ReadLimits, readSource, type Source } from "./text/json-source.js";
import { sourceOf } from "./text/plain-data.js";
import type { Problems } from "./text/problems.js";

/**
 * A model with all that its file says about it. Made by {@link readModel}.
 *
 * @example
 * const file = readModel(text);
 * const system = await file.compile();
 * const solution = solve(system, file.solveOptions(system));
 */
export class ModelFile {
  /** The model, as if made by calls. */
  readonly model: Model;
  /** All but the mechanism, as in the file. */
  readonly settings: FileSettings;
  /** Values of the output that the file asks for; none: all coordinates. */
  readonly columns: readonly OutputColumn[];
  /** Pictures of the report. */
  readonly plots: readonly OutputPlot[];
  readonly #prepared: Prepared;

  constructor(model: Model, settings: FileSettings, prepared: Prepared) {
    this.model = model;
    this.settings = settings;
    this.columns = prepared.columns;
    this.plots = prepared.plots;
    this.#prepared = prepared;
  }

  /** Name of the model. */
  get name(): string {
    return this.model.name;
  }

  /**
   * Makes the mechanism ready to run, at the time where the span of the file begins, with the start of the file: `joints`,
   * `hold` and `start` of the options replace that.
   *
   * @example
   * const system = await file.compile({ hold: ["crank"] });
   */
  compile(
    options: Omit<CompileOptions, "time" | "unnormalisedEulerParameters"> = {},
  ): Promise<CompiledModel> {
    const { solve, start } = this.settings;
    // A start that keeps bodies where they are given is not that of the file.
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
    readRecord(locationOf("solveOptions", "STEP"), others);
    // Of a method and an integrator only one can be given.
    const hasOther = others.method !== undefined || others.integrator !== undefined;
    const prepared = hasOther ? { ...this.#prepared, method: undefined } : this.#prepared;
    const { span, ...rest } = { ...solveOptions(this.settings, prepared, system), ...others };
    if (span) return { span, ...rest };
    throw new NodriftError(
      "STEP",
      `${this.name}: the file has no time span: add "solve": { "span": [0, 10] }`,
    );
  }
}

function requireModel(where: string, model: unknown): void {
  const fits = reading(locationOf(where, "DESCRIPTION", "the model"), () => {
    const { calls, data } = (model ?? {}) as Partial<Model>;
    return typeof calls === "function" && typeof data === "function";
  });
  if (!fits) throw new NodriftError("DESCRIPTION", `${where} takes what model() made`);
}

function requireCompiled(where: string, system: unknown): void {
  const fits = reading(locationOf(where, "STEP", "the system"), () => {
    const { without, bodySystem } = (system ?? {}) as Partial<CompiledModel>;
    return typeof without === "function" && typeof bodySystem === "function";
  });
  if (fits) return;
  throw new NodriftError("STEP", `${where} takes a compiled model: await file.compile()`);
}

/**
 * Reads a model file. Throws a ModelFileError with everything that is wrong, each with its line and a pointer.
 * Texts of anybody can be read: sizes are limited, formulas are parsed and bounded, nothing is run.
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
      "readModel takes the text of a file; for values, see readDocument",
    );
  }
  return mechanismOf("readModel", readSource(text, limitsOf(limits)));
}

/**
 * Like {@link readModel} for JSON that is parsed already; copies the data.
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
  const place = locationOf("readDocument", "DESCRIPTION", "the document");
  return mechanismOf(
    "readDocument",
    reading(place, () => sourceOf(document, source)),
  );
}

/** What a source says of a mechanism. One of equations is refused as it is: nothing of it is built here. */
function mechanismOf(where: string, source: Source): ModelFile {
  return readAll(source, (value, problems) => {
    const document = validate(value, problems);
    if (!document) return undefined;
    if (!isEquations(document)) return mechanismFrom(document, problems);
    if (problems.count > 0) return undefined;
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: ${document.name} is a system by equations, not a mechanism: use readSystem`,
    );
  });
}

/** The mechanism of a document that was validated; undefined where it has problems. */
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
 * The document of a model: what a file of it contains. Throws where the model has functions that are not formulas
 * or tables, and where a file of it could not be read.
 */
export function writeDocument(
  model: Model,
  given: FileSettings = { units: "SI" },
  ...more: undefined[]
): ModelDocument {
  refuseMore("writeDocument", "DESCRIPTION", more, "it takes a model and settings");
  const place = locationOf("writeDocument", "DESCRIPTION", "settings");
  requireModel("writeDocument", model);
  const settings = plain(place, readKeys(place, given, SETTINGS)) as unknown as FileSettings;
  const empty = Object.entries(settings).find(([, part]) => part === null)?.[0];
  if (empty !== undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      `writeDocument: ${empty} is null: give it, or leave it out`,
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
  // Names and settings may be such as no file can have; but programs may write more than strangers.
  readDocument(document, { values: Number.POSITIVE_INFINITY });
  return document;
}

/**
 * The text of a file for a model: read again it gives the same model, to the last bit.
 *
 * @example
 * await writeFile("crane.json", writeModel(m, { units: "SI", solve: { span: [0, 10] } }));
 * await writeFile("copy.json", writeModel(file.model, file.settings));
 */
export function writeModel(model: Model, settings?: FileSettings, ...more: undefined[]): string {
  return formatJson(writeDocument(model, settings, ...more) as unknown as Json);
}
