// Appearance of each joint type in a page: the only file of the report with joint names. A joint of the registry without
// a line here does not compile.

import type { JointSymbol } from "../draw/scene-data.js";
import type { joints } from "../model/joints/index.js";
import type { JointData } from "../model/model-data.js";

export interface JointAppearance {
  /** Symbol drawn at the joint. */
  readonly symbol?: JointSymbol;
  /** Line drawn from one marker to the other. */
  readonly line?: "bar" | "actuator";
  /** Sides whose links extend to their marker; on other sides the marker defines a line or a plane. */
  readonly attaches: "both" | "second" | "neither";
  /** Whether the joint slides along the axis of one side, on a rail. */
  readonly slides?: true;
  /** Whether a joint at the ground has a base there. */
  readonly stands?: true;
  /** Whether its axis may be the axle of a wheel. */
  readonly isAxle?: true;
  /** "normal": its axis is the normal of a planar mechanism; "leaves": mechanisms with it are not planar. */
  readonly plane?: "normal" | "leaves";
  /** Shape that rolls on the plane of the first marker. */
  readonly rolls?: "disk" | "ball";
  /** Pitch circles to draw: of two gears, or of the pinion only. */
  readonly meshes?: "gears" | "pinion";
}

const APPEARANCES: Readonly<Record<keyof typeof joints, JointAppearance>> = {
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
  // These share the markers of the joints they drive.
  driveAngle: { attaches: "both" },
  driveDisplacement: { attaches: "both" },
  driveLength: { line: "actuator", attaches: "both", stands: true },
  rollingDisk: { attaches: "neither", plane: "leaves", rolls: "disk" },
  rollingSphere: { attaches: "neither", plane: "leaves", rolls: "ball" },
  knifeEdge: { symbol: "blade", attaches: "neither" },
  constraint: { attaches: "neither" },
};

export function appearanceOf({ type }: JointData): JointAppearance {
  return APPEARANCES[type as keyof typeof joints];
}
