export type { BushingOptions, SixComponents } from "./describe/forces/bushing.js";
export type { DragOptions } from "./describe/forces/drag.js";
export type { ElasticLaw } from "./describe/forces/elastic.js";
export { forces } from "./describe/forces/index.js";
export type { LoadFrame } from "./describe/forces/load.js";
export type { PointForceOptions } from "./describe/forces/point-force.js";
export type { RoadHeight, RoadSlope } from "./describe/forces/road.js";
export type { SpringOptions } from "./describe/forces/spring.js";
export type { TorqueOptions } from "./describe/forces/torque.js";
export type { TorsionSpringOptions } from "./describe/forces/torsion-spring.js";
export type { TyreOptions } from "./describe/forces/tyre.js";
export type { UserForceOptions } from "./describe/forces/user-force.js";
export type { Compliance, DriveOption } from "./describe/joints/builder.js";
export type { ConstraintOptions } from "./describe/joints/constraint.js";
export type { CylindricalOptions } from "./describe/joints/cylindrical.js";
export type { DistanceOptions } from "./describe/joints/distance.js";
export type {
  DriveAngleOptions,
  DriveDisplacementOptions,
  DriveLengthOptions,
} from "./describe/joints/drives.js";
export type { FixedOptions } from "./describe/joints/fixed.js";
export type { GearOptions } from "./describe/joints/gear.js";
export { joints } from "./describe/joints/index.js";
export type { KnifeEdgeOptions } from "./describe/joints/knife-edge.js";
export type { PlanarOptions } from "./describe/joints/planar.js";
export type { PointOnLineOptions } from "./describe/joints/point-on-line.js";
export type { PointOnPlaneOptions } from "./describe/joints/point-on-plane.js";
export type { PrismaticOptions } from "./describe/joints/prismatic.js";
export type { RackAndPinionOptions } from "./describe/joints/rack-and-pinion.js";
export type { RevoluteOptions } from "./describe/joints/revolute.js";
export type { RollingDiskOptions } from "./describe/joints/rolling-disk.js";
export type { RollingSphereOptions } from "./describe/joints/rolling-sphere.js";
export type { ScrewOptions } from "./describe/joints/screw.js";
export type { SphericalOptions } from "./describe/joints/spherical.js";
export type { UniversalOptions } from "./describe/joints/universal.js";
export type { Plane } from "./describe/joints/wheel.js";
export {
  type ForceMethods,
  type JointMethods,
  type Model,
  type ModelOptions,
  model,
} from "./describe/mechanism.js";
export type { BodyOptions } from "./describe/model/body.js";
export type { Call } from "./describe/model/calls.js";
export type { End } from "./describe/model/checker.js";
export type { VectorLike } from "./describe/model/checks.js";
export type * from "./describe/model/description.js";
export type {
  Body,
  Force,
  Handle,
  Joint,
  Marker,
  MarkerOptions,
} from "./describe/model/handles.js";
export type { Inertia, Tensor } from "./describe/model/inertia.js";
export type { MatrixLike, Orientation } from "./describe/model/orientation.js";
export { box, cylinder, rod, Shape, sphere } from "./describe/model/shapes.js";
export { initBodies } from "./ground/wasm/bodies.js";
export { type CompiledModel, type CompileOptions, compile } from "./run/bodies/compile.js";
export type { Equilibrium, EquilibriumOptions } from "./run/bodies/equilibrium/equilibrium.js";
export type { Linearisation, LineariseOptions } from "./run/bodies/linearise/linearise.js";
export type { JointReading, ReactionOptions } from "./run/bodies/reactions/reactions-joint.js";
export type { BodyReading, OwnAxes } from "./run/bodies/reading/readout-body.js";
export {
  type BodySimulation,
  type BodySimulationOptions,
  defaultMethod,
} from "./run/bodies/simulation/simulation.js";
export { BodyState } from "./run/bodies/simulation/state.js";
export type { Redundancy } from "./systems/bodies/redundancy/redundancy.js";
export type { Report } from "./systems/bodies/redundancy/redundancy-report.js";
export type { Assembly, BodyStart } from "./systems/bodies/start/start.js";
export type { StartOptions } from "./systems/bodies/start/start-options.js";
