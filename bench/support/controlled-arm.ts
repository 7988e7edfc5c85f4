// An arm of two links under PI control with samples, as a mechanism and as a differential equation.

import { type CompileOptions, compile, model, rod } from "nodrift/bodies";

/** Masses, lengths, targets and gains of both joints. */
const LINKS = [
  { mass: 2, length: 1, target: 0.6, p: 220, i: 300, d: 45 },
  { mass: 1, length: 0.8, target: -0.9, p: 90, i: 150, d: 14 },
] as const;
const GRAVITY = 9.81;

export const SAMPLE_PERIOD = 1e-3;

/** In the plane of x and z, hanging down if both angles are zero. */
export function controlledArm(options: CompileOptions = {}) {
  const m = model({ name: "controlled arm", gravity: [0, 0, -GRAVITY] });
  const [upper, lower] = LINKS;
  const first = m.body({
    name: "first",
    mass: upper.mass,
    shape: rod({ length: upper.length }),
    position: [0, 0, -upper.length / 2],
  });
  const second = m.body({
    name: "second",
    mass: lower.mass,
    shape: rod({ length: lower.length }),
    position: [0, 0, -upper.length - lower.length / 2],
  });
  const axis = [0, -1, 0] as const;
  const joints = [
    m.revolute({ name: "J1", between: [m.ground, first], at: [0, 0, 0], axis }),
    m.revolute({ name: "J2", between: [first, second], at: [0, 0, -upper.length], axis }),
  ];
  for (const [i, { target, p, i: integral, d }] of LINKS.entries()) {
    const joint = joints[i]!;
    const pi = m.controller({
      name: `PI ${i + 1}`,
      every: SAMPLE_PERIOD,
      outputs: ["torque"],
      memory: { sum: 0 },
      sample: (_t, read, memory) => {
        const error = target - read.angle(joint);
        memory[0]! += SAMPLE_PERIOD * error;
        return [p * error + integral * memory[0]! - d * read.angleRate(joint)];
      },
    });
    m.motor({ name: `M${i + 1}`, joint, mode: "torque", target: (_t, read) => read.output(pi) });
  }
  return compile(m, options);
}

/** Angles and rates at some samples, by Runge-Kutta steps of order 4 between them: textbook equations of two links. */
export function controlledArmTwin(samples: readonly number[]): readonly (readonly number[])[] {
  const torques = [0, 0];
  const sums = [0, 0];
  const rate = ([a, b, u, w]: readonly number[]): number[] => {
    const [one, two] = LINKS;
    const [l, r] = [one.length, two.length / 2];
    const [i1, i2] = [(one.mass * l * l) / 3, (two.mass * two.length * two.length) / 3];
    const k = two.mass * l * r;
    const [m11, m12] = [i1 + two.mass * l * l + i2 + 2 * k * Math.cos(b!), i2 + k * Math.cos(b!)];
    const s = k * Math.sin(b!);
    const g2 = two.mass * GRAVITY * r * Math.sin(a! + b!);
    const g1 = (one.mass / 2 + two.mass) * GRAVITY * l * Math.sin(a!) + g2;
    const f1 = torques[0]! - g1 + s * (2 * u! * w! + w! * w!);
    const f2 = torques[1]! - g2 - s * u! * u!;
    const det = m11 * i2 - m12 * m12;
    return [u!, w!, (i2 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det];
  };
  let y: readonly number[] = [0, 0, 0, 0];
  const found: (readonly number[])[] = [];
  const parts = 4;
  const h = SAMPLE_PERIOD / parts;
  const moved = (by: number, slope: readonly number[]) => y.map((x, j) => x + by * slope[j]!);
  for (let sample = 0; sample <= Math.max(...samples); sample++) {
    if (samples.includes(sample)) found.push(y);
    for (const [i, { target, p, i: integral, d }] of LINKS.entries()) {
      const error = target - y[i]!;
      sums[i]! += SAMPLE_PERIOD * error;
      torques[i] = p * error + integral * sums[i]! - d * y[2 + i]!;
    }
    for (let part = 0; part < parts; part++) {
      const a = rate(y);
      const b = rate(moved(h / 2, a));
      const c = rate(moved(h / 2, b));
      const e = rate(moved(h, c));
      y = y.map((x, j) => x + (h / 6) * (a[j]! + 2 * b[j]! + 2 * c[j]! + e[j]!));
    }
  }
  return found;
}
