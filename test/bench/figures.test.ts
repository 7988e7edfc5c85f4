// `npm run figures` on test groups: stored results, comparisons and exit codes.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { atLeast, atMost, type Figure, reported } from "../../bench/figures/figure.js";
import { runFigures } from "../../bench/support/figure-run.js";
import { newestBefore, readFigures, storedVersions } from "../../bench/support/figure-store.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodrift-figures-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs with these figures, and returns the exit code, the results and the other output. */
async function run(
  line: string,
  figures: Readonly<Record<string, readonly Figure[]>>,
  version = "0.2.0",
) {
  const results: Record<string, unknown>[] = [];
  const said: string[] = [];
  const code = await runFigures(line.split(" ").filter(Boolean), {
    groups: Object.fromEntries(
      Object.entries(figures).map(([name, list]) => [
        name,
        async function* () {
          yield* list;
        },
      ]),
    ),
    folder,
    version,
    machine: { cores: 2 },
    print: (text) => results.push(JSON.parse(text)),
    tell: (text) => said.push(text),
  });
  return { code, results, said: said.join("\n") };
}

const met = { speed: [atLeast("times faster", 3, 2)], size: [atMost("kB", 50, 52)] };
const slow = { ...met, speed: [atLeast("times faster", 1.5, 2)] };

describe("without a comparison", () => {
  test("prints figures unchanged, and exits with 1 after a miss", async () => {
    expect(await run("", met)).toMatchObject({ code: 0, results: [...met.speed, ...met.size] });
    expect(await run("speed", slow)).toMatchObject({ code: 1, results: slow.speed });
    expect(await run("size", slow)).toMatchObject({ code: 0, results: met.size });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("exits with 2 for unknown arguments, without measuring", async () => {
    for (const [line, said] of [
      ["sped", 'no figures named "sped"; there are: speed, size'],
      ["toString", 'no figures named "toString"; there are: speed, size'],
      ["speed --stor", 'no option "--stor"; there are: --store, --against [VERSION]'],
      ["--against 0.1.0", "no figures of 0.1.0 are stored; there are: none"],
      ["--against", "no figures from before 0.2.0 are stored; there are: none"],
    ]) {
      expect(await run(line, met)).toEqual({ code: 2, results: [], said });
    }
  });
});

describe("--store", () => {
  test("keeps groups by version with the machine, and leaves other groups and versions alone", async () => {
    await run("--store", met, "0.1.0");
    await run("speed --store", slow, "0.2.0");
    await run("--store speed", slow, "0.1.0");
    expect(storedVersions(folder)).toEqual(["0.1.0", "0.2.0"]);
    const machine = { cores: 2 };
    expect(readFigures(folder, "0.2.0")).toEqual({
      version: "0.2.0",
      groups: { speed: { machine, figures: slow.speed } },
    });
    expect(readFigures(folder, "0.1.0").groups).toEqual({
      speed: { machine, figures: slow.speed },
      size: { machine, figures: met.size },
    });
    expect(readFileSync(join(folder, "0.1.0.json"), "utf8")).toMatch(/\}\n$/);
  });

  test("does not store a group that fails half-way", async () => {
    const broken = async function* (): AsyncGenerator<Figure> {
      yield reported("one", 1);
      throw new Error("no machine");
    };
    const settings = { folder, version: "0.2.0", machine: {}, print: () => {}, tell: () => {} };
    const failing = runFigures(["--store"], { ...settings, groups: { broken } });
    await expect(failing).rejects.toThrow("no machine");
    expect(storedVersions(folder)).toEqual([]);
  });
});

describe("--against", () => {
  test("marks and names a figure that now misses its target, and exits with 1", async () => {
    await run("--store", met, "0.1.0");
    const { code, results, said } = await run("--against 0.1.0", slow);
    expect(code).toBe(1);
    expect(results).toEqual([
      { ...slow.speed[0], before: 3, verdict: "regressed" },
      { ...met.size[0], before: 50, verdict: "met" },
    ]);
    expect(said).toBe("met in 0.1.0, missed now (1):\n  times faster");
  });

  test("old misses, new, renamed and informative figures are no regression", async () => {
    const before = [
      atMost("a", 3, 2),
      atMost("b", 3, 2),
      reported("told", 7),
      atMost("gone", 1, 2),
    ];
    const now = [atMost("a", 4, 2), atMost("b", 1, 2), reported("told", 9), atMost("new", 3, 2)];
    await run("--store", { g: before }, "0.1.0");
    const { code, results, said } = await run("--against 0.1.0", { g: now });
    expect(code).toBe(0);
    const verdicts = results.map(({ figure, before, verdict }) => [figure, before, verdict]);
    expect(verdicts).toEqual([
      ["a", 3, "missed before"],
      ["b", 3, "recovered"],
      ["told", 7, "met"],
      ["new", undefined, "new"],
    ]);
    expect(said).toBe("stored, and not measured now: gone");
  });

  test("shows a target that was loosened", async () => {
    await run("--store", { g: [atMost("a", 1, 2)] }, "0.1.0");
    const { results } = await run("--against 0.1.0", { g: [atMost("a", 3, 4)] });
    expect(results).toEqual([
      { ...atMost("a", 3, 4), before: 1, targetBefore: "<= 2", verdict: "met" },
    ]);
  });

  test("compares figures of equal name in order, and keeps values that are not finite", async () => {
    const figures = [atMost("a", Number.NaN, 2), atMost("a", 1, 2)];
    await run("--store", { g: figures }, "0.1.0");
    const { results } = await run("--against 0.1.0", { g: figures });
    expect(results.map(({ before, verdict }) => [before, verdict])).toEqual([
      [null, "missed before"],
      [1, "met"],
    ]);
  });

  test("reports a group that was not stored as new", async () => {
    await run("size --store", met, "0.1.0");
    const { code, results, said } = await run("speed --against 0.1.0", slow);
    expect([code, results[0].verdict]).toEqual([0, "new"]);
    expect(said).toContain('0.1.0 has no stored figures of the group "speed"');
  });

  test("without a version it takes the latest older one, in numerical order", async () => {
    for (const version of ["0.10.0", "0.9.1", "0.2.0", "1.0.0"]) await run("--store", met, version);
    expect(storedVersions(folder)).toEqual(["0.2.0", "0.9.1", "0.10.0", "1.0.0"]);
    expect(newestBefore(folder, "1.0.0")).toBe("0.10.0");
    expect(newestBefore(folder, "0.10.0")).toBe("0.9.1");
    expect(newestBefore(folder, "0.2.0")).toBeUndefined();
    await run("--store", { g: [atMost("a", 1, 2)] }, "0.10.0");
    const { code, said } = await run("g --against", { g: [atMost("a", 3, 2)] }, "1.0.0");
    expect([code, said]).toEqual([1, "met in 0.10.0, missed now (1):\n  a"]);
  });

  test("compares with the previously stored results if --store is given", async () => {
    await run("--store", met, "0.2.0");
    expect(await run("--store --against 0.2.0", slow)).toMatchObject({ code: 1 });
    expect(readFigures(folder, "0.2.0").groups.speed.figures).toEqual(slow.speed);
  });
});
