export type { VectorLike } from "./base/checking/values.js";
export { initBodies } from "./base/wasm/bodies.js";
export type { BodyOptions } from "./model/body.js";
export type { ModelCall } from "./model/calls.js";
export type * from "./model/forces/index.js";
export { forces } from "./model/forces/index.js";
export type {
  Body,
  Controller,
  Force,
  Handle,
  Joint,
  Marker,
  MarkerOptions,
  States,
} from "./model/handles.js";
export type { Inertia, Tensor } from "./model/inertia.js";
export type * from "./model/joints/index.js";
export { joints } from "./model/joints/index.js";
export {
  type ForceMethods,
  type JointMethods,
  type Model,
  type ModelOptions,
  model,
} from "./model/mechanism.js";
export type * from "./model/model-data.js";
export type { MatrixLike, Orientation } from "./model/orientation.js";
export type { Parameter, Parametric } from "./model/parameter-types.js";
export type { QuantityReader } from "./model/quantity-reader.js";
export type { BodyOrMarker, EndPair } from "./model/recipe-checker.js";
export type {
  BodySettings,
  MarkerSettings,
  ModelSettings,
  NamedNumber,
  ParameterSettings,
  SetNumbers,
  SettableOptions,
  SettableValue,
} from "./model/settings.js";
export { box, cylinder, rod, Shape, sphere } from "./model/shapes.js";
export type { ControllerOptions, SampleFunction } from "./model/states/controller.js";
export type { RatesFunction, StatesOptions } from "./model/states/states.js";
export { type CompileOptions, compile } from "./run/bodies/compile.js";
export type { CompiledModel } from "./run/bodies/compiled-model.js";
export {
  type CentreOfMass,
  type CentroidalMomentum,
  type JointSpace,
  jointSpace,
  type NamedMatrix,
} from "./run/bodies/coordinates/joint-space.js";
export type { JointValue, JointValues } from "./run/bodies/coordinates/joint-values.js";
export type { JointCoordinateValues } from "./run/bodies/coordinates/tree-probe.js";
export type { ModelReport, TreeNode, TreeReport } from "./run/bodies/coordinates/tree-report.js";
export {
  type Equilibrium,
  type EquilibriumOptions,
  equilibrium,
} from "./run/bodies/equilibrium/equilibrium.js";
export type { GrabOptions, Grip, PushOptions } from "./run/bodies/external-loads/external-loads.js";
export {
  type Linearisation,
  type LineariseOptions,
  linearise,
} from "./run/bodies/linearise/linearise.js";
export type { ForceReading, ForceReadingOf } from "./run/bodies/reactions/force-reading.js";
export type {
  JointReading,
  JointReadingOf,
} from "./run/bodies/reactions/joint-reading.js";
export type { MotorReading } from "./run/bodies/reactions/motor-reading.js";
export type { ReactionOptions } from "./run/bodies/reactions/reaction-options.js";
export type {
  BodyAxesVectors,
  BodyQuantity,
  BodyReading,
  NumberArray,
} from "./run/bodies/reading/body-reading.js";
export { BodyState } from "./run/bodies/reading/readout.js";
export type { NamedBody, NamedState } from "./run/bodies/simulation/named-state.js";
export type {
  Command,
  RecordedRun,
  Recording,
  RecordOptions,
} from "./run/bodies/simulation/recording.js";
export type { BodySimulation } from "./run/bodies/simulation/simulation.js";
export {
  type BodySimulationOptions,
  defaultMethod,
} from "./run/bodies/simulation/simulation.js";
export type {
  AssemblyReport,
  BodyCorrection,
  StartOptions,
} from "./systems/bodies/initial-state/initial-state.js";
export type { ConstraintReport } from "./systems/bodies/redundancy/constraint-report.js";
export type { Redundancy } from "./systems/bodies/redundancy/redundancy.js";
export type { TreePins } from "./systems/relative/plan/choose-tree.js";
