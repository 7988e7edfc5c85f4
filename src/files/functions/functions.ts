// Converts functions of a file to functions of the model API and back. Each function keeps its source.

import {
  anything,
  isRecord,
  lengthOf,
  locationOf,
  needed,
  optionsOf,
  plain,
  reading,
  readOptions,
  wrongValueError,
} from "../../base/checking/index.js";
import { descriptionError, oneOf, show } from "../../base/checking/values.js";
import {
  type Formula,
  FunctionLibrary,
  parseFormula,
  Table,
} from "../../formulas/expressions/index.js";
import type { FunctionLookup } from "../../formulas/expressions/scope.js";
import type { RoadHeight, RoadSlope } from "../../model/forces/road.js";
import {
  type FormulaSource,
  formulaSource,
  noteSource,
} from "../../model/measured/formula-source.js";
import type { Drive, MarkerMotion, Vector } from "../../model/model-data.js";
import type { FunctionSource, NamedFunction } from "../document/document.js";

/**
 * Named functions that formulas can call, in the order of their definition.
 *
 * @example
 * const functions = new FunctionSet();
 * functions.define({ name: "bump", of: ["x"], expression: "0.05 * exp(-(x - 2)^2)" });
 */
export class FunctionSet {
  /** The functions that formulas can call. */
  readonly library = new FunctionLibrary();
  /** The functions as listed in a file. */
  readonly named: NamedFunction[] = [];

  /**
   * Defines a function, which may call functions defined earlier.
   *
   * @example
   * const functions = new FunctionSet();
   * functions.define({ name: "bump", of: ["x"], expression: "0.05 * exp(-(x - 2)^2)" });
   * m.tyre({ wheel, stiffness: 2e5, radius: 0.3, ...roadProfile("bump(x) + bump(x - 5)", functions) });
   */
  define(given: NamedFunction): void {
    const definition = checkedDefinition(given);
    const { name } = definition;
    if ("table" in definition) this.library.define(name, { table: definition.table });
    else {
      const { of: variables, expression } = definition;
      this.library.define(name, { variables, expression });
    }
    this.named.push(structuredClone(definition));
  }
}

/** Source of a function; three sources for a load. */
export interface FunctionOrigin {
  readonly source: FunctionSource | readonly FunctionSource[];
  readonly functions: FunctionSet | undefined;
}

const origins = new WeakMap<object, FunctionOrigin>();

/** Returns the source of a function of the model API that was created here. */
export function originOf(made: object): FunctionOrigin | undefined {
  return origins.get(made);
}

function remember<Made extends object>(
  made: Made,
  source: FunctionOrigin["source"],
  functions: FunctionSet | undefined,
): Made {
  // Copy the source, since lists of points may be changed later.
  origins.set(made, { source: structuredClone(source), functions });
  return made;
}

/** A formula or a table. */
export type LawSource = string | Exclude<FunctionSource, number | string>;

/** Formula with derivatives that recipes accept instead of a function. A table becomes a function of one variable. */
export function lawSource(
  variable: string,
  source: LawSource,
  functions: FunctionSet | undefined,
): FormulaSource {
  const made =
    typeof source === "string"
      ? formulaSource(source, functions?.library)
      : formulaSource(`table(${variable})`, tableLookup(new Table(source.table)));
  return remember(made, source, functions);
}

function tableLookup(table: Table): FunctionLookup {
  return { names: ["table"], find: (name) => (name === "table" ? { table } : undefined) };
}

function formulaOf(
  text: string,
  variables: readonly string[],
  functions: FunctionSet | undefined,
): Formula {
  const named = functions === undefined ? {} : { functions: functions.library };
  return parseFormula(text, { variables, ...named });
}

/**
 * A function of time for drives, given by a formula of t or a table, with exact first and second derivatives.
 *
 * @example
 * m.driveAngle({ joint: hinge, angle: timeFunction("(pi/6) * (1 - cos(pi*t))") });
 * m.driveLength({ between: [a, b], length: timeFunction({ table: { x: [0, 1, 2], y: [1, 1.2, 1] } }) });
 */
