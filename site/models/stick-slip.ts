import type { ModelDocument } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** Mass and spring stiffness of the block, static and sliding friction, and speed of the board (SI units). */
export const STICK_SLIP = { mass: 1, stiffness: 50, static: 4, coulomb: 2.5, speed: 0.1 } as const;

/**
 * Returns the time between two slips. The block sticks until the spring force reaches the static friction S. Then it
 * oscillates about C / k, with the sliding friction C and w^2 = k / m, until it has the speed v of the board again. By
 * symmetry it sticks again at (2 C - S) / k:
 *
 *   2 (S - C) / k v + 2 (pi - atan((S - C) w / k v)) / w.
 */
export function slipPeriod(): number {
  const { mass, stiffness: k, static: S, coulomb: C, speed: v } = STICK_SLIP;
  const w = Math.sqrt(k / mass);
  return (2 * (S - C)) / (k * v) + (2 * (Math.PI - Math.atan(((S - C) * w) / (k * v)))) / w;
}

/** A block on a spring, on a board that is pulled away beneath it: the mechanism of violin bows and squealing brakes. */
export function stickSlip(): ModelDocument {
  const { mass, stiffness, speed, coulomb, static: sticking } = STICK_SLIP;
  return {
    nodrift: 1,
    name: "stick and slip",
    description:
      "A board is pulled away beneath a block on a spring: the block sticks, slips back, and sticks again",
    units: "SI",
    gravity: GRAVITY,
    bodies: [
      {
        name: "board",
        mass: 2,
        shape: { type: "box", x: 1.6, y: 0.2, z: 0.02 },
        position: [-0.3, 0, -0.06],
      },
      {
        name: "block",
        mass,
        shape: { type: "box", x: 0.12, y: 0.1, z: 0.1 },
        position: [0, 0, 0],
      },
    ],
    joints: [
      {
        type: "prismatic",
        name: "track",
        between: ["ground", "board"],
        at: [0, 0, -0.06],
        axis: [1, 0, 0],
      },
      {
        type: "prismatic",
        name: "contact",
        between: ["board", "block"],
        at: [0, 0, -0.05],
        axis: [1, 0, 0],
      },
      { type: "driveDisplacement", name: "pull", joint: "track", displacement: `${speed}*t` },
    ],
    forces: [
      {
        type: "spring",
        name: "spring",
        between: ["ground", "block"],
        atA: [-0.5, 0, 0],
        stiffness,
        length: 0.5,
      },
      {
        type: "friction",
        name: "rubbing",
        joint: "contact",
        coulomb,
        static: sticking,
        transitionSpeed: 1e-4,
      },
    ],
    start: { joints: { contact: { displacement: 0, displacementRate: 0 } } },
    solve: { span: [0, 6], tolerance: 1e-6 },
    output: {
      at: { rate: 100 },
      values: [
        { name: "block", value: "x('block')", unit: "m" },
        { name: "friction", value: "fx('rubbing')", unit: "N" },
        { name: "speed over the board", value: "displacementRate('contact')", unit: "m/s" },
      ],
    },
    view: {
      from: "front",
      draw: [
        {
          body: "ground",
          lines: [
            [
              [-0.5, 0, -0.1],
              [-0.5, 0, 0.1],
            ],
          ],
        },
      ],
    },
  };
}
