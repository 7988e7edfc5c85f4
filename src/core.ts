export { type ErrorCode, NodriftError } from "./base/errors.js";

export { type DenseMemory, denseMemory, initDense } from "./base/wasm/dense.js";
export { init, initSync, type WasmSource } from "./base/wasm/module.js";
export type * from "./interfaces/index.js";
export * from "./methods/coupled/index.js";
export * from "./methods/formulations/index.js";
export * from "./methods/integrators/index.js";
export type { MethodOption } from "./methods/names/method-rule.js";
export * from "./methods/stabilisations/index.js";
export type { SimulationOptions } from "./run/stepping/options.js";
export { simulate } from "./run/stepping/simulate.js";
export type { Simulation } from "./run/stepping/simulation.js";
export type { Snapshot } from "./run/stepping/snapshot.js";
export type { StateCorrection, StateOptions } from "./run/stepping/state-options.js";
export type { DividedSteps } from "./run/stepping/stepped-system.js";
export type {
  EquationsDescription,
  NonIdealConstraints,
  RowCondition,
  RowConditions,
} from "./systems/equations/description.js";
export { type Equations, equations } from "./systems/equations/equations.js";
