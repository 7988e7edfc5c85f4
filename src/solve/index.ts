// Integration to a tolerance: `nodrift/solve`.

export type { EquationState } from "../equations/state.js";
export { embeddedRk } from "../integrators/adaptive/embedded-rk.js";
export {
  type AdamsOptions,
  adams,
  adaptiveIntegrators,
  bs3,
  dop853,
  dp5,
  radau5,
  rodas,
  type Sdirk4Options,
  sdirk,
  sdirk4,
} from "../integrators/adaptive/index.js";
export type { EmbeddedTableau } from "../integrators/adaptive/tableau.js";
export { bogackiShampineTableau } from "../integrators/adaptive/tableaus/bogacki-shampine.js";
export { dop853Tableau } from "../integrators/adaptive/tableaus/dop853.js";
export { dormandPrinceTableau } from "../integrators/adaptive/tableaus/dormand-prince.js";
export type { SdirkTableau } from "../integrators/implicit/tableau.js";
export { sdirk14Tableau } from "../integrators/implicit/tableaus/sdirk-1-4.js";
export { sdirk415Tableau } from "../integrators/implicit/tableaus/sdirk-4-15.js";
export type { MethodChoice } from "../methods/index.js";
export type { OdeDescription } from "../ode/description.js";
export { firstOrder } from "../ode/first-order.js";
export { ode, type PlainOde } from "../ode/ode.js";
export type { OdeState } from "../ode/state.js";
export { type StateSpaceOptions, stateSpace } from "../state-space/state-space.js";
export { initStiff } from "../wasm/stiff.js";
export type { StopSignal } from "../watch.js";
export type { Matrix4 } from "./body-matrix.js";
export type { BodyColumns, Columns, JointColumns } from "./columns.js";
export type { Direction, EventOptions, EventRecord, Happening } from "./event-options.js";
export type { Status } from "./failure.js";
export { estimatesError, methodNames, parseMethod } from "./methods.js";
export type {
  AbsoluteTolerances,
  KindTolerances,
  Output,
  Progress,
  SolveOptions,
  ToleranceOptions,
} from "./options.js";
export { type Realtime, realtime } from "./realtime.js";
export type { RealtimeOptions } from "./realtime-options.js";
export type { RunSnapshot } from "./snapshot.js";
export type { Reading, Solution } from "./solution.js";
export { type Run, solve, solveAsync, start } from "./solve.js";
export type { Source, StateOf } from "./source.js";
export type { Statistics } from "./statistics.js";
export type { CsvOptions, SolutionJson } from "./writers.js";
