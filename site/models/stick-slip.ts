import type { ModelDocument } from "nodrift/files";
import { GRAVITY } from "./parts.js";

/** A block of a mass on a spring, friction at rest and in motion, and the speed of the board below. */
export const RUBBING = { mass: 1, stiffness: 50, static: 4, coulomb: 2.5, speed: 0.1 } as const;

/**
 * The time from one slip to the next. It sticks till the spring pulls with the friction at rest, S; from there it swings about C / k,
 * C that of motion, with w^2 = k / m, till it has the speed v of the board again. By symmetry it sticks anew at (2 C - S) / k:
 *
 *   2 (S - C) / k v + 2 (pi - atan((S - C) w / k v)) / w.
 */
export function slipPeriod(): number {
  const { mass, stiffness: k, static: S, coulomb: C, speed: v } = RUBBING;
  const w = Math.sqrt(k / mass);
  return (2 * (S - C)) / (k * v) + (2 * (Math.PI - Math.atan(((S - C) * w) / (k * v)))) / w;
}

/** A block on a board that is drawn away beneath it, held by a spring: bows and brakes sound so. */
export function stickSlip(): ModelDocument {
  const { mass, stiffness, speed, coulomb, static: sticking } = RUBBING;
  return {
    nodrift: 1,
    name: "stick and slip",
    description:
      "A board is drawn away beneath a block that a spring holds: it sticks, slips back, and sticks again",
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
        speed: 1e-4,
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
