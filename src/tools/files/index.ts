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
export { estimatesError, type MethodChoice, methodNames, parseMethod } from "./build/methods.js";
export type { OutputColumn, OutputPlot } from "./build/settings.js";
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
} from "./document/document.js";
export {
  elasticLaw,
  Functions,
  loadLaw,
  roadProfile,
  timeFunction,
} from "./functions/functions.js";
export {
  type Dimension,
  quantityNames,
  type Readable,
  type StateReading,
  stateReading,
} from "./functions/quantities.js";
export { timeUnit, unitOf } from "./functions/units.js";
export { documentOf, type ModelFile, modelOf, readModel, writeModel } from "./model-file.js";
export { ModelFileError, type Problem, problemText } from "./text/problems.js";
export { defaultLimits, type Limits } from "./text/source.js";
