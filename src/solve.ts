// Adaptive integration: `nodrift/solve`.

export { initStiff } from "./base/memory/stiff-memory.js";
export type { StopSignal } from "./base/run-limits.js";
export * from "./methods/direct/index.js";
export { firstOrder } from "./methods/formulations/first-order.js";
export * from "./methods/integrators/adaptive.js";
export type { EmbeddedTableau } from "./methods/integrators/embedded/embedded-rk.js";
export { embeddedRk } from "./methods/integrators/embedded/embedded-rk.js";
export type { SdirkTableau } from "./methods/integrators/sdirk/sdirk-tableaus.js";
export type { MethodChoice } from "./methods/names/method-rule.js";
export { estimatesError, methodNames, parseMethod } from "./methods/names/parse-method.js";
export { type StateSpaceOptions, stateSpace } from "./methods/state-space/state-space.js";
export type { Matrix4 } from "./run/realtime/body-matrix.js";
export {
  type LiveOptions,
  type Realtime,
  type RealtimeOptions,
  realtime,
} from "./run/realtime/realtime.js";
export type { RunSnapshot } from "./run/solve/loop/run-snapshot.js";
export type { RunStatus } from "./run/solve/mode-solver/failure.js";
export type { Statistics } from "./run/solve/mode-solver/statistics.js";
export type {
  AbsoluteTolerances,
  EventContext,
  EventDirection,
  EventOptions,
  EventRecord,
  KindTolerances,
  OutputOption,
  Progress,
  SolveOptions,
  Source,
  StateOf,
  ToleranceOptions,
} from "./run/solve/setup/options.js";
export type { Solution, StateFunction } from "./run/solve/solution/solution.js";
export type {
  BodyColumns,
  Columns,
  ForceColumns,
  ForceColumnsOf,
  JointColumns,
  JointColumnsOf,
} from "./run/solve/solution/solution-columns.js";
export type { CsvOptions, SolutionJson } from "./run/solve/solution/solution-writers.js";
export { type Run, solve, solveAsync, start } from "./run/solve/solve.js";
export type { EquationState } from "./systems/equations/state.js";
export type { OdeState } from "./systems/ode/ode.js";
export { ode, type PlainOde } from "./systems/ode/ode.js";
export type { OdeDescription } from "./systems/ode/ode-functions.js";
