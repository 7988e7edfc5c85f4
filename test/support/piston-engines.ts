// Engines: slider-cranks side by side on one shaft along an axis. They move in planes across it.

import { type Model, model, type Vector } from "nodrift/bodies";

export interface EngineOptions {
  /** Positions of cylinders and main bearings along the shaft. */
  readonly cylinders: readonly number[];
  readonly bearings: readonly number[];
  /** Gas forces on the pistons, N. */
  readonly gas?: readonly number[];
  /** Crank angles of the cylinders. */
  readonly phases?: readonly number[];
  readonly speed?: number;
  readonly gravity?: Vector;
  /** Names of main bearings, in order. */
  readonly compliance?: readonly (number | Readonly<Record<string, number>> | undefined)[];
  /** Rotation of the engine: columns are the images of x (of the cylinders), y (of the shaft) and z. */
  readonly axes?: readonly [Vector, Vector, Vector];
}

const R = 0.05;
const ROD = 0.16;

/** Cylinders along x, the shaft along y. The pins are hinges, the guides prismatic: redundant in many ways. */
export function engine(options: EngineOptions): Model {
  const { cylinders, bearings, gas = [], phases = [], speed = 0, gravity = [0, 0, 0] } = options;
  const axes = options.axes ?? [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const world = (p: Vector): Vector =>
    [0, 1, 2].map((i) => p[0] * axes[0][i]! + p[1] * axes[1][i]! + p[2] * axes[2][i]!) as never;
  const m = model({ name: "engine", gravity: world(gravity) });
  const axis = world([0, 1, 0]);
  const matrix = [axes[0], axes[1], axes[2]];
  const orientation = { matrix: [0, 1, 2].map((i) => matrix.map((a) => a[i]!)) };
  const spin = world([0, -speed, 0]);
  const shaft = m.body({
    name: "shaft",
    mass: 8,
    inertia: [0.2, 0.02, 0.2],
    position: world([0, 0, 0]),
    orientation: orientation.matrix as never,
    angularVelocity: spin,
  });
  for (const [i, y] of bearings.entries()) {
    const compliance = options.compliance?.[i];
    const soft = compliance === undefined ? {} : { compliance };
    m.revolute({
      name: `main${i}`,
      between: [m.ground, shaft],
      at: world([0, y, 0]),
      axis,
      ...soft,
    });
  }
  for (const [i, y] of cylinders.entries()) {
    const phase = phases[i] ?? 0.7 + 1.3 * i;
    const [c, s] = [Math.cos(phase), Math.sin(phase)];
    const pin: Vector = [R * c, y, R * s];
    const reach = Math.sqrt(ROD ** 2 - (R * s) ** 2);
    const wrist: Vector = [R * c + reach, y, 0];
    const pinVelocity: Vector = [-R * s * speed, 0, R * c * speed];
    const sway = (-R * c * speed) / reach;
    const wristVelocity: Vector = [-R * s * speed + R * s * sway, 0, 0];
    const middle = pin.map((a, k) => (a + wrist[k]!) / 2) as unknown as Vector;
    const mean = pinVelocity.map((a, k) => (a + wristVelocity[k]!) / 2) as unknown as Vector;
    const rod = m.body({
      name: `rod${i}`,
      mass: 0.6,
      inertia: [0.002, 0.002, 0.002],
      position: world(middle),
      orientation: orientation.matrix as never,
      velocity: world(mean),
      angularVelocity: world([0, -sway, 0]),
    });
    const piston = m.body({
      name: `piston${i}`,
      mass: 0.4,
      inertia: [3e-4, 3e-4, 3e-4],
      position: world(wrist),
      orientation: orientation.matrix as never,
      velocity: world(wristVelocity),
    });
    m.revolute({ name: `pin${i}`, between: [shaft, rod], at: world(pin), axis });
    m.revolute({ name: `wrist${i}`, between: [rod, piston], at: world(wrist), axis });
    m.prismatic({
      name: `guide${i}`,
      between: [m.ground, piston],
      at: world(wrist),
      axis: world([1, 0, 0]),
    });
    m.pointForce({ name: `gas${i}`, on: piston, force: world([-(gas[i] ?? 1e4), 0, 0]) });
  }
  return m;
}
