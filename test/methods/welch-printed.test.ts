// Scheme (43) of Welch et al. to the letter, and its difference from our mid-step orientation.

import { welch } from "nodrift";
import { compile, model } from "nodrift/bodies";
import { threeLinkPendulum } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { largestCentreDistance, threeLinksByScheme43 } from "#experiments";

const LINKS = await compile(threeLinkPendulum({ pin: "world" }));
const printed = welch({ passes: 1, midpoint: "printed" });

function runTo(coupled: ReturnType<typeof welch>, step: number, until: number) {
  const simulation = LINKS.simulate({ step, method: { coupled } });
  return simulation.advance(Math.round(until / step));
}

describe("welch with the printed mid-step orientation", () => {
  test("matches a separate implementation of the scheme to rounding", () => {
    for (const [step, until] of [
      [4e-4, 0.4],
      [1e-3, 1],
      [5e-3, 2],
    ] as const) {
      const states = threeLinksByScheme43(step, until);
      expect(largestCentreDistance(runTo(printed, step, until).q, states)).toBeLessThan(1e-12);
      expect(
        largestCentreDistance(runTo(welch({ passes: 1 }), step, until).q, states),
      ).toBeGreaterThan(1e-10);
    }
  });

  test("differs from bodies rotated halfway by the second power of the step", () => {
    const [long, short] = [1e-3, 5e-4].map((step) =>
      largestCentreDistance(runTo(welch({ passes: 1 }), step, 1).q, threeLinksByScheme43(step, 1)),
    );
    expect(Math.abs(Math.log2(long / short) - 2)).toBeLessThan(0.1);
  });

  test("differs likewise for a hinge whose points are held along the axes of a link", async () => {
    const hinged = await compile(threeLinkPendulum({ pin: "revolute" }));
    const apart = (step: number) => {
      const [one, other] = [printed, welch({ passes: 1 })].map((coupled) =>
        hinged.simulate({ step, method: { coupled } }).advance(Math.round(1 / step)),
      );
      return Math.max(...one.q.map((x, i) => Math.abs(x - other.q[i])));
    };
    const [long, short] = [apart(1e-3), apart(5e-4)];
    expect(long).toBeLessThan(1e-5);
    expect(Math.abs(Math.log2(long / short) - 2)).toBeLessThan(0.1);
  });

  test("appears in the name of the method, and has multipliers of its step", () => {
    const simulation = runTo(printed, 1e-3, 0.1);
    expect(simulation.method).toBe("welch(1, printed)");
    expect(welch().name).toBe("welch(2)");
    const other = runTo(welch({ passes: 1 }), 1e-3, 0.1);
    const [one, two] = [simulation.stepMultipliers(), other.stepMultipliers()];
    for (const [i, value] of one.entries()) expect(Math.abs(value - two[i]!)).toBeLessThan(0.05);
  });

  test("leaves Euler parameters at unit length between steps", () => {
    const simulation = runTo(printed, 2e-2, 1);
    const again = LINKS.simulate({ step: 2e-2, method: { coupled: welch() } });
    again.setState(simulation.q, simulation.v, "asGiven");
    // Up to the rounding of another normalisation; unnormalised, they differ by 1e-8.
    const apart = () => Math.max(...simulation.phi().map((x, i) => Math.abs(x - again.phi()[i]!)));
    expect(apart()).toBeLessThan(1e-14);
    simulation.stepMultipliers();
    expect(apart()).toBeLessThan(1e-14);
  });

  test("leaves Euler parameters at unit length after a step that fails in its corrector", async () => {
    const m = model({ gravity: [0, 0, 0] });
    const body = m.body({ name: "top", mass: 1, inertia: [1, 2, 3], angularVelocity: [2, 1, 3] });
    let fails = false;
    m.userForce({
      bodies: [body],
      apply: (_, [load], t) => {
        load!.force[0] = fails && t > 0 ? Number.NaN : 1;
      },
    });
    const compiled = await compile(m);
    const simulation = compiled.simulate({ step: 0.1, method: { coupled: printed } });
    fails = true;
    expect(() => simulation.advance()).toThrow();
    fails = false;
    const fresh = compiled.simulate({ step: 0.1, method: { coupled: printed } });
    expect(simulation.advance(3).q).toEqual(fresh.advance(3).q);
  });

  test("rejects other values of midpoint", () => {
    expect(() => welch({ midpoint: "mean" as never })).toThrow(
      'welch: midpoint is "mean"; give "turned" or "printed"',
    );
  });
});
