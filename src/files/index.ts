// Entry point `nodrift/files`: model files.

export { initElementary } from "../base/wasm/elementary.js";
export {
  type Formula,
  FormulaError,
  type FormulaOptions,
  FunctionLibrary,
  formulaFunction,
  parseFormula,
  Table,
  type TableOptions,
} from "../formulas/expressions/index.js";
export { estimatesError, type MethodChoice, methodNames, parseMethod } from "../solve.js";
export type {
  BodyEntry,
  EquationsDocument,
  EquationsSettings,
  EventEntry,
  FileSettings,
  FunctionSource,
  Json,
  JsonObject,
  ModeEntry,
  ModelDocument,
  NamedFunction,
  OutputSettings,
  OutputValue,
  PlainEventEntry,
  SolveSettings,
  StartSettings,
  TableSource,
  TypedEntry,
  Units,
  ViewSettings,
} from "./document/document.js";
export type { EquationsFile } from "./equations/equations-file.js";
export {
  elasticLaw,
  FunctionSet,
  loadLaw,
  roadProfile,
  timeFunction,
} from "./functions/functions.js";
export {
  type BodyStateFunction,
  type Dimension,
  parseStateFormula,
  quantityNames,
  type StateFormula,
} from "./functions/quantities.js";
export { timeUnit, unitOf } from "./functions/units.js";
export {
  type ModelFile,
  readDocument,
  readModel,
  writeDocument,
  writeModel,
} from "./model-file.js";
export type { OutputColumn, OutputPlot } from "./models/settings.js";
export { readSystem } from "./system-file.js";
export { defaultReadLimits, type ReadLimits } from "./text/json-source.js";
export { ModelFileError, type Problem, problemText } from "./text/problems.js";
