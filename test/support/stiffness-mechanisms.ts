// Stiff and non-stiff mechanisms, to test the choice of method.

import { type CompiledModel, compile, model, rod, sphere } from "nodrift/bodies";
import { MAXIMAL } from "./relative-options.js";

/** The stiffness and the damping of one spring. */
export interface Elastic {
  readonly stiffness: number;
  readonly damping: number;
}

/**
 * The flyball governor after IFToMM's library: a rotating shaft, two arms with balls, and a sleeve that strong
 * dampers and springs hold to them.
 */
export function governor({ stiffness, damping }: Elastic): Promise<CompiledModel> {
  const m = model({ name: "governor", gravity: [0, -9.81, 0] });
  const speed = 2 * Math.PI;
  const angularVelocity = [0, speed, 0] as const;
  const turning = (x: number) => [0, 0, -speed * x] as const;
  const shaft = m.body({
    name: "shaft",
    mass: 200,
    inertia: [25, 50, 25],
    position: [0, 0, 0],
    angularVelocity,
  });
  m.revolute({ name: "bearing", between: [m.ground, shaft], at: [0, 0, 0], axis: [0, 1, 0] });
  const sleeve = m.body({
    name: "sleeve",
    mass: 6,
    inertia: [0.1, 0.125, 0.1],
    position: [0, -0.5, 0],
    angularVelocity,
  });
  m.prismatic({ name: "slide", between: [shaft, sleeve], at: [0, -0.5, 0], axis: [0, 1, 0] });
  const [down, out] = [Math.sqrt(3) / 2, 1 / 2];
  for (const side of [1, -1]) {
    const x = side * out;
    const name = side > 0 ? "right" : "left";
    const angle = side * (Math.PI / 3) - Math.PI / 2 + (side < 0 ? Math.PI : 0);
    const arm = m.body({
      name: `${name} arm`,
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [x / 2, -down / 2, 0],
      orientation: { axis: [0, 0, 1], angle },
      velocity: turning(x / 2),
      angularVelocity,
    });
    const ball = m.body({
      name: `${name} ball`,
      mass: 5,
      shape: sphere({ radius: 0.1 }),
      position: [x, -down, 0],
      velocity: turning(x),
      angularVelocity,
    });
    m.revolute({ name: `${name} pin`, between: [shaft, arm], at: [0, 0, 0], axis: [0, 0, 1] });
    m.fixed({ name: `${name} weld`, between: [arm, ball], at: [x, -down, 0] });
    m.spring({
      name: `${name} spring`,
      between: [arm, sleeve],
      atA: [x / 2, -down / 2, 0],
      atB: [0, -0.5, 0],
      stiffness,
      damping,
    });
  }
  return compile(m);
}

/** A released chain of rods, with rubber in its joints. */
export function sprungChain(n: number, { stiffness, damping }: Elastic): Promise<CompiledModel> {
  const m = model({ name: `chain of ${n} rods with rubber`, gravity: [0, 0, -9.81] });
  let before = m.ground;
  for (let i = 0; i < n; i++) {
    const link = m.body({
      name: `rod ${i + 1}`,
      mass: 1,
      inertia: [0.002, 0.085, 0.085],
      position: [i + 0.5, 0, 0],
    });
    const between = [before, link] as const;
    m.spherical({ name: `joint ${i + 1}`, between, at: [i, 0, 0] });
    m.bushing({
      name: `rubber ${i + 1}`,
      between,
      at: [i, 0, 0],
      stiffness: { rotation: stiffness },
      damping: { rotation: damping },
    });
    before = link;
  }
  // In relative coordinates explicit evaluations cost a sixth, and the switch waits for as many more.
  return compile(m, MAXIMAL);
}

/** A crank turned at 10 rad/s, whose coupler is held to the ground by a bushing in place of a hinge. */
export function bushedCrank({ stiffness, damping }: Elastic): Promise<CompiledModel> {
  const m = model({ name: "crank on a bushing", gravity: [0, -9.81, 0] });
  const bar = (name: string, x: number, length: number, options: object = {}) =>
    m.body({
      name,
      mass: length,
      shape: rod({ length, axis: [1, 0, 0] }),
      position: [x, 0, 0],
      ...options,
    });
  const crank = bar("crank", 0.25, 0.5, { angularVelocity: [0, 0, 10], velocity: [0, 2.5, 0] });
  const coupler = bar("coupler", 1.25, 1.5, {
    velocity: [0, 2.5, 0],
    angularVelocity: [0, 0, -10 / 3],
  });
  const slide = m.body({ name: "block", mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0] });
  const axis = [0, 0, 1] as const;
  m.revolute({ name: "bearing", between: [m.ground, crank], at: [0, 0, 0], axis });
  m.revolute({ name: "pin", between: [crank, coupler], at: [0.5, 0, 0], axis });
  m.bushing({
    name: "rubber",
    between: [coupler, slide],
    at: [2, 0, 0],
    stiffness: { translation: stiffness, rotation: 0 },
    damping: { translation: damping, rotation: 0 },
  });
  m.prismatic({ name: "guide", between: [m.ground, slide], at: [2, 0, 0], axis: [1, 0, 0] });
  return compile(m);
}
