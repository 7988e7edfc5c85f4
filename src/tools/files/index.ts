// Model files: `nodrift/files`.

export {
  type Formula,
  FormulaError,
  type FormulaOptions,
  FunctionLibrary,
  functionOf,
  parseFormula,
  Table,
  type TableOptions,
} from "../../describe/expressions/index.js";
export { initElementary } from "../../ground/wasm/elementary.js";
export type {
  BodyEntry,
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
  SolveSettings,
  TableSource,
  TypedEntry,
  Units,
  ViewSettings,
} from "./document.js";
export { elasticLaw, Functions, loadLaw, roadProfile, timeFunction } from "./functions.js";
export { estimatesError, type MethodChoice, methodNames, parseMethod } from "./methods.js";
export { documentOf, type ModelFile, modelOf, readModel, writeModel } from "./model-file.js";
export { ModelFileError, type Problem, problemText } from "./problems.js";
export {
  type Dimension,
  quantityNames,
  type Readable,
  type StateReading,
  stateReading,
} from "./quantities.js";
export type { OutputColumn, OutputPlot } from "./settings.js";
export { defaultLimits, type Limits } from "./source.js";
export { timeUnit, unitOf } from "./units.js";
