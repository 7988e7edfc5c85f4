// A pendulum under a sampled PI controller, and an independent reference that integrates from change to change.

import { type CompileOptions, compile, model, rod } from "nodrift/bodies";

export interface Sampling {
  readonly every: number;
  readonly delay: number;
}

const [MASS, GRAVITY, TARGET, P, I, D] = [1.2, 9.81, 0.3, 40, 25, 4] as const;

export function sampled({ every, delay }: Sampling, options: CompileOptions = {}) {
  const m = model({ name: "sampled" });
  const arm = m.body({
    name: "arm",
    mass: MASS,
    shape: rod({ length: 1 }),
    position: [0, 0, -0.5],
  });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  const pi = m.controller({
    name: "pi",
    every,
    delay,
    outputs: ["torque"],
    memory: { sum: 0.01 },
    sample: (_t, read, memory) => {
      const error = TARGET - read.angle(hinge);
      memory[0]! += every * error;
      return [P * error + I * memory[0]! - D * read.angleRate(hinge)];
    },
  });
  m.motor({ name: "motor", joint: hinge, mode: "torque", target: (_t, read) => read.output(pi) });
  return compile(m, options);
}

/** Returns the angle and rate at a time. */
export function sampledReference(
  { every, delay }: Sampling,
  until: number,
): readonly [number, number] {
  let [angle, rate, sum, torque] = [0, 0, 0.01, 0];
  const coming: { at: number; torque: number }[] = [];
  const accelerate = (a: number) => (torque - (MASS * GRAVITY * Math.sin(a)) / 2) / (MASS / 3);
  /** Takes fourth-order steps of at most a quarter of a millisecond. */
  const run = (span: number) => {
    const steps = Math.max(1, Math.ceil(span / 2.5e-4));
    const h = span / steps;
    for (let i = 0; i < steps; i++) {
      const [a1, b1] = [rate, accelerate(angle)];
      const [a2, b2] = [rate + (h / 2) * b1, accelerate(angle + (h / 2) * a1)];
      const [a3, b3] = [rate + (h / 2) * b2, accelerate(angle + (h / 2) * a2)];
      const [a4, b4] = [rate + h * b3, accelerate(angle + h * a3)];
      angle += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
      rate += (h / 6) * (b1 + 2 * b2 + 2 * b3 + b4);
    }
  };
  let [now, next] = [0, 0];
  while (now < until) {
    if (Math.abs(now - next * every) < 1e-12) {
      const error = TARGET - angle;
      sum += every * error;
      coming.push({ at: now + delay, torque: P * error + I * sum - D * rate });
      next++;
    }
    while (coming.length > 0 && coming[0]!.at <= now + 1e-12) torque = coming.shift()!.torque;
    const stop = Math.min(until, next * every, coming[0]?.at ?? until);
    run(stop - now);
    now = stop;
  }
  return [angle, rate];
}
