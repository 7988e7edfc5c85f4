// Joints and drives by the name of the method that makes them. A new one is a file and a line here.

import type { JointRecipe } from "./builder.js";
import { constraint } from "./constraint.js";
import { cylindrical } from "./cylindrical.js";
import { distance } from "./distance.js";
import { driveAngle, driveDisplacement, driveLength } from "./drives.js";
import { fixed } from "./fixed.js";
import { gear } from "./gear.js";
import { knifeEdge } from "./knife-edge.js";
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

export const joints = {
  fixed,
  revolute,
  prismatic,
  cylindrical,
  spherical,
  universal,
  planar,
  screw,
  distance,
  pointOnLine,
  pointOnPlane,
  gear,
  rackAndPinion,
  driveAngle,
  driveDisplacement,
  driveLength,
  rollingDisk,
  rollingSphere,
  knifeEdge,
  constraint,
} satisfies Record<string, JointRecipe<never>>;
