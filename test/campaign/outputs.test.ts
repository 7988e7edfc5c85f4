// Outputs against closed forms, and cases that fail.

import { readFileSync } from "node:fs";
import { type CampaignOptions, type CaseResult, campaign } from "nodrift/campaign";
import { readDocument } from "nodrift/files";
import { solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { ball, rod, study } from "./support/models.js";

async function all(options: CampaignOptions): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for await (const result of campaign(options)) results.push(result);
  return results.sort((a, b) => a.case - b.case);
}
const outputsOf = (result: CaseResult) =>
  result.status === "done" ? result.outputs : [result.reason];

test("outputs of a thrown ball match its parabola", async () => {
  const results = await all({
    model: ball,
    parameters: [{ name: "v", at: "/bodies/ball/velocity/2", values: [0, 1, 3.5] }],
    design: { type: "grid" },
    outputs: [
      { name: "end", end: "z('ball')" },
      { name: "top", maximum: "z('ball')" },
      { name: "low", minimum: "z('ball')" },
      { name: "when", timeOfMaximum: "z('ball')" },
      { name: "area", integral: "z('ball')" },
      { name: "mean", mean: "vz('ball')" },
      { name: "rms", rms: "vz('ball')" },
      { name: "floor", timeOf: "floor" },
      { name: "hits", countOf: "floor" },
      { name: "path", samples: "x('ball')", times: [0, 0.25, 0.8] },
    ],
    workers: 0,
  });
  const T = 0.8;
  for (const [i, v] of [0, 1, 3.5].entries()) {
    const z = (t: number) => 1 + v * t - 5 * t * t;
    const top = Math.min(v / 10, T);
    const floor = (v + Math.sqrt(v * v + 20)) / 10;
    const falls = floor < T;
    const square = (v * v * T - 10 * v * T * T + (100 * T ** 3) / 3) / T;
    const exact = [
      z(T),
      z(top),
      Math.min(z(T), z(0)),
      top,
      T + (v * T * T) / 2 - (5 * T ** 3) / 3,
      v - 5 * T,
      Math.sqrt(square),
      falls ? floor : null,
      falls ? 1 : 0,
      0,
      0.25,
      0.8,
    ];
    const found = outputsOf(results[i]);
    expect(found).toHaveLength(exact.length);
    for (const [k, value] of exact.entries()) {
      if (value === null) expect(found[k]).toBeNull();
      // Times of extrema have the square root of the accuracy of values.
      else expect(Math.abs(Number(found[k]) - value)).toBeLessThan(k === 3 ? 2e-7 : 1e-9);
    }
  }
});

test("the rate of a falling rod at an angle follows from its energy", async () => {
  const results = await all(
    study({
      outputs: [
        { name: "angle", end: "angle('hinge')" },
        { name: "rate", maximum: "angleRate('hinge')" },
      ],
      design: { type: "sobol", cases: 8 },
    }),
  );
  expect(results).toHaveLength(8);
  for (const result of results) {
    const [angle, rate] = outputsOf(result) as number[];
    // w^2 = 3 g sin(angle) / l, whatever the mass; the rate increases monotonically.
    expect(Math.abs(rate ** 2 / (3 * -result.parameters[0] * Math.sin(angle)) - 1)).toBeLessThan(
      1e-5,
    );
  }
});

test("a named parameter of the model needs no location", async () => {
  const spring = {
    type: "spring",
    name: "s",
    between: ["ground", "rod"],
    atA: [0, 0, 1],
    atB: [1, 0, 0],
    length: 1,
  };
  const named = {
    ...rod,
    parameters: { k: 30 },
    forces: [{ ...spring, stiffness: { parameter: "k" } }],
  };
  const plain = { ...rod, forces: [{ ...spring, stiffness: 30 }] };
  const values = [20, 40];
  const design = { type: "grid" } as const;
  const byName = await all(study({ model: named, parameters: [{ name: "k", values }], design }));
  const at = "/forces/s/stiffness";
  const byPlace = await all(
    study({ model: plain, parameters: [{ name: "k", at, values }], design }),
  );
  expect(byName.map(outputsOf)).toEqual(byPlace.map(outputsOf));
  expect(outputsOf(byName[0])).not.toEqual(outputsOf(byName[1]));
  expect(byName[0].status).toBe("done");
});

