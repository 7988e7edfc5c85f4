import type { BodyEntry, ModelDocument, TypedEntry } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** Joint radii on the ground and on the platform, platform height (m), and half the angle between two legs (rad). */
const [BASE, TOP, HEIGHT, SPREAD] = [1, 0.6, 1.2, 0.2] as const;
/** Length of the cylinder half of a leg. */
const CYLINDER = 0.7;

/** Prescribed oscillations of the platform: vertical, and about the vertical. */
export const HEAVE = { size: 0.15, rate: 3 } as const;
export const TWIST = { size: 0.3, rate: 2 } as const;

type Vector = readonly [number, number, number];

const platformLegs = [0, 1, 2, 3, 4, 5].map((i) => {
  const third = (2 * Math.PI * Math.floor(i / 2)) / 3;
  const side = i % 2 === 0 ? 1 : -1;
  // Two adjacent legs start close together on the ground and end at a distance on the platform.
  const ground = third + side * SPREAD;
  const platform = third + side * (Math.PI / 3 - SPREAD);
  return {
    name: `${i + 1}`,
    foot: [BASE * Math.cos(ground), BASE * Math.sin(ground), 0] as Vector,
    head: [TOP * Math.cos(platform), TOP * Math.sin(platform), HEIGHT] as Vector,
    turn: platform - ground,
  };
});

/**
 * Returns the length of a leg from radius R on the ground to radius r on the platform, which is at height z and rotated
 * by phi: sqrt(R^2 + r^2 - 2 R r cos(turn + phi) + z^2).
 */
function lengthFormula(turn: number): string {
  const [flat, product] = [BASE ** 2 + TOP ** 2, 2 * BASE * TOP];
  const phi = `${TWIST.size}*sin(${TWIST.rate}*t)`;
  const z = `(${HEIGHT} + ${HEAVE.size}*sin(${HEAVE.rate}*t))`;
  return `sqrt(${flat} - ${product}*cos(${turn} + ${phi}) + ${z}^2)`;
}

export function stewartPlatform(): ModelDocument {
  const bodies: BodyEntry[] = [
    {
      name: "platform",
      mass: 20,
      shape: { type: "cylinder", radius: TOP, length: 0.06, axis: [0, 0, 1] },
      position: [0, 0, HEIGHT],
    },
  ];
  const joints: TypedEntry[] = [];
  for (const { name, foot, head, turn } of platformLegs) {
    const along = head.map((x, i) => x - foot[i]!);
    const length = Math.hypot(...along);
    const axis = along.map((x) => x / length);
    const tilt = Math.hypot(axis[0]!, axis[1]!);
    const point = (distance: number) => foot.map((x, i) => x + distance * axis[i]!);
    // Rotation from the vertical to the direction of the leg.
    const orientation = {
      axis: [-axis[1]! / tilt, axis[0]! / tilt, 0],
      angle: Math.atan2(tilt, axis[2]!),
    };
    const part = (what: string, from: number, radius: number): BodyEntry => ({
      name: `${what} ${name}`,
      mass: 1.5,
      shape: { type: "cylinder", radius, length: CYLINDER, axis: [0, 0, 1] },
      position: point(from + CYLINDER / 2),
      orientation,
    });
    const [cylinder, piston] = [`cylinder ${name}`, `piston ${name}`];
    bodies.push(part("cylinder", 0, 0.05), part("piston", length - CYLINDER, 0.03));
    const across = [-axis[1]! / tilt, axis[0]! / tilt, 0] as const;
    const third = [
      axis[1]! * across[2] - axis[2]! * across[1]!,
      axis[2]! * across[0]! - axis[0]! * across[2],
      axis[0]! * across[1]! - axis[1]! * across[0]!,
    ];
    joints.push(
      {
        type: "universal",
        name: `foot ${name}`,
        between: ["ground", cylinder],
        at: foot,
        axisA: across,
        axisB: third,
      },
      { type: "prismatic", name: `slide ${name}`, between: [cylinder, piston], at: head, axis },
      { type: "spherical", name: `head ${name}`, between: [piston, "platform"], at: head },
      {
        type: "driveDisplacement",
        name: `actuator ${name}`,
        joint: `slide ${name}`,
        displacement: `${lengthFormula(turn)} - ${length}`,
      },
    );
  }
  return {
    nodrift: 1,
    name: "Stewart platform",
    description:
      "Six legs of changing length hold a platform in all six directions: a flight simulator",
    units: "SI",
    gravity: GRAVITY,
    bodies,
    joints,
    solve: { span: [0, 4], tolerance: 1e-7 },
    output: {
      at: { rate: 60 },
      values: [
        { name: "height", value: "z('platform')", unit: "m" },
        ...platformLegs.map(({ name }) => ({
          name: `force in platformLeg ${name}`,
          value: `driveForce('actuator ${name}')`,
          unit: "N",
        })),
      ],
    },
    view: { from: "isometric" },
  };
}

/** Returns the expected height of the platform and its rotation about the vertical. */
export function platformPose(t: number): { readonly height: number; readonly turn: number } {
  return {
    height: HEIGHT + HEAVE.size * Math.sin(HEAVE.rate * t),
    turn: TWIST.size * Math.sin(TWIST.rate * t),
  };
}
