export type { BushingOptions, SixComponents } from "../forces/bushing.js";
export type { DragOptions } from "../forces/drag.js";
export type { ElasticLaw } from "../forces/elastic.js";
export { forces } from "../forces/index.js";
export type { LoadFrame } from "../forces/load.js";
export type { PointForceOptions } from "../forces/point-force.js";
export type { RoadHeight, RoadSlope } from "../forces/road.js";
export type { SpringOptions } from "../forces/spring.js";
export type { TorqueOptions } from "../forces/torque.js";
export type { TorsionSpringOptions } from "../forces/torsion-spring.js";
export type { TyreOptions } from "../forces/tyre.js";
export type { UserForceOptions } from "../forces/user-force.js";
export type { Compliance, DriveOption } from "../joints/builder.js";
export type { ConstraintOptions } from "../joints/constraint.js";
export type { CylindricalOptions } from "../joints/cylindrical.js";
export type { DistanceOptions } from "../joints/distance.js";
export type {
  DriveAngleOptions,
  DriveDisplacementOptions,
  DriveLengthOptions,
} from "../joints/drives.js";
export type { FixedOptions } from "../joints/fixed.js";
export type { GearOptions } from "../joints/gear.js";
export { joints } from "../joints/index.js";
export type { KnifeEdgeOptions } from "../joints/knife-edge.js";
export type { PlanarOptions } from "../joints/planar.js";
export type { PointOnLineOptions } from "../joints/point-on-line.js";
export type { PointOnPlaneOptions } from "../joints/point-on-plane.js";
export type { PrismaticOptions } from "../joints/prismatic.js";
export type { RackAndPinionOptions } from "../joints/rack-and-pinion.js";
export type { RevoluteOptions } from "../joints/revolute.js";
export type { RollingDiskOptions } from "../joints/rolling-disk.js";
export type { RollingSphereOptions } from "../joints/rolling-sphere.js";
export type { ScrewOptions } from "../joints/screw.js";
export type { SphericalOptions } from "../joints/spherical.js";
export type { UniversalOptions } from "../joints/universal.js";
export type { Plane } from "../joints/wheel.js";
export type { BodyOptions } from "../model/body.js";
export type { End } from "../model/builder.js";
export type { Call } from "../model/calls.js";
export type { VectorLike } from "../model/checks.js";
export type * from "../model/description.js";
export type { Body, Force, Handle, Joint, Marker, MarkerOptions } from "../model/handles.js";
export type { Inertia, Tensor } from "../model/inertia.js";
export type { MatrixLike, Orientation } from "../model/orientation.js";
export { box, cylinder, rod, Shape, sphere } from "../model/shapes.js";
export { initBodies } from "../wasm/bodies.js";
export { type CompiledModel, type CompileOptions, compile } from "./compile.js";
export type { Equilibrium, EquilibriumOptions } from "./equilibrium.js";
export type { Linearisation, LineariseOptions } from "./linearise.js";
export {
  type ForceMethods,
  type JointMethods,
  type Model,
  type ModelOptions,
  model,
} from "./model.js";
export type { JointReading, ReactionOptions } from "./reactions-joint.js";
export type { BodyReading, OwnAxes } from "./readout-body.js";
export type { Redundancy } from "./redundancy.js";
export type { Report } from "./redundancy-report.js";
export { type BodySimulation, type BodySimulationOptions, defaultMethod } from "./simulation.js";
export type { Assembly, BodyStart } from "./start.js";
export type { StartOptions } from "./start-options.js";
export { BodyState } from "./state.js";
