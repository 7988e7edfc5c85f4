// Report of coordinates and trees, and the effect of pins.

import { compile, type Model, model, rod } from "nodrift/bodies";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { arm, fourBar, manyJoints } from "./support/models.js";

describe("report.coordinates", () => {
  test("contains the choice and its reason", async () => {
    const chosen = (await compile(arm())).report.coordinates;
    expect(chosen.kind).toBe("relative");
    expect(chosen.why).toMatch(
      /^a tree of 2 joints, no constraints remain; about \d+ multiplications/,
    );
    const asked = await compile(arm(), { coordinates: "maximal" });
    expect(asked.report.coordinates).toEqual({ kind: "maximal", why: "requested" });
    const loop = (await compile(fourBar(), { coordinates: "relative" })).report.coordinates;
    expect(loop.why).toMatch(/^requested; a tree of 3 joints, 2 constraints of 1 joint/);
    const plain = (await compile(arm(), { unnormalisedEulerParameters: true })).report.coordinates;
    expect(plain).toMatchObject({
      kind: "maximal",
      why: expect.stringMatching(/Euler parameters/),
    });
    const free = (await compile(manyJoints())).report.coordinates;
    expect(free.why).toMatch(/^a tree of 5 joints and 1 free body, no constraints remain/);
  });

  test("reports by how much an initial state is open", async () => {
    const m = model({ name: "open" });
    const body = m.body({
      name: "rod",
      mass: 1,
      shape: rod({ length: 1, axis: [1, 0, 0] }),
      position: [0.5, 0, 0],
    });
    const mark = body.marker({ at: [-0.5, 0, 3e-6] });
    m.spherical({ name: "ball", between: [m.ground.marker({ at: [0, 0, 0] }), mark] });
    const { report } = await compile(m, { start: "asGiven" });
    expect(report.coordinates.kind).toBe("maximal");
    expect(report.coordinates.why).toMatch(/^the start leaves joints open by 3e-6/);
  });

  test("says maximal for loops far from the origin, but relative for trees there", async () => {
    const { report } = await compile(fourBar("pin 0", 1e6));
    expect(report.coordinates.kind).toBe("maximal");
    expect(report.coordinates.why).toMatch(/^closed loops are 1e\+6 from the origin/);
    expect((await compile(arm(1e6))).report.coordinates.kind).toBe("relative");
  });

  test("says maximal if a joint would move almost no inertia", async () => {
    // The remaining mass of light + heavy - heavy is rounding.
    const m = model({ name: "dust", gravity: [1, 0, 0] });
    const light = m.body({ name: "light", mass: 1e-9, inertia: [1e-15, 1e-15, 1e-15] });
    const heavy = m.body({ name: "heavy", mass: 1e6, inertia: [1e6, 1e6, 1e6] });
    m.prismatic({ name: "rail", between: [m.ground, light], axis: [1, 0, 0] });
    m.prismatic({ name: "slide", between: [light, heavy], axis: [1, 0, 0] });
    const system = await compile(m);
    expect(system.report.coordinates.kind).toBe("maximal");
    expect(system.report.coordinates.why).toMatch(/almost no inertia/);
    const { status, end } = solve(system, { span: [0, 1] });
    expect(status).toBe("finished");
    expect(end.body("light").position[0]).toBeCloseTo(0.5, 9);
  });

  test("appears in simulations and solutions, with a method that needs another choice", async () => {
    const system = await compile(arm());
    expect(system.simulate({ step: 1e-3 }).coordinateChoice).toBe(system.report.coordinates);
    const coupled = system.simulate({ step: 1e-3, method: parseMethod("welch") }).coordinateChoice;
    expect(coupled.kind).toBe("maximal");
    expect(coupled.why).toMatch(/welch/);
    expect(solve(system, { span: [0, 0.1] }).coordinateChoice).toEqual(system.report.coordinates);
    const solved = solve(system, {
      span: [0, 0.1],
      method: parseMethod("maggi(lu) + rk4"),
      step: 1e-2,
    });
    expect(solved.coordinateChoice).toMatchObject({
      kind: "maximal",
      why: expect.stringMatching(/maggi/),
    });
  });
});

