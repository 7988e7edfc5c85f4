// Events, impacts, modes, saved runs and drives of implicit methods in relative coordinates, compared with maximal
// ones.

import { type CompiledModel, compile, type Model, model, rod } from "nodrift/bodies";
import { stiffPendulum } from "nodrift/mechanisms";
import { radau5, sdirk4, solve, start, stateSpace } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const KINDS = ["relative", "maximal"] as const;
const integrators = { radau5: radau5(), sdirk4: sdirk4() };

const compiled = (make: () => Model) =>
  Promise.all(KINDS.map((coordinates) => compile(make(), { coordinates })));

function furthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a, (x, i) => Math.abs(x - b[i])).reduce((most, x) => Math.max(most, x), 0);
}

/** Two rods on stiff torsion springs, which swing; `driven`: the rotation of the first one is a function of time. */
function arm(driven = false): Model {
  const m = model({ name: driven ? "driven arm" : "arm", gravity: [0, -9.81, 0] });
  const bodies = [0, 1].map((i) =>
    m.body({
      name: `rod ${i}`,
      mass: 1 + i,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [i + 0.5, 0, 0],
    }),
  );
  const [first, second] = bodies.map((body, i) =>
    m.revolute({
      name: `hinge ${i}`,
      between: [i === 0 ? m.ground : bodies[0], body],
      at: [i, 0, 0],
      axis: [0, 0, 1],
    }),
  );
  if (driven) m.driveAngle({ joint: first, angle: (t: number) => 0.2 * t * t });
  else m.torsionSpring({ joint: first, stiffness: 2, damping: 0.1, angle: 0 });
  m.torsionSpring({ joint: second, stiffness: 1e5, damping: 3e2, angle: 0 });
  return m;
}

describe.each(Object.entries(integrators))("%s in relative coordinates", (_, integrator) => {
  const method = { formulation: stateSpace(), integrator };

  // The end of an implicit step is not a smooth function of its length, so that landing on an event once did not
  // terminate.
  test.each([1e-3, 1e-5, 1e-7, 1e-8])(
    "finishes a run with event actions at tolerance %d",
    async (tolerance) => {
      const [relative, maximal] = (await compiled(stiffPendulum)).map((source) =>
        solve(source, {
          span: [0, 0.1],
          tolerance,
          method,
          maximumSteps: 3000,
          events: [
            { name: "passes", when: ({ q }) => q[1] - 1e-8 },
            { name: "lands", when: ({ q }) => q[1] - 0.015, action: () => {} },
          ],
        }),
      );
      for (const each of [relative, maximal]) expect(each.status, each.reason).toBe("finished");
      expect(relative.events.map(({ name }) => name)).toEqual(
        maximal.events.map(({ name }) => name),
      );
      expect(relative.events.length).toBeGreaterThan(1);
      for (const [i, { time }] of relative.events.entries()) {
        expect(Math.abs(time - maximal.events[i].time)).toBeLessThan(
          Math.max(100 * tolerance, 1e-9),
        );
      }
    },
  );

  test("finds the impacts and modes of maximal coordinates", async () => {
    const held = (await compiled(() => arm())).map((source) =>
      solve(source, {
        span: [0, 1],
        tolerance: 1e-6,
        method,
        modes: { other: source },
        events: [
          {
            name: "floor",
            modes: ["start"],
            when: ({ q }) => q[1] + 0.2,
            direction: "falling",
            action: ({ bounce, switchTo }) => {
              bounce(0.5);
              switchTo("other");
            },
          },
        ],
      }),
    );
    const [relative, maximal] = held;
    for (const each of held) expect(each.status, each.reason).toBe("finished");
    expect(relative.events).toHaveLength(maximal.events.length);
    expect(furthest(relative.end.q, maximal.end.q)).toBeLessThan(1e-3);
  });

  test("follows a drive as in maximal coordinates", async () => {
    const [relative, maximal] = (await compiled(() => arm(true))).map((source) =>
      solve(source, { span: [0, 1], tolerance: 1e-6, method, output: "ends" }),
    );
    for (const each of [relative, maximal]) expect(each.status, each.reason).toBe("finished");
    expect(furthest(relative.end.q, maximal.end.q)).toBeLessThan(1e-4);
  });

  test("continues a saved run with the same bits", async () => {
    const [source] = await compiled(() => arm());
    const options = { span: [0, 0.5], tolerance: 1e-5, method, output: "ends" } as const;
    const whole = start(source, options);
    while (whole.step());
    const run = start(source, options);
    for (let i = 0; i < 6; i++) run.step();
    const saved = run.save();
    const other = start(source, options);
    other.restore(saved);
    while (other.step());
    expect([...other.solution().end.q]).toEqual([...whole.solution().end.q]);
  });
});

describe("coordinate choice for implicit methods", () => {
  const choose = async (make: () => Model): Promise<CompiledModel> => compile(make());
  const coordinates = (source: CompiledModel) =>
    start(source, {
      span: [0, 0.01],
      integrator: radau5(),
    }).solution().coordinateChoice;

  test("selects relative coordinates if stages cost less there", async () => {
    expect(coordinates(await choose(() => arm()))?.kind).toBe("relative");
  });

  test("selects maximal coordinates for long chains of balls, with the reason", async () => {
    const found = coordinates(await choose(() => balls(80)));
    expect(found?.kind).toBe("maximal");
    expect(found?.why).toMatch(/stateSpace: a stage along so deep a tree takes about/);
  });
});

function balls(count: number): Model {
  const m = model({ name: "balls", gravity: [0, -9.81, 0] });
  let last = m.ground;
  for (let i = 0; i < count; i++) {
    const link = m.body({
      name: `link ${i}`,
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [i + 0.5, 0, 0],
    });
    m.spherical({ name: `ball ${i}`, between: [last, link], at: [i, 0, 0] });
    last = link;
  }
  return m;
}
