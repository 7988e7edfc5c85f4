// Methods run as named: with their constraints and the given steps, and results name the methods that ran.

import { readFileSync } from "node:fs";
import { baumgarte, equations, lagrange, none, rk4 } from "nodrift";
import { compile } from "nodrift/bodies";
import { compare } from "nodrift/compare";
import { readModel } from "nodrift/files";
import { braunPendulum } from "nodrift/mechanisms";
import { parseMethod, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { randomTree } from "../support/random-mechanisms.js";

const NAMED = [
  "lagrange + none + rk4",
  "baumgarte(10, 10) + rk4",
  "driftElimination + rk4",
  "projection + rk4",
] as const;
const example = (name: string) => readFileSync(`examples/${name}.json`, "utf8");

const bob = equations({
  name: "pendulum",
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: () => [0, -9.81],
  holonomic: {
    rows: ["length"],
    value: ([x, y]) => [x! * x! + y! * y! - 1],
    jacobian: ([x, y]) => [2 * x!, 2 * y!],
    gamma: (_q, [u, w]) => [-2 * (u! * u! + w! * w!)],
  },
});
const FROM = { q: [1, 0], v: [0, 0] };

describe("a tree", () => {
  test.each([1, 2, 3])("gives named methods their constraints, seed %d", async (seed) => {
    const system = await compile(randomTree(seed).model);
    const { runs } = await compare(system, { span: [0, 1], methods: NAMED, steps: [0.005] });
    expect(runs.map(({ coordinates }) => coordinates)).toEqual(NAMED.map(() => "maximal"));
    for (const { rows } of runs) expect(rows).toBeGreaterThan(0);
    const [free, held, eliminated, projected] = runs.map(({ drift }) => drift) as [
      number,
      number,
      number,
      number,
    ];
    // Uncontrolled errors drift most; drift elimination leaves O(h^5), projection the residual of Newton's method.
    expect(free).toBeGreaterThan(1e-12);
    expect(held).not.toBe(free);
    expect(eliminated).toBeLessThan(free);
    expect(projected).toBeLessThan(1e-9);
  });

  test("keeps requested joint coordinates and reports that no constraints remain", async () => {
    const system = await compile(randomTree(1).model, { coordinates: "relative" });
    const span = [0, 0.2] as const;
    const solution = solve(system, {
      span,
      method: parseMethod("baumgarte(10, 10) + rk4"),
      step: 0.01,
    });
    const idle =
      /no constraint is left in joint coordinates, so that baumgarte.* had nothing to do/;
    expect(solution.statistics).toMatchObject({ coordinates: "relative", rows: 0 });
    expect(solution.notes.join()).toMatch(idle);
    expect(solution.coordinateChoice!.why).toMatch(idle);
    const simulation = system.simulate({
      step: 0.01,
      method: parseMethod("lagrange + none + rk4"),
    });
    expect(simulation.coordinateChoice.why).toMatch(/lagrange.* had nothing to do/);
  });

  test("uses joint coordinates if only an integrator is named", async () => {
    const system = await compile(randomTree(2).model);
    for (const options of [
      {},
      { integrator: rk4(), step: 0.01 },
      { method: parseMethod("dop853") },
    ]) {
      const { statistics, notes } = solve(system, { span: [0, 0.1], ...options });
      expect(statistics).toMatchObject({ coordinates: "relative", rows: 0 });
      expect(notes.join()).not.toMatch(/nothing to do/);
    }
    expect(system.simulate({ step: 0.01 }).coordinateChoice.kind).toBe("relative");
  });

  test("uses the coordinates that its file requests", async () => {
    const text = JSON.parse(example("double-pendulum"));
    for (const coordinates of ["relative", "maximal"]) {
      const given = { ...text, solve: { ...text.solve, span: [0, 0.1], coordinates } };
      const file = readModel(JSON.stringify(given));
      const system = await file.compile();
      expect(solve(system, file.solveOptions(system)).statistics.coordinates).toBe(coordinates);
    }
    const wrong = { ...text, solve: { ...text.solve, coordinates: "joints" } };
    expect(() => readModel(JSON.stringify(wrong))).toThrow(/coordinates.*relative/s);
  });
});

describe("equations", () => {
  test("run hong as a scheme with the given steps", async () => {
    const options = { ...FROM, span: [0, 10], methods: ["hong", "hong + none", "dop853"] } as const;
    const { runs } = await compare(bob, { ...options, steps: [0.01] });
    const [scheme, bare, order8] = runs;
    expect(scheme).toMatchObject({ method: expect.stringMatching(/^hong/), steps: 1000 });
    expect(scheme!.method).not.toContain("projection");
    // The scheme leaves O(h^2); only named parts control it.
    expect(scheme!.drift).toBeGreaterThan(1e-5);
    expect(bare!.drift).toBe(scheme!.drift);
    expect(order8!.steps).toBe(1000);
    const adaptive = await compare(bob, { ...options, methods: ["hong"], tolerances: [1e-4] });
    expect(adaptive.runs[0]!.method).toContain("projection");
  });

  test("measure errors against a given reference", async () => {
    const { q, v, description } = { ...FROM, description: bob };
    const truth = solve(description, { span: [0, 1], q, v, tolerance: 1e-11, dense: true });
    const exact = await compare(bob, {
      ...FROM,
      span: [0, 1],
      methods: ["projection + rk4"],
      steps: [0.02, 0.01],
      reference: (t) => ({ q: truth.at(t).q }),
    });
    expect(exact.reference).toBe("compared with the given reference");
    const [coarse, fine] = exact.runs;
    expect(Math.log2(coarse!.error / fine!.error)).toBeCloseTo(4, 0);
    expect(fine!.energy).toBeNaN();
    const found = await compare(bob, {
      ...FROM,
      span: [0, 1],
      methods: ["projection + rk4"],
      steps: [0.02],
    });
    expect(found.reference).toMatch(/^compared with .* at tolerance .* differs by /);
    expect(found.runs[0]!.error).toBeCloseTo(coarse!.error, 9);
  });

  test("compare custom methods, with a table and a page", async () => {
    const own = { ...rk4(), name: "mine" };
    const whole = { formulation: lagrange(), stabilisation: [none()], integrator: own };
    const gained = {
      formulation: lagrange(),
      stabilisation: baumgarte({ alpha: 9, beta: 9 }),
      integrator: rk4(),
    };
    const seen: string[] = [];
    const found = await compare(bob, {
      ...FROM,
      span: [0, 1],
      methods: [whole, gained, own, "radau5"],
      steps: [0.01],
      each: ({ method }) => seen.push(method),
    });
    expect(seen).toEqual(found.runs.map(({ method }) => method));
    expect(seen[0]).toBe("lagrange(cholesky) + none + mine");
    for (const run of found.runs) {
      expect(run.status).toBe("finished");
      expect(run.evaluations).toBeGreaterThanOrEqual(run.steps);
      expect(run.seconds).toBeGreaterThan(0);
    }
    const lines = found.table().split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^method +coordinates +rows +with/);
    expect(found.page("Mine")).toMatch(/<title>Mine/);
  });

  test("report an unsupported method by name and continue with the others", async () => {
    const { runs } = await compare(bob, {
      ...FROM,
      span: [0, 1],
      methods: ["maggi + semiImplicitEuler", "dp5"],
      steps: [0.01],
    });
    expect(runs.map(({ status }) => status)).toEqual(["refused", "finished"]);
    expect(runs[0]!.reason).toMatch(/semiImplicitEuler|maggi/);
  });

  test.each([
    [{}, /methods is missing/],
    [{ methods: "dp5" }, /methods/],
    [{ methods: [5] }, /methods\[0\] is not a method/],
    [{ methods: ["rk5"] }, /rk5/],
    [{ methods: ["rk4"], steps: [0] }, /steps\[0\]/],
    [{ methods: ["rk4"], tolerances: 1 }, /tolerances/],
    [{ methods: ["dp5"], reference: [1] }, /reference/],
  ])("refuses %j", async (given, message) => {
    await expect(compare(bob, { ...FROM, span: [0, 1], ...given } as never)).rejects.toThrow(
      message,
    );
  });
});

test("ready mechanisms can be compared", async () => {
  const { runs } = await compare(braunPendulum.equations, {
    q: braunPendulum.q,
    v: braunPendulum.v!,
    span: [0, 1],
    methods: ["projection + rk4"],
    steps: [0.01],
  });
  expect(runs[0]!.status).toBe("finished");
});
