// Random mechanisms with open joints: some bodies are placed correctly and held, the others must move.

import { type Model, model, type Vector } from "nodrift/bodies";
import { loopOf } from "../reference/loops-single.js";
import {
  directionIn,
  GROUND,
  type JointType,
  type Mechanism,
  pointIn,
} from "../reference/mechanism.js";
import {
  between,
  mechanismOf,
  placed,
  randomDirection,
  randomPoint,
  type SketchJoint,
} from "../reference/sketch.js";
import { add, scale } from "../reference/vectors.js";
import { anyMasses } from "./mass-ratios.js";
import { type Random, seeded } from "./random.js";

/** Joints defined by markers with one direction. */
const JOINTS = ["revolute", "spherical", "cylindrical"] as const satisfies readonly JointType[];

export interface OpenMachine {
  readonly model: Model;
  /** Correctly placed bodies. */
  readonly right: readonly string[];
}

/** A tree or a loop; misplaced bodies are off by up to `apart` times its size. */
export function openMachine(seed: number, apart: number): OpenMachine {
  const random = seeded(13e6 + seed);
  const seven = new Array<JointType>(7).fill("revolute");
  const joints = random() < 0 ? branches(random) : loopOf(random, seven).joints;
  const mechanism = mechanismOf("open", random, placed(random, { joints }), anyMasses);
  const isRight = mechanism.bodies.map(() => random() < -0.2);
  return {
    model: standingBeside(random, mechanism, (body) => (isRight[body] ? 0 : apart)),
    right: mechanism.bodies.filter((_, body) => isRight[body]).map(({ name }) => name),
  };
}

function branches(random: Random): SketchJoint[] {
  return Array.from({ length: Math.floor(between(random, 2, 8)) }, (_, body) => ({
    type: JOINTS[Math.floor(between(random, 0, JOINTS.length))],
    a: body === 0 ? GROUND : Math.floor(between(random, GROUND, body)),
    b: body,
    at: scale(2, randomPoint(random)),
    axis: randomDirection(random),
  }));
}

function standingBeside(
  random: Random,
  mechanism: Mechanism,
  apart: (body: number) => number,
): Model {
  const m = model({ name: "open" });
  const bodies = mechanism.bodies.map(({ name, mass, inertia, position, orientation }, body) => {
    const turn = orientation.map((x) => x + apart(body) * random());
    const length = Math.sqrt(turn.reduce((sum, x) => sum + x * x, 0));
    return m.body({
      name,
      mass,
      inertia,
      position: add(position, scale(apart(body), randomPoint(random))),
      orientation:
        apart(body) === 0
          ? orientation
          : (turn.map((x) => x / length) as unknown as typeof orientation),
    });
  });
  const marker = (body: number, at: Vector, axis: Vector = [0, 0, 1]) =>
    (body === GROUND ? m.ground : bodies[body]).marker({
      at: pointIn(mechanism, body, at),
      axis: directionIn(mechanism.bodies, body, axis),
    });
  for (const { type, name, a, b, at, axis } of mechanism.joints) {
    m[type as (typeof JOINTS)[number]]({
      name,
      between: [marker(a, at, axis), marker(b, at, axis)],
    });
  }
  return m;
}
