// Forces of random mechanisms: some of each kind, between any bodies.

import type { Body, Joint, Model, Vector } from "nodrift/bodies";
import { between, randomDirection, randomPoint } from "../reference/sketch.js";
import { add, scale } from "../reference/vectors.js";
import type { Random } from "./random.js";

export interface Placed {
  readonly body: Body;
  /** In the world. */
  readonly position: Vector;
}

/** Adds springs, dampers, bushings, loads and drag. `joints` are those with an angle. */
export function addForces(
  m: Model,
  random: Random,
  bodies: readonly Placed[],
  joints: readonly Joint[],
): void {
  const ground: Placed = { body: m.ground, position: [0, 0, 0] };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(between(random, 0, list.length))];
  const near = ({ position }: Placed) => add(position, scale(0.3, randomPoint(random)));
  const some = () => random() < 0;
  const pair = () => {
    const a = pick(bodies);
    const b = pick([ground, ...bodies].filter((other) => other !== a));
    return { a, b, between: [a.body, b.body] as const };
  };
  const positive = (most: number) => between(random, 0, most);
  if (some()) {
    const { a, b, between: ends } = pair();
    // Separated points, because a spring needs a direction.
    const [atA, atB] = [near(a), add(near(b), scale(2, randomDirection(random)))];
    const law = { stiffness: positive(50), damping: positive(5), length: positive(1) };
    m.spring({ between: ends, atA, atB, ...law, force: 3 * random() });
  }
  if (some() && joints.length > 0) {
    const law = { stiffness: positive(20), damping: positive(2), angle: random() };
    m.torsionSpring({ joint: pick(joints), ...law });
  }
  if (some()) {
    const { a, between: ends } = pair();
    const six = (most: number) =>
      [
        positive(most),
        positive(most),
        positive(most),
        positive(most),
        positive(most),
        positive(most),
      ] as const;
    m.bushing({
      between: ends,
      at: near(a),
      axis: randomDirection(random),
      stiffness: six(30),
      damping: six(3),
    });
  }
  if (some()) {
    const on = pick(bodies);
    const frame = some() ? "world" : "body";
    m.pointForce({ on: on.body, at: near(on), force: scale(5, randomPoint(random)), frame });
  }
  if (some()) {
    m.torque({ on: pick(bodies).body, torque: scale(3, randomPoint(random)), frame: "body" });
  }
  if (some()) m.drag({ on: pick(bodies).body, linear: positive(1), angular: positive(1) });
}
