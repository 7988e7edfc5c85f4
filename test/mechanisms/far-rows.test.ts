import { compile, model } from "nodrift/bodies";
import { expect, test } from "vitest";

/** Simulates a bead on a circle of 1 m about a centre, by a user row, and returns its swing. */
async function swung(centre: number): Promise<number[]> {
  const m = model({ name: "bead", gravity: [0, 0, -10] });
  const bead = m.body({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [centre + 1, 0, 0] });
  m.planar({ between: [m.ground, bead], at: [centre + 1, 0, 0], axis: [0, 1, 0] });
  m.constraint({
    bodies: [bead],
    rows: ["circle"],
    value: ([{ position }]) => [Math.hypot(position[0] - centre, position[2]) - 1],
  });
  const simulation = (await compile(m)).simulate({ step: 1e-3 });
  simulation.advance(200);
  return [simulation.q[0]! - centre, simulation.q[2]!];
}

test("user rows of bodies far from the origin have the same derivatives as near it", async () => {
  const near = await swung(0);
  for (const centre of [1e3, 1e5]) {
    const far = await swung(centre);
    for (const [i, value] of near.entries()) expect(Math.abs(far[i]! - value)).toBeLessThan(1e-6);
  }
});
