// What a page shows of each joint: the one place of the report that knows their names. A joint of the registry that
// has no line here does not compile.

import type { joints } from "../../describe/joints/index.js";
import type { JointData } from "../../describe/model/model-data.js";
import type { JointSymbol } from "./scene-data.js";

export interface JointLook {
  /** Drawn where the bodies meet. */
  readonly symbol?: JointSymbol;
  /** Drawn from one point to the other. */
  readonly line?: "bar" | "actuator";
  /** Which sides have a point of their body there, to which its link is drawn; others have a line or a plane. */
  readonly attaches: "both" | "second" | "neither";
  /** Slides along the axis of one side, on a rail. */
  readonly slides?: true;
  /** Stays at one point of the ground, and stands on a base there. */
  readonly stands?: true;
  /** Its axis may be the axle of a wheel. */
  readonly isAxle?: true;
  /** In a planar mechanism its axis is the normal of the plane; or it is in no planar mechanism. */
  readonly plane?: "normal" | "leaves";
  /** What rolls on the plane of the first marker. */
  readonly rolls?: "disk" | "ball";
  /** Pitch circles are drawn: of two gears, or of the pinion alone. */
  readonly meshes?: "gears" | "pinion";
}

const LOOKS: Readonly<Record<keyof typeof joints, JointLook>> = {
  fixed: { symbol: "weld", attaches: "both", stands: true },
  revolute: { symbol: "pin", attaches: "both", stands: true, isAxle: true, plane: "normal" },
  prismatic: { symbol: "block", attaches: "both", slides: true },
  cylindrical: { symbol: "sleeve", attaches: "both", slides: true, isAxle: true },
  spherical: { symbol: "ball", attaches: "both", stands: true, plane: "leaves" },
  universal: { symbol: "cross", attaches: "both", stands: true, plane: "leaves" },
  planar: { symbol: "plate", attaches: "second", plane: "normal" },
  parallel: { symbol: "rods", attaches: "neither" },
  perpendicular: { symbol: "cross", attaches: "neither", plane: "leaves" },
  screw: { symbol: "thread", attaches: "both", slides: true },
  distance: { line: "bar", attaches: "both", stands: true },
  pointOnLine: { symbol: "pin", attaches: "both", slides: true },
  pointOnPlane: { symbol: "foot", attaches: "second" },
  gear: { attaches: "neither", meshes: "gears" },
  rackAndPinion: { attaches: "neither", meshes: "pinion" },
  // Their markers are those of the joints they drive.
  driveAngle: { attaches: "both" },
  driveDisplacement: { attaches: "both" },
  driveLength: { line: "actuator", attaches: "both", stands: true },
  rollingDisk: { attaches: "neither", plane: "leaves", rolls: "disk" },
  rollingSphere: { attaches: "neither", plane: "leaves", rolls: "ball" },
  knifeEdge: { symbol: "blade", attaches: "neither" },
  constraint: { attaches: "neither" },
};

export function lookOf({ type }: JointData): JointLook {
  return LOOKS[type as keyof typeof joints];
}
