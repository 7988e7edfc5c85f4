export type * from "./describe/forces/index.js";
export { forces } from "./describe/forces/index.js";
export type * from "./describe/joints/index.js";
export { joints } from "./describe/joints/index.js";
export {
  type ForceMethods,
  type JointMethods,
  type Model,
  type ModelOptions,
  model,
} from "./describe/mechanism.js";
export type { BodyOptions } from "./describe/model/body.js";
export type { ModelCall } from "./describe/model/calls.js";
export type {
  Body,
  Controller,
  Force,
  Handle,
  Joint,
  Marker,
  MarkerOptions,
  States,
} from "./describe/model/handles.js";
export type { Inertia, Tensor } from "./describe/model/inertia.js";
export type * from "./describe/model/model-data.js";
export type { VectorLike } from "./describe/model/option-checks.js";
export type { MatrixLike, Orientation } from "./describe/model/orientation.js";
export type { Parameter, Parametric } from "./describe/model/parameter-types.js";
export type { QuantityReader } from "./describe/model/quantity-reader.js";
export type { BodyOrMarker, EndPair } from "./describe/model/recipe-checker.js";
export { box, cylinder, rod, Shape, sphere } from "./describe/model/shapes.js";
export type {
  BodySettings,
  MarkerSettings,
  ModelSettings,
  NamedNumber,
  ParameterSettings,
  SetNumbers,
  SettableOptions,
  SettableValue,
} from "./describe/settings.js";
export type { ControllerOptions, SampleFunction } from "./describe/states/controller.js";
export type { RatesFunction, StatesOptions } from "./describe/states/states.js";
export { initBodies } from "./ground/wasm/bodies.js";
export { type CompileOptions, compile } from "./run/bodies/compile.js";
export type { CompiledModel } from "./run/bodies/compiled-model.js";
export type {
  CentreOfMass,
  CentroidalMomentum,
  JointCoordinateValues,
  JointSpace,
  NamedMatrix,
} from "./run/bodies/coordinates/joint-space.js";
export type { JointValue, JointValues } from "./run/bodies/coordinates/joint-values.js";
export type { ModelReport } from "./run/bodies/coordinates/model-report.js";
export type { TreeNode, TreeReport } from "./run/bodies/coordinates/tree-report.js";
export type { Equilibrium, EquilibriumOptions } from "./run/bodies/equilibrium/equilibrium.js";
export type { GrabOptions, Grip, PushOptions } from "./run/bodies/hands/grip.js";
export type { Linearisation, LineariseOptions } from "./run/bodies/linearise/linearise.js";
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
} from "./run/bodies/simulation/simulation-options.js";
export { BodyState } from "./run/bodies/simulation/state.js";
export type { ConstraintReport } from "./systems/bodies/redundancy/constraint-report.js";
export type { Redundancy } from "./systems/bodies/redundancy/redundancy.js";
export type { AssemblyReport, BodyCorrection } from "./systems/bodies/start/start.js";
export type { StartOptions } from "./systems/bodies/start/start-options.js";
export type { TreePins } from "./systems/relative/plan/tree-options.js";
