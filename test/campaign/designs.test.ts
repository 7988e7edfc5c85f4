import { type CampaignOptions, type CaseResult, campaign } from "nodrift/campaign";
import { describe, expect, test } from "vitest";
import { normalQuantile, normalShare } from "../../campaign/design/normal.js";
import { SobolSequence } from "../../campaign/design/sobol.js";

/** Values of all cases of a design, by a function that costs nothing. */
async function valuesOf(
  options: Partial<CampaignOptions>,
): Promise<readonly (readonly number[])[]> {
  const results: CaseResult[] = [];
  const run = campaign({
    model: () => ({ outputs: { y: 0 } }),
    parameters: [],
    design: { type: "grid" },
    outputs: [{ name: "y" }],
    ...options,
  });
  for await (const result of run) results.push(result);
  return results.sort((a, b) => a.case - b.case).map(({ parameters }) => parameters);
}

const uniform = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `x${i}`, uniform: [0, 1] as const }));
const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;
const variance = (values: readonly number[]) => {
  const middle = mean(values);
  return mean(values.map((x) => (x - middle) ** 2));
};

/**
 * The square of the centred L2 discrepancy, by F. J. Hickernell's closed formula (Math. Comp. 67 (1998) 299-322).
 */
function centredDiscrepancy(points: readonly (readonly number[])[]): number {
  const [n, d] = [points.length, points[0].length];
  let [one, two] = [0, 0];
  for (const x of points) {
    one += x.reduce((product, xi) => {
      const z = Math.abs(xi - 0.5);
      return product * (1 + z / 2 - (z * z) / 2);
    }, 1);
    for (const y of points) {
      two += x.reduce((product, xi, k) => {
        const [a, b] = [Math.abs(xi - 0.5), Math.abs(y[k] - 0.5)];
        return product * (1 + a / 2 + b / 2 - Math.abs(xi - y[k]) / 2);
      }, 1);
    }
  }
  return (13 / 12) ** d - (2 * one) / n + two / (n * n);
}

describe("Sobol sequences", () => {
  // The first points as printed by P. Bratley and B. L. Fox (ACM TOMS 14, 1988) and by S. Joe and F. Y. Kuo.
  test("start as published", () => {
    const sequence = new SobolSequence(3);
    const points = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((j) => sequence.at(i, j)));
    expect(points).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  test.each([undefined, 7])("put one point in each slice of every dimension, seed %s", (seed) => {
    const sequence = new SobolSequence(100, seed);
    for (let j = 0; j < 100; j++) {
      const slices = Array.from({ length: 256 }, (_, i) => Math.floor(256 * sequence.at(i, j)));
      expect(new Set(slices).size).toBe(256);
    }
  });

  test("put one point in each elementary box in two dimensions", () => {
    const sequence = new SobolSequence(2, 3);
    for (const [a, b] of [
      [1, 64],
      [8, 8],
      [64, 1],
      [2, 32],
    ]) {
      const boxes = Array.from({ length: 64 }, (_, i) =>
        [Math.floor(a * sequence.at(i, 0)), Math.floor(b * sequence.at(i, 1))].join(),
      );
      expect(new Set(boxes).size).toBe(64);
    }
  });

  test("show a far smaller discrepancy than random points, ((5/4)^d - (13/12)^d) / n on average", async () => {
    const [n, d] = [256, 4];
    const chance = ((5 / 4) ** d - (13 / 12) ** d) / n;
    const found: number[] = [];
    for (const seed of [1, 2, 3]) {
      const points = await valuesOf({
        parameters: uniform(d),
        design: { type: "sobol", cases: n },
        seed,
      });
      found.push(centredDiscrepancy(points));
    }
    expect(mean(found)).toBeLessThan(chance / 20);
    const random: number[] = [];
    for (let seed = 0; seed < 12; seed++) {
      const points = await valuesOf({
        parameters: uniform(d),
        design: { type: "random", cases: n },
        seed,
      });
      random.push(centredDiscrepancy(points));
    }
    expect(Math.abs(mean(random) / chance - 1)).toBeLessThan(0.25);
  });
});

test("a Latin hypercube has one case in each slice of every parameter", async () => {
  const points = await valuesOf({
    parameters: uniform(5),
    design: { type: "latinHypercube", cases: 97 },
  });
  for (let j = 0; j < 5; j++) {
    expect(new Set(points.map((x) => Math.floor(97 * x[j]))).size).toBe(97);
  }
  expect(points.map((x) => x[0])).not.toEqual([...points.map((x) => x[0])].sort());
});

test("a grid combines all values", async () => {
  const points = await valuesOf({
    parameters: [
      { name: "a", values: [1, 2] },
      { name: "b", range: { from: 1, to: 100, count: 3, spacing: "log" } },
      { name: "c", formula: "a * b" },
    ],
  });
  expect(points.map(([a, b]) => [a, Math.round(1e9 * b) / 1e9])).toEqual([
    [1, 1],
    [1, 10],
    [1, 100],
    [2, 1],
    [2, 10],
    [2, 100],
  ]);
  for (const [a, b, c] of points) expect(c).toBe(a * b);
});

describe("the normal distribution", () => {
  // Abramowitz and Stegun, table 26.1 and 26.5; the far tail by asymptotics to more digits than doubles have.
  test.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [1.959963984540054, 0.975],
    [3, 0.99865010196837],
    [-8, 6.22096057427178e-16],
  ])("maps %d to the share %d and back", (x, share) => {
    expect(Math.abs(normalShare(x) / share - 1)).toBeLessThan(2e-14);
    if (x < 3) expect(Math.abs(normalQuantile(share) - x)).toBeLessThan(1e-13 * (1 + Math.abs(x)));
  });

  test("restores values from their share in the far tail", () => {
    for (const x of [-5, -10, -20, -37]) {
      expect(Math.abs(normalQuantile(normalShare(x)) / x - 1)).toBeLessThan(1e-13);
    }
  });
});

