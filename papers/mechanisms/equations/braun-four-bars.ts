import type { InputArray } from "../../../src/systems/equations/description.js";
import { type Equations, equations } from "../../../src/systems/equations/equations.js";
import { requireNumbers } from "../checks.js";
import { BRAUN_GRAVITY } from "./braun-pendulum.js";
import type { Mechanism } from "./mechanism.js";

/** Mass of each of the five uniform links, kg; all are 1 m long, and so are the gaps between pivots. */
const MASS = 1;

/** One link: between a joint and a pivot at (x, 0), or between two joints. */
type Bar = { readonly joint: number; readonly other: number } | { joint: number; pivot: number };

const BARS: readonly Bar[] = [
  { joint: 0, pivot: 0 },
  { joint: 1, pivot: 1 },
  { joint: 2, pivot: 2 },
  { joint: 1, other: 0 },
  { joint: 2, other: 1 },
];

/** A coordinate of the vector along a bar, or of its rate if `moving`. */
function along(q: InputArray, bar: Bar, axis: number, moving: boolean): number {
  const end = q[2 * bar.joint + axis] as number;
  if ("other" in bar) return end - (q[2 * bar.other + axis] as number);
  return axis === 0 && !moving ? end - bar.pivot : end;
}

function squared(q: InputArray, bar: Bar, moving: boolean): number {
  return along(q, bar, 0, moving) ** 2 + along(q, bar, 1, moving) ** 2;
}

/**
 * Consistent masses of rods by their ends, m / 3 and m / 6: joints 1 and 3 end two rods, joint 2 three.
 */
function masses(): number[][] {
  const joints = [
    [2 / 3, 1 / 6, 0],
    [1 / 6, 1, 1 / 6],
    [0, 1 / 6, 2 / 3],
  ];
  return Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 6 }, (__, j) =>
      i % 2 === j % 2 ? MASS * (joints[i >> 1]?.[j >> 1] as number) : 0,
    ),
  );
}

/** Two four-bars side by side. */
function fourBars(gravity: number): Equations {
  const weights = [1, 3 / 2, 1].map((share) => share * MASS * gravity);
  return equations({
    name: "two four-bars of Braun and Goldfarb",
    coordinates: ["x1", "y1", "x2", "y2", "x3", "y3"],
    mass: masses(),
    forces: (_, __, out) => {
      for (let joint = 0; joint < 3; joint++) {
        out[2 * joint] = 0;
        out[2 * joint + 1] = -(weights[joint] as number);
      }
    },
    holonomic: {
      rows: ["crank 1", "crank 2", "crank 3", "coupler 1", "coupler 2"],
      value: (q, out) => {
        for (let row = 0; row < 5; row++) out[row] = squared(q, BARS[row] as Bar, false) - 1;
      },
      jacobian: (q, out) => {
        out.fill(0);
        for (let row = 0; row < 5; row++) {
          const bar = BARS[row] as Bar;
          for (let axis = 0; axis < 2; axis++) {
            const value = 2 * along(q, bar, axis, false);
            out[6 * row + 2 * bar.joint + axis] = value;
            if ("other" in bar) out[6 * row + 2 * bar.other + axis] = -value;
          }
        }
      },
      gamma: (_, v, out) => {
        for (let row = 0; row < 5; row++) out[row] = -2 * squared(v, BARS[row] as Bar, true);
      },
    },
    potential: (q) =>
      weights.reduce((sum, weight, joint) => sum + weight * (q[2 * joint + 1] as number), 0),
  });
}

/** Two four-bars under another gravity, to which the motion at a step of 1e-3 s is chaotically sensitive. */
export function braunFourBarsWithGravity(gravity: number, ...more: undefined[]): Mechanism {
  requireNumbers("braunFourBarsWithGravity", { gravity }, more);
  return {
    name: "braun-four-bars",
    description: "Two four-bars side by side that turn over; the rank drops from 5 to 3 when flat.",
    reference: "Braun and Goldfarb, CMAME 198 (2009) 3151-3160, section 5.3",
    equations: fourBars(gravity),
    q: [0, 1, 1, 1, 2, 1],
    v: [1, 0, 1, 0, 1, 0],
  };
}

/** Two four-bars that start upright with a push and turn over. */
export const braunFourBars: Mechanism = braunFourBarsWithGravity(BRAUN_GRAVITY);

/** An initial state off the constraints. */
export const braunFourBarsInconsistentStart = {
  q: [0, 1.01, 1, 1.01, 1.99, 1],
  v: [0.99, 0, 1, 0, 1.01, 0],
} as const;

/**
 * The motion in the angle of the cranks from the vertical, x_i = i - 1 + sin angle, y_i = cos angle:
 * angle''. N loops have a factor ((N + 1) / 2 + N) / ((N + 1) / 3 + N).
 */
export function braunFourBarsAcceleration(angle: number, ...more: undefined[]): number {
  requireNumbers("braunFourBarsAcceleration", { angle }, more);
  return (3.5 / 3) * BRAUN_GRAVITY * Math.sin(angle);
}
