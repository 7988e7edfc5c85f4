import type { ModelDocument } from "nodrift/files";
import { GRAVITY, meet, type Point } from "./parts.js";

// One corner of a car, seen from the rear: x here is y of the car (left), z is up.
const LOWER_INNER: Point = [0.35, 0.25];
const LOWER_OUTER: Point = [0.75, 0.22];
const UPPER_INNER: Point = [0.42, 0.52];
const UPPER_OUTER: Point = [0.7, 0.5];
const WHEEL: Point = [0.82, 0.32];
const SPRING = { top: [0.5, 0.75] as Point, bottom: [0.6, 0.23] as Point };
const RADIUS = 0.32;
/** Speed of the car, and height and length of the sinusoidal bumps (SI units). */
export const ROAD = { speed: 8, height: 0.02, length: 4 } as const;
export const LOADS = { body: 300, lower: 6, upper: 4, upright: 25, gravity: 9.81 } as const;

const length = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Returns the outer joints for a rotation of the lower arm; the upper one by intersection of two circles. */
export function upperOuter(turn: number): { readonly lower: Point; readonly upper: Point } {
  const [dx, dz] = [LOWER_OUTER[0] - LOWER_INNER[0], LOWER_OUTER[1] - LOWER_INNER[1]];
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const lower: Point = [LOWER_INNER[0] + c * dx - s * dz, LOWER_INNER[1] + s * dx + c * dz];
  const [a, b] = [length(UPPER_INNER, UPPER_OUTER), length(LOWER_OUTER, UPPER_OUTER)];
  return { lower, upper: meet(UPPER_INNER, a, lower, b, 1) };
}

/** Returns the camber of the wheel: the rotation of the line between its two joints. */
export function camber(turn: number): number {
  const { lower, upper } = upperOuter(turn);
  const slope = (a: Point, b: Point) => Math.atan2(b[1] - a[1], b[0] - a[0]);
  return slope(lower, upper) - slope(LOWER_OUTER, UPPER_OUTER);
}

export function suspension(): ModelDocument {
  const X = [1, 0, 0] as const;
  const at = ([y, z]: Point, x = 0) => [x, y, z];
  const arm = (name: string, a: Point, b: Point, mass: number) => ({
    name,
    mass,
    inertia: [mass * 0.03, mass * 0.02, mass * 0.03],
    position: at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]),
  });
  const wishbone = (name: string, inner: Point, outer: Point) => {
    const centre: Point = [(inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2];
    const relative = (point: Point, x: number) => [x, point[0] - centre[0], point[1] - centre[1]];
    return {
      body: name,
      lines: [[relative(inner, -0.15), relative(outer, 0), relative(inner, 0.15)]],
    };
  };
  const wave = `${ROAD.height}*(1 - cos(${(2 * Math.PI * ROAD.speed) / ROAD.length}*t))/2`;
  return {
    nodrift: 1,
    name: "double wishbone",
    description:
      "One wheel on two wishbones follows a bumpy road; spring and damper keep the body calm",
    units: "SI",
    gravity: GRAVITY,
    bodies: [
      {
        name: "body",
        mass: LOADS.body,
        shape: { type: "box", x: 0.5, y: 0.25, z: 0.25 },
        position: [0, 0.2, 0.6],
      },
      arm("lower arm", LOWER_INNER, LOWER_OUTER, LOADS.lower),
      arm("upper arm", UPPER_INNER, UPPER_OUTER, LOADS.upper),
      {
        name: "wheel",
        mass: LOADS.upright,
        shape: { type: "cylinder", radius: RADIUS, length: 0.18, axis: [0, 1, 0] },
        position: at(WHEEL),
      },
    ],
    joints: [
      {
        type: "prismatic",
        name: "guide",
        between: ["ground", "body"],
        at: [0, 0, 0.6],
        axis: [0, 0, 1],
      },
      {
        type: "revolute",
        name: "lower inner",
        between: ["body", "lower arm"],
        at: at(LOWER_INNER),
        axis: X,
      },
      {
        type: "revolute",
        name: "upper inner",
        between: ["body", "upper arm"],
        at: at(UPPER_INNER),
        axis: X,
      },
      {
        type: "spherical",
        name: "lower outer",
        between: ["lower arm", "wheel"],
        at: at(LOWER_OUTER),
      },
      {
        type: "spherical",
        name: "upper outer",
        between: ["upper arm", "wheel"],
        at: at(UPPER_OUTER),
      },
      {
        type: "distance",
        name: "tie rod",
        between: ["body", "wheel"],
        atA: at([0.38, 0.33], 0.14),
        atB: at([0.74, 0.3], 0.14),
      },
    ],
    forces: [
      {
        type: "spring",
        name: "spring",
        between: ["body", "lower arm"],
        atA: at(SPRING.top),
        atB: at(SPRING.bottom),
        stiffness: 45000,
        damping: 2500,
        length: 0.64,
      },
      {
        type: "tyre",
        name: "tyre",
        wheel: "wheel",
        at: at(WHEEL),
        radius: RADIUS,
        stiffness: 200000,
        damping: 300,
        height: wave,
        bilateral: true,
      },
    ],
    solve: { span: [0, 4], tolerance: 1e-7 },
    output: {
      at: { rate: 100 },
      values: [
        { name: "body", value: "z('body')", unit: "m" },
        { name: "wheel", value: "z('wheel')", unit: "m" },
        { name: "load of the tyre", value: "fz('tyre')", unit: "N" },
      ],
    },
    view: {
      from: [1, 0.5, 0.35],
      draw: [
        wishbone("lower arm", LOWER_INNER, LOWER_OUTER),
        wishbone("upper arm", UPPER_INNER, UPPER_OUTER),
      ],
    },
  };
}
