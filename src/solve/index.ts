export { adaptiveIntegrators, dp5 } from "../integrators/adaptive/index.js";
export type { BodyColumns, Columns, JointColumns } from "./columns.js";
export type { Direction, EventOptions, EventRecord, Happening } from "./event-options.js";
export type { Status } from "./failure.js";
export type {
  Output,
  Progress,
  SolveOptions,
  Source,
  StateOf,
  ToleranceOptions,
} from "./options.js";
export type { RunSnapshot } from "./snapshot.js";
export type { Reading, Solution } from "./solution.js";
export { Run, solve, solveAsync, start } from "./solve.js";
export type { Statistics } from "./statistics.js";
export type { CsvOptions, SolutionJson } from "./writers.js";