describe("random designs", () => {
  const cases = 4096;
  const draw = async (parameter: object) =>
    (
      await valuesOf({
        parameters: [{ name: "x", ...parameter }],
        design: { type: "sobol", cases },
      })
    ).map(([x]) => x);

  test("reproduce the moments of a normal distribution", async () => {
    const x = await draw({ normal: { mean: 3, deviation: 2 } });
    expect(mean(x)).toBeCloseTo(3, 3);
    expect(variance(x) / 4).toBeCloseTo(1, 2);
  });

  test("reproduce the mean of a log-normal distribution, exp(mu + s^2/2)", async () => {
    const x = await draw({ logNormal: { meanOfLog: 0.5, deviationOfLog: 0.4 } });
    expect(Math.abs(mean(x) / Math.exp(0.58) - 1)).toBeLessThan(1e-3);
  });

  test("reproduce the mean of a truncated normal distribution, (phi(a) - phi(b)) / (Phi(b) - Phi(a))", async () => {
    const x = await draw({ normal: { mean: 0, deviation: 1 }, within: [1, 2] });
    const phi = (t: number) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI);
    const exact = (phi(1) - phi(2)) / (0.977249868051821 - 0.841344746068543);
    expect(mean(x)).toBeCloseTo(exact, 4);
    expect(Math.min(...x)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...x)).toBeLessThanOrEqual(2);
  });

  test("reproduce the correlation of two parameters", async () => {
    const normal = { mean: 0, deviation: 1 };
    const points = await valuesOf({
      parameters: [
        { name: "x", normal },
        { name: "u", uniform: [0, 1] },
        { name: "w", normal },
      ],
      correlations: [{ between: ["x", "w"], value: 0.8 }],
      design: { type: "sobol", cases },
    });
    expect(mean(points.map(([x, , y]) => x * y))).toBeCloseTo(0.8, 2);
    expect(mean(points.map(([x, u]) => x * (u - 0.5)))).toBeCloseTo(0, 2);
    expect(variance(points.map(([, , y]) => y))).toBeCloseTo(1, 2);
  });
});

/**
 * T. Ishigami and T. Homma, 1990: sin x + 7 sin^2 y + 0.1 z^4 sin x. V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2.
 */
test("the indices of Ishigami's function are within 1 % of the variance", async () => {
  const [a, b] = [7, 0.1];
  const angle = ["x", "y", "z"].map((name) => ({ name, uniform: [-Math.PI, Math.PI] as const }));
  const run = campaign({
    model: ({ x, y, z }) => ({
      outputs: { f: Math.sin(x) + a * Math.sin(y) ** 2 + b * z ** 4 * Math.sin(x) },
    }),
    parameters: angle,
    design: { type: "sensitivity", base: 2048 },
    outputs: [{ name: "f" }],
  });
  for await (const { status } of run) expect(status).toBe("done");
  const v = (a * a) / 8 + (b * Math.PI ** 4) / 5 + (b * b * Math.PI ** 8) / 18 + 0.5;
  const vx = 0.5 * (1 + (b * Math.PI ** 4) / 5) ** 2;
  const vxz = b * b * Math.PI ** 8 * (1 / 18 - 1 / 50);
  const exact = {
    x: [vx / v, (vx + vxz) / v],
    y: [(a * a) / 8 / v, (a * a) / 8 / v],
    z: [0, vxz / v],
  };
  const found = run.indices("f") ?? {};
  for (const [name, [first, total]] of Object.entries(exact)) {
    expect(Math.abs(found[name].first - first)).toBeLessThan(0.01);
    expect(Math.abs(found[name].total - total)).toBeLessThan(0.01);
  }
});

test("additional cases leave the others unchanged", async () => {
  const some = await valuesOf({ parameters: uniform(3), design: { type: "sobol", cases: 20 } });
  const more = await valuesOf({ parameters: uniform(3), design: { type: "sobol", cases: 50 } });
  expect(more.slice(0, 20)).toEqual(some);
});
