// Implicit methods on mechanisms in relative coordinates: the same motion and similar cost as in maximal ones.

import { type Body, compile, type Model, model, rod } from "nodrift/bodies";
import { hmmwv } from "nodrift/mechanisms";
import { radau5, rodas, sdirk4, solve, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { bushedChain, hingedChain } from "../support/stiff-chains.js";

/** Links on ball joints, with stiff bushings that bend, and a body that only springs hold. */
function balls(): Model {
  const m = model({ name: "balls", gravity: [0, 0, -9.81] });
  let last: Body = m.ground;
  for (let i = 0; i < 4; i++) {
    const link = m.body({
      name: `link ${i}`,
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [i + 0.5, 0, 0],
      angularVelocity: [1, 0, 0],
    });
    m.spherical({ name: `ball ${i}`, between: [last, link], at: [i, 0, 0] });
    m.bushing({
      between: [last, link],
      at: [i, 0, 0],
      stiffness: { translation: 0, rotation: 1e4 },
      damping: { translation: 0, rotation: 30 },
    });
    last = link;
  }
  const ballast = m.body({ name: "ballast", mass: 2, inertia: [1, 1, 2], position: [4, 0, -1] });
  m.spring({ between: [last, ballast], stiffness: 2e4, damping: 50, length: 1 });
  return m;
}

const models = {
  "hinges with torsion springs": () => hingedChain(12),
  "a deep chain": () => hingedChain(45),
  "bushings on free bodies": () => bushedChain(3),
  "balls with bushings": balls,
  HMMWV: () => hmmwv(),
};
const integrators = { sdirk4: sdirk4(), radau5: radau5(), rodas: rodas() };

describe.each(Object.entries(models))("relative coordinates for %s", (_, make) => {
  test.each(Object.entries(integrators))(
    "match maximal coordinates with %s",
    async (_name, integrator) => {
      const [maximal, relative] = await Promise.all(
        (["maximal", "relative"] as const).map((coordinates) => compile(make(), { coordinates })),
      );
      const method = { formulation: stateSpace(), integrator };
      const given = { span: [0, 0.2], output: "ends" } as const;
      const run = (source: typeof maximal) => solve(source, { ...given, tolerance: 1e-5, method });
      const [one, other] = [run(maximal), run(relative)];
      const best = { formulation: stateSpace(), integrator: radau5() };
      const exact = solve(maximal, { ...given, tolerance: 1e-8, method: best });
      expect(other.statistics.implicit?.jacobianSource).toBe("analytic");
      for (const found of [one, other, exact]) expect(found.status).toBe("finished");
      const error = (found: typeof one) =>
        Math.max(...exact.end.q.map((value, i) => Math.abs(value - found.end.q[i])));
      expect(error(other)).toBeLessThan(Math.max(3 * error(one), 1e-5));
      const work = (found: typeof one) => found.statistics.steps + found.statistics.rejections;
      expect(Math.abs(work(other) - work(one))).toBeLessThanOrEqual(Math.max(3, 0.25 * work(one)));
    },
  );
});