export function timeFunction(given: LawSource, functions?: FunctionSet): Drive {
  requireFunctions("timeFunction", functions);
  const source = checkedSource("timeFunction", given);
  const drive = typeof source === "string" ? formulaDrive(source, functions) : tableDrive(source);
  if (typeof source === "string") noteSource(drive.value, lawSource("t", source, functions));
  return remember(drive, source, functions);
}

function formulaDrive(text: string, functions: FunctionSet | undefined): Drive {
  const value = formulaOf(text, ["t"], functions);
  const rate = value.derivative("t");
  return { value: at(value), rate: at(rate), acceleration: at(rate.derivative("t")) };
}

/** Converts a formula of one variable to a function. */
function at(formula: Formula): (t: number) => number {
  const { slots } = formula;
  return (t) => {
    slots[0] = t;
    return formula.value();
  };
}

function tableDrive({ table: options }: Exclude<LawSource, string>): Drive {
  const table = new Table(options);
  if (options.interpolation === "linear") {
    throw descriptionError(
      "table",
      "a drive needs a continuous velocity: interpolation must be cubic",
    );
  }
  return {
    value: (t) => table.value(t),
    rate: (t) => table.rate(t),
    acceleration: (t) => table.acceleration(t),
  };
}

/**
 * A force law for springs, given by a formula of the length (or the angle), its rate and t, or by a table of the length
 * (or the angle).
 *
 * @example
 * m.spring({ between: [a, b], force: elasticLaw("length", "-500 * (length - 0.2)^3 - 2 * rate") });
 */
export function elasticLaw(
  variable: "length" | "angle",
  given: LawSource,
  functions?: FunctionSet,
): PlainLaw {
  oneOf("elasticLaw", "variable", variable, ["length", "angle"]);
  requireFunctions("elasticLaw", functions);
  const source = checkedSource("elasticLaw", given);
  const law = lawOf(variable, source, functions);
  noteSource(law, lawSource(variable, source, functions));
  return remember(law, source, functions);
}

/** A force law that does not read the mechanism. */
type PlainLaw = (value: number, rate: number, t: number) => number;

function lawOf(variable: string, source: LawSource, functions: FunctionSet | undefined): PlainLaw {
  if (typeof source !== "string") {
    const table = new Table(source.table);
    return (value) => table.value(value);
  }
  const formula = formulaOf(source, [variable, "rate", "t"], functions);
  const { slots } = formula;
  return (value, rate, t) => {
    slots[0] = value;
    slots[1] = rate;
    slots[2] = t;
    return formula.value();
  };
}

/** Variables of formulas of forces and torques: time, and position and velocity of the point in the world. */
const LOAD_VARIABLES = ["t", "x", "y", "z", "vx", "vy", "vz"];

type LoadLaw = (t: number, motion: MarkerMotion) => Vector;

/**
 * A force or torque, given by three numbers, formulas or tables of time. Formulas can use t and the position x, y, z and
 * velocity vx, vy, vz of the point in the world. Three numbers are returned unchanged.
 *
 * @example
 * m.pointForce({ on: tip, force: loadLaw(["100 * sin(2*pi*t)", 0, "-5 * vz"]) });
 */
export function loadLaw(
  given: readonly FunctionSource[],
  functions?: FunctionSet,
): LoadLaw | Vector {
  requireFunctions("loadLaw", functions);
  const sources = checkedSources(given);
  if (sources.every((source) => typeof source === "number")) {
    return [...sources] as unknown as Vector;
  }
  const parts = sources.map((source) => loadPart(source, functions));
  const out: [number, number, number] = [0, 0, 0];
  const law: LoadLaw = (t, motion) => {
    for (let i = 0; i < 3; i++) out[i] = parts[i]!(t, motion);
    return out;
  };
  noteSource(
    law,
    sources.map((source) =>
      typeof source === "number" ? source : lawSource("t", source, functions),
    ),
  );
  return remember(law, sources, functions);
}

function loadPart(
  source: FunctionSource,
  functions: FunctionSet | undefined,
): (t: number, motion: MarkerMotion) => number {
  if (typeof source === "number") return () => source;
  if (typeof source !== "string") {
    const table = new Table(source.table);
    return (t) => table.value(t);
  }
  const formula = formulaOf(source, LOAD_VARIABLES, functions);
  const { slots } = formula;
  return (t, { point, velocity }) => {
    slots[0] = t;
    slots.set(point, 1);
    slots.set(velocity, 4);
    return formula.value();
  };
}

