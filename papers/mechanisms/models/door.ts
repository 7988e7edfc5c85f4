import { vectorOf } from "../../../src/base/algebra/vectors.js";
import { type Model, model } from "../../../src/model/mechanism.js";
import { box } from "../../../src/model/shapes.js";
import { requireNothing } from "../checks.js";

const LEAN = 0.3;

/**
 * A door on two hinges with one axis: 10 rows of rank 5. The axis leans by 0.3 rad, so that the door swings.
 * 10 kg, 1 m wide, 2 m high, 0.04 m thick; let go when it stands across.
 *
 * @example
 * const { report } = await compile(door());
 */
export function door(...more: undefined[]): Model {
  requireNothing("door", more);
  const m = model({
    name: "door",
    gravity: [9.81 * Math.sin(LEAN), 0, -9.81 * Math.cos(LEAN)],
  });
  const leaf = m.body({
    name: "leaf",
    mass: 10,
    shape: box({ x: 0.04, y: 1, z: 2 }),
    position: [0, 0.5, 1],
  });
  for (const [name, height] of [
    ["lower hinge", 0.25],
    ["upper hinge", 1.75],
  ] as const) {
    const at = vectorOf(0, 0, height);
    m.revolute({ name, between: [m.ground, leaf], at, axis: [0, 0, 1] });
  }
  return m;
}