describe("report.tree", () => {
  test("names bodies, joints, parents and coordinates", async () => {
    const { tree } = (await compile(arm())).report;
    expect(tree).toEqual({
      nodes: [
        {
          body: "upper",
          joint: "shoulder",
          parent: "ground",
          positions: ["shoulder angle"],
          velocities: ["shoulder angle"],
        },
        {
          body: "lower",
          joint: "elbow",
          parent: "upper",
          positions: ["elbow angle"],
          velocities: ["elbow angle"],
        },
      ],
      cut: [],
      free: [],
      rows: [],
      zeroRows: [],
    });
    const many = (await compile(manyJoints())).report.tree;
    expect(many.free).toEqual(["root"]);
    expect(
      many.nodes.map(({ positions, velocities }) => [positions.length, velocities.length]),
    ).toEqual([
      [7, 6],
      [2, 2],
      [2, 2],
      [3, 3],
      [4, 3],
      [1, 1],
    ]);
  });

  test.each(["relative", "maximal"] as const)(
    "omits rows of a planar loop that are always zero, %s",
    async (coordinates) => {
      const { tree } = (await compile(fourBar(), { coordinates })).report;
      expect(tree.cut).toHaveLength(1);
      expect(tree.rows).toHaveLength(2);
      expect(tree.zeroRows).toHaveLength(3);
      for (const row of [...tree.rows, ...tree.zeroRows])
        expect(row).toMatch(new RegExp(`^${tree.cut[0]}: `));
    },
  );

  test("follows pins", async () => {
    for (const name of ["pin 0", "pin 1", "pin 2", "pin 3"]) {
      const { report } = await compile(fourBar(), { tree: { cut: [name] } });
      expect(report.tree.cut).toEqual([name]);
    }
    const kept = (await compile(fourBar(), { tree: { keep: ["pin 1", "pin 2", "pin 3"] } })).report;
    expect(kept.tree.cut).toEqual(["pin 0"]);
    expect(kept.tree.nodes.map(({ body }) => body)).toEqual(["rocker", "coupler", "crank"]);
    const freed = (await compile(fourBar(), { tree: { free: ["coupler"] } })).report.tree;
    expect(freed.free).toEqual(["coupler"]);
    expect(freed.cut).toHaveLength(2);
  });

  test("does not affect the motion, however the loop is cut", async () => {
    const end = async (tree: { cut?: string[]; free?: string[] }) => {
      const joints = { "pin 0": { angleRate: 2 } };
      const system = await compile(fourBar(), { coordinates: "relative", joints, tree });
      return system.simulate({ step: 1e-3 }).runTo(0.5).body("rocker").position;
    };
    const [one, ...others] = [
      await end({ cut: ["pin 3"] }),
      await end({ cut: ["pin 1"] }),
      await end({ free: ["coupler"] }),
    ];
    for (const other of others) {
      for (const [i, x] of other.entries()) expect(x).toBeCloseTo(one[i], 8);
    }
  });

  test("keeps the pins of the remaining joints in a mode", async () => {
    const system = await compile(fourBar(), { tree: { cut: ["pin 1"] } });
    expect(system.without("pin 1").report.tree.cut).toEqual([]);
    expect(system.without("pin 3").report.tree.cut).toEqual(["pin 1"]);
  });

  test("rejects contradictory pins", async () => {
    const refused = (tree: object, text: RegExp, m: Model = fourBar()) =>
      expect(compile(m, { tree })).rejects.toThrow(text);
    await refused({ cut: ["pin"] }, /four-bar: tree: cut: there is no joint "pin".*pin 0/);
    await refused({ free: ["cranck"] }, /there is no body "cranck".*crank/);
    await refused(
      { keep: ["pin 0", "pin 1", "pin 2", "pin 3"] },
      /closes a loop of joints that are kept/,
    );
    await refused({ cut: ["pin 0"], keep: ["pin 0"] }, /in cut and in keep/);
    await refused({ cuts: ["pin 0"] }, /tree\.cuts is not an option.*cut/);
    await refused({ cut: "pin 0" }, /tree\.cut is "pin 0"; give a list of joints, or their names/);
  });
});
