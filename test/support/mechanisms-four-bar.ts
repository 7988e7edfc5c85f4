// The N-four-bar from many starts: each reaches the singular pose at another point within a step.

import type { CompileOptions } from "nodrift/bodies";
import { nFourBar, nFourBarStiffness } from "nodrift/mechanisms";
import { distance, pointOf, start, type Watched, watch } from "./mechanisms.js";
import { type Random, seeded } from "./random.js";

const STEP = 1e-3;
/** Steps of the reference within one of the simulation. */
const FINER = 10;

type Quaternion = readonly [number, number, number, number];

/** A random orientation: a uniformly distributed direction in four dimensions. */
export function randomTilt(random: Random): Quaternion {
  for (;;) {
    const e = [random(), random(), random(), random()];
    const length = Math.hypot(...e);
    if (length > 1 || length < 0.1) continue;
    return [e[0] / length, e[1] / length, e[2] / length, e[3] / length];
  }
}

/** theta'' = -k cos theta, by RK4 with steps short enough to be exact here (1e-12 in 10 s). */
class ReducedFourBar {
  theta: number;
  rate = -1;
  readonly #k: number;

  constructor(n: number, psi0: number) {
    this.#k = nFourBarStiffness(n);
    this.theta = Math.PI / 2 - psi0;
  }

  advance(h: number): void {
    const { theta, rate } = this;
    const f = (angle: number) => -this.#k * Math.cos(angle);
    const a1 = f(theta);
    const a2 = f(theta + (h / 2) * rate);
    const a3 = f(theta + (h / 2) * rate + ((h * h) / 4) * a1);
    const a4 = f(theta + h * rate + ((h * h) / 2) * a2);
    this.theta += h * rate + ((h * h) / 6) * (a1 + a2 + a3);
    this.rate += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

export interface FourBarErrors extends Watched {
  /** Largest position error of the top of the first upright. */
  readonly position: number;
}

/** One run of 10 s from a start angle, tilted, by the default method of mechanisms. */
export async function runFourBar(
  n: number,
  psi0: number,
  tilt: Quaternion,
  until = 10,
  options?: CompileOptions,
): Promise<FourBarErrors> {
  const simulation = await start(nFourBar(n, { psi0, tilt }), STEP, undefined, options);
  const reduced = new ReducedFourBar(n, psi0);
  let position = 0;
  const errors = watch(simulation, until, ({ q }) => {
    for (let i = 0; i < FINER; i++) reduced.advance(STEP / FINER);
    const top = [Math.cos(reduced.theta), Math.sin(reduced.theta), 0];
    const expected = pointOf([0, 0, 0, ...tilt], 0, top);
    position = Math.max(position, distance(pointOf(q, 0, [0.5, 0, 0]), expected));
  });
  return { ...errors, position };
}

/** The worst of each over random starts and tilts. */
export async function worstFourBar(
  n: number,
  starts: number,
  options?: CompileOptions,
): Promise<FourBarErrors> {
  const random = seeded(n);
  let worst: FourBarErrors = { violation: 0, energy: 0, position: 0 };
  for (let k = 0; k < starts; k++) {
    const psi0 = 0.025 * (1 + random());
    const run = await runFourBar(n, psi0, randomTilt(random), 10, options);
    worst = {
      violation: Math.max(worst.violation, run.violation),
      energy: Math.max(worst.energy, run.energy),
      position: Math.max(worst.position, run.position),
    };
  }
  return worst;
}