/**
 * The height of a road for tyres, given by a formula of x, y and t or a table of x, with its slopes.
 *
 * @example
 * m.tyre({ wheel, stiffness: 2e5, radius: 0.3, ...roadProfile("0.02 * sin(3*x)") });
 */
export function roadProfile(
  given: LawSource,
  functions?: FunctionSet,
): { readonly height: RoadHeight; readonly slope: RoadSlope } {
  requireFunctions("roadProfile", functions);
  const source = checkedSource("roadProfile", given);
  const slopes: [number, number] = [0, 0];
  const road =
    typeof source === "string"
      ? formulaRoad(source, functions, slopes)
      : tableRoad(new Table(source.table), slopes);
  noteSource(road.height, lawSource("x", source, functions));
  remember(road.height, source, functions);
  origins.set(road.slope, originOf(road.height)!);
  return road;
}

function tableRoad(table: Table, slopes: [number, number]) {
  return {
    height: (x: number) => table.value(x),
    slope: (x: number) => {
      slopes[0] = table.rate(x);
      return slopes;
    },
  };
}

function formulaRoad(text: string, functions: FunctionSet | undefined, slopes: [number, number]) {
  const height = formulaOf(text, ["x", "y", "t"], functions);
  const parts = [height.derivative("x"), height.derivative("y")] as const;
  const load = ({ slots }: Formula, x: number, y: number, t: number) => {
    slots[0] = x;
    slots[1] = y;
    slots[2] = t;
  };
  return {
    height: (x: number, y: number, t: number) => {
      load(height, x, y, t);
      return height.value();
    },
    slope: (x: number, y: number, t: number) => {
      for (let i = 0; i < 2; i++) {
        load(parts[i]!, x, y, t);
        slopes[i] = parts[i]!.value();
      }
      return slopes;
    },
  };
}

// Checks the sources of functions given by programs.

/** The values are checked when they are used. */
const DEFINITION = { name: needed(anything), of: anything, expression: anything, table: anything };

export function checkedDefinition(given: NamedFunction): NamedFunction {
  const read = optionsOf<Record<string, unknown>>("define", "DESCRIPTION", given, DEFINITION);
  const definition = plain(locationOf("define", "DESCRIPTION"), read) as NamedFunction;
  if ("table" in definition === "expression" in definition) {
    throw descriptionError("define", "use { name, of, expression } or { name, table }");
  }
  return definition;
}

/** Checks and copies a formula or a table. */
export function checkedSource<Source>(where: string, source: Source): Source {
  const location = locationOf(where, "DESCRIPTION", "the source");
  if (typeof source === "string") return source;
  if (!isRecord(source))
    throw wrongValueError(location, source, "a formula, or { table: { x, y } }");
  const read = readOptions<{ table: unknown }>(location, source, { table: needed(anything) });
  return plain(location, read) as Source;
}

/** Checks and copies three numbers, formulas or tables. */
export function checkedSources(sources: readonly FunctionSource[]): readonly FunctionSource[] {
  const location = locationOf("loadLaw", "DESCRIPTION", "sources");
  const length = lengthOf(location, sources, "3 numbers, formulas or tables");
  if (length !== 3) {
    throw descriptionError("load", `must have 3 numbers, formulas or tables, not ${length}`);
  }
  return Array.from(sources, (source, i) => {
    if (typeof source !== "number") return checkedSource(`loadLaw: sources[${i}]`, source);
    if (Number.isFinite(source)) return source;
    throw descriptionError("load", `sources[${i}] is ${source}; use a finite number`);
  });
}

/** Checks a set of functions that formulas may call. */
export function requireFunctions(where: string, functions: unknown): void {
  if (functions === undefined) return;
  const location = locationOf(where, "DESCRIPTION", "functions");
  const fits = reading(location, () => {
    const { library } = (functions ?? {}) as { library?: unknown };
    return library instanceof FunctionLibrary;
  });
  if (fits) return;
  throw descriptionError(where, `functions is ${show(functions)}; use new FunctionSet()`);
}