describe("failed cases", () => {
  test("keep their reason and the last accepted state", async () => {
    const results = await all(
      study({
        parameters: [{ name: "mass", at: "/bodies/rod/mass", values: [1, -1, 2] }],
        design: { type: "grid" },
      }),
    );
    expect(results.map(({ status }) => status)).toEqual(["done", "failed", "done"]);
    expect(outputsOf(results[1])[0]).toMatch(/mass/);
    const limited = await all(
      study({ limits: { maximumSteps: 2 }, design: { type: "random", cases: 2 } }),
    );
    for (const result of limited) {
      if (result.status === "done") throw new Error("two steps are not enough");
      expect(result.reason).toMatch(/maximumSteps/);
      expect(result.last?.time).toBeGreaterThan(0);
      expect(result.last?.q.length).toBeGreaterThan(0);
    }
  });

  test("include functions that throw or return no number", async () => {
    const results = await all({
      model: ({ x }) => {
        if (x === 1) throw new Error("no such part");
        return { outputs: { y: x === 2 ? Number.NaN : x } };
      },
      parameters: [{ name: "x", values: [0, 1, 2] }],
      design: { type: "grid" },
      outputs: [{ name: "y" }],
    });
    expect(results.map(outputsOf)).toEqual([[0], ["no such part"], ['output "y" is NaN']]);
  });
});

test("mistakes of the campaign are reported before any case runs", async () => {
  await expect(all(study({ outputs: [{ name: "a", end: "angle('hinch')" }] }))).rejects.toThrow(
    /hinch/,
  );
  await expect(all(study({ outputs: [{ name: "a", timeOf: "impact" }] }))).rejects.toThrow(
    /no event "impact"/,
  );
  const at = (where: string) => study({ parameters: [{ name: "m", at: where, uniform: [1, 2] }] });
  await expect(all(at("/bodies/rot/mass"))).rejects.toThrow(/the model has no \/bodies\/rot/);
  await expect(all(at("/bodies/rod/name"))).rejects.toThrow(/is not a number/);
  expect(() => campaign(study({ correlations: [{ between: ["g", "h"], value: 0.5 }] }))).toThrow(
    /"h"/,
  );
});

test("a rule ends a campaign at the same case, whatever the order", async () => {
  const run = campaign(
    study({
      design: { type: "random", cases: 500 },
      stop: [{ output: "angle", relativeErrorBelow: 1e-3, minimumCases: 20 }],
    }),
  );
  for await (const _ of run);
  const { count, done, stopReason } = run.progress;
  expect(stopReason).toMatch(/mean of "angle" is known/);
  expect(count).toBeLessThan(500);
  expect(done).toBe(count);
  const { standardError, mean } = run.statistics("angle");
  expect(standardError / mean).toBeLessThan(1e-3);
});

/** Nodes and weights of Gauss and Legendre on [-1, 1]: Abramowitz and Stegun, table 25.4. */
const GAUSS = [
  [0, 0.568888888888889],
  [0.538469310105683, 0.478628670499366],
  [-0.538469310105683, 0.478628670499366],
  [0.906179845938664, 0.236926885056189],
  [-0.906179845938664, 0.236926885056189],
] as const;

test("along runs whose modes change are those of states that are asked for one by one", async () => {
  const document = JSON.parse(readFileSync("examples/trebuchet.json", "utf8"));
  const formulas = ["az('weight')", "force('axle')", "kineticEnergy()", "speed('stone')"];
  const [result] = await all({
    model: document,
    parameters: [{ name: "m", at: "/bodies/stone/mass", values: [2] }],
    design: { type: "grid" },
    outputs: [
      ...formulas.map((rms, i) => ({ name: `rms ${i}`, rms })),
      ...formulas.map((mean, i) => ({ name: `mean ${i}`, mean })),
    ],
    workers: 0,
  });
  const file = readDocument({ ...document, output: { values: formulas } });
  const system = await file.compile();
  const solution = solve(system, file.solveOptions(system, { output: "steps" }));
  expect(solution.events.map(({ name }) => name)).toEqual(["release", "impact"]);
  const [sums, squares] = [formulas.map(() => 0), formulas.map(() => 0)];
  for (let i = 0; i + 1 < solution.length; i++) {
    const [from, to] = [solution.time[i], solution.time[i + 1]];
    if (from === to) continue;
    for (const [node, weight] of GAUSS) {
      const state = solution.at((from + to) / 2 + (node * (to - from)) / 2);
      for (const [k, { read }] of file.columns.entries()) {
        const value = read(state);
        sums[k] += (weight * value * (to - from)) / 2;
        squares[k] += (weight * value ** 2 * (to - from)) / 2;
      }
    }
  }
  const span = solution.end.time;
  const exact = [...squares.map((sum) => Math.sqrt(sum / span)), ...sums.map((sum) => sum / span)];
  const found = outputsOf(result);
  for (const [k, value] of exact.entries()) {
    expect(Math.abs(Number(found[k]) / value - 1)).toBeLessThan(1e-10);
  }
});
