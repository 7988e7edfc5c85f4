import { add, columns, scale, vectorOf } from "../../../src/base/algebra/vectors.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { requireNothing, requireNumbers } from "../checks.js";

// A thin disk that leans and rolls in a circle. With its axle c at the angle theta from the vertical, e the
// direction from the point of contact to the centre, and everything turning with Omega about the
// vertical n = cos theta c + sin theta e, its angular velocity is Omega sin theta e + s c. It rolls, so its centre
// has the velocity a s (c x e). Momentum and angular momentum about the centre then yield
//
//   (C + m a^2) s Omega sin theta - A Omega^2 sin theta cos theta + m g a cos theta = 0
//
// with the moments A = m a^2 / 4 across the axle and C = m a^2 / 2 about it.

const RADIUS = 0.5;
const LEAN = 1.2;
const TURNING = 1;
const GRAVITY = 9.81;
const [SINE, COSINE] = [Math.sin(LEAN), Math.cos(LEAN)];
const SPIN =
  (COSINE * ((RADIUS * TURNING ** 2 * SINE) / 4 - GRAVITY)) / (1.5 * RADIUS * TURNING * SINE);

/**
 * A coin of 1 kg and 0.5 m that leans by 0.37 rad and rolls in a circle of 2.5 m, once in 2 pi s: steadily,
 * so that its motion is known.
 *
 * @example
 * const simulation = (await compile(rollingDisk())).simulate({ step: 1e-3 });
 */
export function rollingDisk(...more: undefined[]): Model {
  requireNothing("rollingDisk", more);
  const m = model({ name: "rolling disk", gravity: [0, 0, -GRAVITY] });
  const axle = vectorOf(0, SINE, COSINE);
  const upwards = vectorOf(0, -COSINE, SINE);
  const across = RADIUS ** 2 / 4;
  const disk = m.body({
    name: "disk",
    mass: 1,
    inertia: [across, across, 2 * across],
    position: scale(RADIUS, upwards),
    orientation: columns(vectorOf(-1, 0, 0), upwards, axle),
    velocity: vectorOf(RADIUS * SPIN, 0, 0),
    angularVelocity: add(scale(TURNING * SINE, upwards), scale(SPIN, axle)),
  });
  m.rollingDisk({ name: "contact", body: disk, radius: RADIUS, axis: axle });
  return m;
}

/** Position of the centre of the disk at a time. */
export function rollingDiskCentre(
  t: number,
  ...more: undefined[]
): readonly [number, number, number] {
  requireNumbers("rollingDiskCentre", { t }, more);
  const [x, y] = [Math.sin(TURNING * t), 1 - Math.cos(TURNING * t)];
  const circle = (RADIUS * SPIN) / TURNING;
  return [circle * x, circle * y - RADIUS * COSINE, RADIUS * SINE];
}
