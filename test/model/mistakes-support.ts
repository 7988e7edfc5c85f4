import { type Model, model, sphere } from "nodrift/bodies";
import { expect, test } from "vitest";

// Mistakes in a small model that bypass the types.

export const solid = { mass: 1, shape: sphere({ radius: 1 }) };

/** A model with two bodies and two joints, and another model. */
export function scene() {
  const m = model();
  const crank = m.body({ ...solid, name: "crank" });
  const rocker = m.body({ ...solid, position: [1, 0, 0] });
  const hinge = m.revolute({ between: [m.ground, crank], at: [0, 0, 0], axis: [0, 1, 0] });
  const ball = m.spherical({ name: "hip", between: [crank, rocker], at: [0, 0, 0] });
  const slide = m.prismatic({ between: [m.ground, rocker], axis: [1, 0, 0] });
  const other = model();
  const stranger = other.body({ ...solid, name: "stranger" });
  return { m, crank, rocker, hinge, ball, slide, stranger };
}

type Scene = ReturnType<typeof scene>;
/** Calls methods with any options, bypassing the types. */
type Loose = Record<keyof Model, (options?: unknown) => unknown>;
export type Mistake = [(m: Loose, scene: Scene) => unknown, string];

export function expectMessages(mistakes: readonly Mistake[]): void {
  for (const [make, message] of mistakes) {
    test(message, () => {
      const things = scene();
      const before = things.m.data();
      const run = () => make(things.m as unknown as Loose, things);
      expect(run).toThrow(expect.objectContaining({ code: "DESCRIPTION", message }));
      expect(things.m.data()).toEqual(before);
    });
  }
}
