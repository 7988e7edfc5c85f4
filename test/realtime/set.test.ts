import { compile, model } from "nodrift/bodies";
import { describe, expect, it } from "vitest";
import { allSettings, differingBits } from "../support/live-settings.js";

describe("simulation.set", () => {
  for (const coordinates of ["relative", "maximal"] as const) {
    it.each(allSettings().map((setting) => [setting.name, setting] as const))(
      `%s: matches a fresh compilation, in ${coordinates} coordinates`,
      async (_, setting) => {
        expect(await differingBits(setting, { coordinates }, 7)).toBe(0);
      },
    );
  }

  it("continues with values that `each` of runTo sets, if they need new memory", async () => {
    const m = model({ name: "pendulum" });
    const arm = m.body({ name: "arm", mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0] });
    m.spherical({ name: "ball", between: [m.ground, arm], at: [0, 0, 0] });
    const system = await compile(m);
    const simulation = system.simulate({ step: 1e-2 });
    const other = system.simulate({ step: 1e-2 });
    let calls = 0;
    simulation.runTo(0.1, () => {
      if (++calls === 4) simulation.set("arm", { centre: [0.1, 0, 0] });
    });
    other.advance(4).set("arm", { centre: [0.1, 0, 0] });
    expect([...simulation.q]).toEqual([...other.advance(6).q]);
    expect(simulation.time).toBeCloseTo(0.1, 14);
  });
});
