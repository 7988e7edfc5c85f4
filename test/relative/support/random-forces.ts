// Forces of all kinds, and loops, on the bodies of a random tree.

import type { Body, Joint, Model } from "nodrift/bodies";
import { type Random, seeded } from "../../support/random.js";
import { three } from "./random-trees.js";

/** Two different bodies, possibly the ground. */
function pairOf(random: Random, bodies: readonly Body[]): [Body, Body] {
  const first = Math.floor(((random() + 1) / 2) * bodies.length);
  const step = 1 + Math.floor(((random() + 1) / 2) * (bodies.length - 1));
  return [bodies[first], bodies[(first + step) % bodies.length]];
}

const positive = (random: Random, count: number, size: number) =>
  Array.from({ length: count }, () => size * (1.5 + random()));

/** One force of each kind, on any bodies; torsion springs on all joints with an angle. */
export function addForces(
  m: Model,
  seed: number,
  bodies: readonly Body[],
  joints: readonly Joint[],
): void {
  const random = seeded(seed);
  const all = [m.ground, ...bodies];
  const any = () => bodies[Math.floor(((random() + 1) / 2) * bodies.length)];
  m.pointForce({ on: any(), at: three(random), force: three(random), frame: "world" });
  m.pointForce({ on: any(), at: three(random), force: three(random), frame: "body" });
  m.torque({ on: any(), torque: three(random), frame: "world" });
  m.drag({ on: any(), linear: 2, angular: 1 });
  m.tyre({
    wheel: any(),
    radius: 3,
    stiffness: 30,
    damping: 3,
    bilateral: true,
    at: three(random),
    normal: three(random),
  });
  for (let i = 0; i < 3; i++) {
    const between = pairOf(random, all);
    const [atA, atB] = [three(random), three(random)];
    m.spring({ between, atA, atB, stiffness: 20, damping: 2, length: 0.5 });
    m.bushing({
      between: pairOf(random, all),
      at: three(random),
      axis: three(random),
      stiffness: positive(random, 6, 20) as never,
      damping: positive(random, 6, 2) as never,
    });
  }
  for (const joint of joints) m.torsionSpring({ joint, stiffness: 15, damping: 2, angle: 0.2 });
}

/** Joints that close loops, at any poses of the bodies: they are rows. `only`: index of one of four; default: all. */
export function addLoops(m: Model, seed: number, bodies: readonly Body[], only?: number): void {
  const random = seeded(seed);
  const all = [m.ground, ...bodies];
  const makers = [
    (i: number) =>
      m.spherical({ name: `cut ${i}`, between: pairOf(random, all), at: three(random) }),
    (i: number) =>
      m.distance({ name: `cut ${i}`, between: pairOf(random, all), atB: three(random) }),
    (i: number) =>
      m.pointOnPlane({
        name: `cut ${i}`,
        between: pairOf(random, all),
        at: three(random),
        axis: three(random),
      }),
    (i: number) =>
      m.parallel({ name: `cut ${i}`, between: pairOf(random, all), axis: three(random) }),
  ];
  for (const [i, make] of makers.entries()) if (only === undefined || only === i) make(i);
}
