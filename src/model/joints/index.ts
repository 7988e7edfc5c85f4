// Joints and drives by the name of the method that adds them. A new one needs a file and two lines here: its options,
// exported by `nodrift/bodies`, and its type with the comment shown by editors and docs/joints.md.

import { constraint } from "./constraint.js";
import { cylindrical } from "./cylindrical.js";
import { distance } from "./distance.js";
import { driveAngle, driveDisplacement, driveLength } from "./drives.js";
import { fixed } from "./fixed.js";
import { gear } from "./gear.js";
import type { AnyJointType } from "./joint-builder.js";
import { knifeEdge } from "./knife-edge.js";
import { parallel } from "./parallel.js";
import { perpendicular } from "./perpendicular.js";
import { planar } from "./planar.js";
import { pointOnLine } from "./point-on-line.js";
import { pointOnPlane } from "./point-on-plane.js";
import { prismatic } from "./prismatic.js";
import { rackAndPinion } from "./rack-and-pinion.js";
import { revolute } from "./revolute.js";
import { rollingDisk } from "./rolling-disk.js";
import { rollingSphere } from "./rolling-sphere.js";
import { screw } from "./screw.js";
import { spherical } from "./spherical.js";
import { universal } from "./universal.js";

export type { ConstraintOptions } from "./constraint.js";
export type { CylindricalOptions } from "./cylindrical.js";
export type { DistanceOptions } from "./distance.js";
export type {
  DriveAngleOptions,
  DriveDisplacementOptions,
  DriveLengthOptions,
} from "./drives.js";
export type { FixedOptions } from "./fixed.js";
export type { GearOptions } from "./gear.js";
export type { Compliance, DriveOption, FramedJointOptions, JointOptions } from "./joint-builder.js";
export type { KnifeEdgeOptions } from "./knife-edge.js";
export type { ParallelOptions } from "./parallel.js";
export type { PerpendicularOptions } from "./perpendicular.js";
export type { PlanarOptions } from "./planar.js";
export type { PointOnLineOptions } from "./point-on-line.js";
export type { PointOnPlaneOptions } from "./point-on-plane.js";
export type { PrismaticOptions } from "./prismatic.js";
export type { RackAndPinionOptions } from "./rack-and-pinion.js";
export type { RevoluteOptions } from "./revolute.js";
export type { Plane } from "./rolling-contact.js";
export type { RollingDiskOptions } from "./rolling-disk.js";
export type { RollingSphereOptions } from "./rolling-sphere.js";
export type { ScrewOptions } from "./screw.js";
export type { SphericalOptions } from "./spherical.js";
export type { UniversalOptions } from "./universal.js";

/** Types of joints and drives, by the name of the method of {@link Model} that adds them. */
export const joints = {
  /** A weld: no relative motion. */
  fixed,
  /** A hinge: rotates about one axis. */
  revolute,
  /** A slide: moves along one axis. */
  prismatic,
  /** A shaft in a long bush: rotates about an axis and slides along it. */
  cylindrical,
  /** A ball and socket: the points stay together. */
  spherical,
  /** A Cardan joint: rotates about the two arms of a cross. */
  universal,
  /** A plate on a table: slides in a plane and rotates about its normal. */
  planar,
  /** A drafting arm: an axis stays parallel, everything else is free. */
  parallel,
  /** A cross whose arms need not meet: two axes stay perpendicular. */
  perpendicular,
  /** A nut on a thread: advances by `pitch` per revolution. */
  screw,
  /** A massless rigid link between two points. */
  distance,
  /** A pin in a straight slot: a point of the second body on a line of the first. */
  pointOnLine,
  /** A point of the second body in a plane of the first. */
  pointOnPlane,
  /** Couples the angles of two joints by `ratio`. */
  gear,
  /** Couples the angle of one joint with the displacement of another by `radius`. */
  rackAndPinion,
  /** Prescribes the angle of a joint. */
  driveAngle,
  /** Prescribes the displacement of a joint. */
  driveDisplacement,
  /** Prescribes the distance of two points. */
  driveLength,
  /** A thin disk that rolls on a plane without slipping. */
  rollingDisk,
  /** A ball that rolls on a plane without slipping. */
  rollingSphere,
  /** A blade on ice: no velocity across it. */
  knifeEdge,
  /** Rows by user formulas, or by a user function of positions. */
  constraint,
} satisfies Record<string, AnyJointType>;
