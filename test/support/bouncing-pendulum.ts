// A pendulum that starts at the horizontal and bounces from a wall below its hinge: by symmetry it hits the wall when
// it would pass it without the wall, (2 i + 1) K(1 / sqrt 2) / w, w^2 = m g d / I.

import { type Equations, equations } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { type EventContext, solve } from "nodrift/solve";

export const GRAVITY = 9.81;

const IMPACTS = 100;

/** Makes the times accurate to 1e-10. */
const TOLERANCE = 1e-13;

/** A point on a rod of length 1, all derivatives given. */
export function pendulum(): Equations {
  return equations({
    name: "pendulum",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: (_q, _v, out) => {
      out[0] = 0;
      out[1] = -GRAVITY;
    },
    holonomic: {
      rows: ["rod"],
      value: (q, out) => {
        out[0] = (q[0]! ** 2 + q[1]! ** 2 - 1) / 2;
      },
      jacobian: (q, out) => {
        out[0] = q[0]!;
        out[1] = q[1]!;
      },
      gamma: (_q, v, out) => {
        out[0] = -(v[0]! ** 2) - v[1]! ** 2;
      },
    },
    potential: (q) => GRAVITY * q[1]!,
  });
}

/** The complete elliptic integral K(k), by the arithmetic-geometric mean. */
export function ellipticK(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/** Accuracy of the impact times. */
export interface Impacts {
  readonly impacts: number;
  /** Largest error of a time. */
  readonly error: number;
}

const wall = {
  name: "wall",
  direction: "falling",
  terminal: IMPACTS,
  action: (happening: EventContext) => {
    happening.bounce(1);
  },
} as const;

/** A point on a rod of length 1. */
export function bouncingPendulum(tolerance = TOLERANCE): Impacts {
  const { events } = solve(pendulum(), {
    span: [0, 1000],
    q: [1, 0],
    tolerance,
    output: "ends",
    events: [{ ...wall, when: ({ q }) => q[0] as number }],
  });
  return judge(events, Math.sqrt(GRAVITY));
}

/** A body on a hinge, off its centre of mass. */
export async function bouncingPendulumBodies(tolerance = TOLERANCE): Promise<Impacts> {
  const [mass, distance, inertia] = [2, 0.8, 0.3];
  const m = model({ name: "bouncing pendulum", gravity: [0, 0, -GRAVITY] });
  const bob = m.body({
    name: "bob",
    mass,
    inertia: [inertia, inertia, inertia],
    position: [distance, 0, 0],
  });
  m.revolute({ name: "hinge", between: [m.ground, bob], at: [0, 0, 0], axis: [0, 1, 0] });
  const { events } = solve(await compile(m), {
    span: [0, 1000],
    tolerance,
    output: "ends",
    events: [{ ...wall, when: (state) => state.body("bob").position[0] }],
  });
  const rate = Math.sqrt((mass * GRAVITY * distance) / (inertia + mass * distance ** 2));
  return judge(events, rate);
}

function judge(events: readonly { readonly time: number }[], rate: number): Impacts {
  const quarter = ellipticK(Math.SQRT1_2) / rate;
  const errors = events.map(({ time }, i) => Math.abs(time - (2 * i + 1) * quarter));
  return { impacts: events.length, error: Math.max(...errors) };
}
