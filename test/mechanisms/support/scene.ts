// Rotated and moving bodies with offset centres of mass, from a seed.

import { type Body, type BodyOptions, type Model, model } from "nodrift/bodies";
import { type Random, randomVector, seeded } from "../../support/random.js";
import { rotation, turnAbout, turnedTensor, type V3 } from "./vectors.js";

export const vectorFrom = (random: Random): V3 => [...randomVector(random, 3)] as V3;

/** An asymmetric body whose centre of mass is not at its origin. */
export function randomBody(random: Random, speed = 1): BodyOptions & { mass: number } {
  const mass = 1.5 + 0.5 * random();
  const moments = [0.2, 0.25, 0.35].map((moment) => mass * moment * (1 + 0.1 * random()));
  const turn = rotation(turnAbout(vectorFrom(random), 2 * random()));
  const tensor = turnedTensor(turn, [
    [moments[0], 0, 0],
    [0, moments[1], 0],
    [0, 0, moments[2]],
  ]);
  return {
    mass,
    inertia: tensor,
    centre: vectorFrom(random).map((x) => 0.2 * x) as V3,
    position: vectorFrom(random),
    orientation: { axis: vectorFrom(random), angle: 2 * random() },
    velocity: vectorFrom(random).map((x) => speed * x) as V3,
    angularVelocity: vectorFrom(random).map((x) => speed * x) as V3,
  };
}

export interface Scene {
  readonly m: Model;
  readonly a: Body;
  readonly b: Body;
  readonly c: Body;
  readonly random: Random;
}

/** The moving bodies; the others are the ground. */
export type Movers = "A and B" | "B" | "A";

/** A model with bodies A, B and, on request, C, which moves. */
export function scene(
  seed: number,
  movers: Movers,
  hasThird: boolean,
  gravity: V3 = [0.3, -0.4, -9.81],
): Scene {
  const random = seeded(seed);
  const m = model({ gravity });
  const a = movers === "B" ? m.ground : m.body({ ...randomBody(random), name: "a" });
  const b = movers === "A" ? m.ground : m.body({ ...randomBody(random), name: "b" });
  const c = hasThird ? m.body({ ...randomBody(random), name: "c" }) : b;
  return { m, a, b, c, random };
}
