// Reports of runs: their plots against the columns of the solution.

import { equations } from "nodrift";
import { compile, model, rod } from "nodrift/bodies";
import { report } from "nodrift/report";
import { ode, solve } from "nodrift/solve";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { PageData } from "../../src/report/encode.js";
import { decodeNumbers } from "../../src/report/encode.js";

afterEach(() => vi.restoreAllMocks());

function plotsIn(html: string) {
  const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)!;
  const { plots, scenes } = JSON.parse(text) as PageData;
  const found = new Map(
    plots.map(({ title, series, x }) => [
      title,
      {
        x,
        series: new Map(
          series.map((each) => [each.name, { x: decodeNumbers(each.x), y: decodeNumbers(each.y) }]),
        ),
      },
    ]),
  );
  return { plots: found, scenes };
}

/** A hanging chain of links; the first is driven, and a closure damps the last. */
function chain(links: number) {
  const m = model({ name: "chain" });
  let before = m.ground;
  const bodies = Array.from({ length: links }, (_, i) => {
    const body = m.body({
      name: `link ${i + 1}`,
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [i + 0.5, 0, 0],
    });
    const joint = m.revolute({
      name: `pin ${i + 1}`,
      between: [before, body],
      at: [i, 0, 0],
      axis: [0, 1, 0],
    });
    if (i === 0) m.driveAngle({ name: "motor", joint, angle: (t) => 0.3 * Math.sin(t) });
    before = body;
    return body;
  });
  m.userForce({
    bodies: [bodies.at(-1)!],
    apply: ([{ velocity }], [{ force }]) => {
      for (let i = 0; i < 3; i++) force[i] -= 0.5 * velocity[i];
    },
  });
  return m;
}

describe("report of a mechanism with a closure", () => {
  test("plots each joint once, and its drive separately", async () => {
    const solution = solve(await compile(chain(22)), { span: [0, 0.2], output: { rate: 100 } });
    const { plots, scenes } = plotsIn(report(solution));
    expect(scenes).toHaveLength(1);
    const lines = (start: string) =>
      [...plots]
        .filter(([title]) => title.startsWith(start))
        .flatMap(([, { series }]) => [...series.keys()]);
    const pins = Array.from({ length: 22 }, (_, i) => `pin ${i + 1}`);
    expect(lines("Reaction forces").sort()).toEqual([...pins].sort());
    expect(lines("Joint angles").sort()).toEqual([...pins].sort());
    expect(lines("Torques of drives")).toEqual(["motor"]);
    const { y } = plots.get("Torques of drives")!.series.get("motor")!;
    const expected = solution.joint("motor").driveForce!;
    const most = Math.max(...expected.map(Math.abs));
    for (const [i, value] of y.entries())
      expect(Math.abs(value - expected[i])).toBeLessThan(1e-5 * most);
  });

  test("does not depend on how fast the machine is", async () => {
    const solution = solve(await compile(chain(3)), { span: [0, 0.5], output: { rate: 40 } });
    const quick = report(solution);
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 1e4;
      return now;
    });
    expect(report(solution)).toBe(quick);
  });

  test("plots chosen quantities and user-defined functions", async () => {
    const solution = solve(await compile(chain(2)), { span: [0, 0.5], output: { rate: 40 } });
    const html = report(solution, {
      title: "<b>",
      quantities: ["speeds"],
      plots: [
        {
          title: "Tip",
          unit: "m",
          curves: { height: (state) => state.body("link 2").point([0.5, 0, 0])[2] },
          x: { label: "x", unit: "m", read: (state) => state.body("link 2").position[0] },
        },
      ],
    });
    expect(html).toContain("<title>&lt;b&gt;</title>");
    const { plots } = plotsIn(html);
    expect([...plots.keys()]).toEqual(["Tip", "Body speeds"]);
    const { x, y } = plots.get("Tip")!.series.get("height")!;
    const end = solution.end.body("link 2");
    expect(x.at(-1)).toBeCloseTo(end.position[0], 5);
    expect(y.at(-1)).toBeCloseTo(end.point([0.5, 0, 0])[2], 5);
  });
});

test("report of equations plots coordinates, phases, multipliers and energy, and overlays two solutions", () => {
  const pendulum = equations({
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -9.81],
    holonomic: { rows: 1, value: ([x, y]) => [x * x + y * y - 1] },
  });
  const start = { span: [0, 1] as const, q: [1, 0], output: { rate: 20 } };
  const tight = solve(pendulum, { ...start, tolerance: 1e-9 });
  const loose = solve(pendulum, { ...start, tolerance: 1e-3 });
  const { plots, scenes } = plotsIn(report({ tight, loose }));
  expect(scenes).toHaveLength(0);
  expect([...plots.keys()]).toEqual([
    "Coordinates",
    "Velocities",
    "x' against x",
    "y' against y",
    "Multipliers",
    "Energy",
    "Constraint error",
  ]);
  const { series, x } = plots.get("x' against x")!;
  expect(x.label).toBe("x");
  expect([...series.keys()]).toEqual(["x', tight", "x', loose"]);
  const { x: places, y: speeds } = series.get("x', tight")!;
  // From rest at the height of the pivot: v^2 = 2 g h, with the component x' = -y v.
  for (const [i, place] of places.entries()) {
    const height = Math.sqrt(Math.max(0, 1 - place * place));
    expect(Math.abs(speeds[i])).toBeCloseTo(height * Math.sqrt(2 * 9.81 * height), 3);
  }
});

const decay = ode({
  names: ["y"],
  rate: (_t, [y], out) => {
    out[0] = -y;
  },
  y: [1],
});

test("report of an ode omits constraints", () => {
  const html = report(solve(decay, { span: [0, 1], output: { rate: 10 } }), { title: "Decay" });
  const { plots } = plotsIn(html);
  expect([...plots.keys()]).toEqual(["Coordinates"]);
  expect(plots.get("Coordinates")!.series.get("y")!.y.at(-1)).toBeCloseTo(Math.exp(-1), 5);
  expect(html).not.toContain("largest constraint error");
});

test.each([
  [{ titel: "" }, /unknown option "titel".*title/],
  [{ title: 5 }, /title is 5; give a string/],
  [{ quantities: ["angle"] }, /"angle" is not a quantity of equations/],
  [{ plots: [{}] }, /give \{ title, curves \}/],
  [{ plots: [{ title: "", curves: ["z"] }] }, /"z" is not a quantity of this system/],
])("report rejects %j", (options, message) => {
  const solution = solve(decay, { span: [0, 1] });
  expect(() => report(solution, options as never)).toThrow(message);
  expect(() => report(5 as never)).toThrow(/give a solution of solve/);
});
