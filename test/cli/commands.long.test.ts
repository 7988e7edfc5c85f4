import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findChromium } from "../support/chromium.mjs";
import { CommandLine } from "../support/command-line.js";

const line = new CommandLine();
const examples = readdirSync("examples")
  .filter((name) => !name.startsWith("equations-"))
  .map((name) => name.replace(/\.json$/, ""));

/** Reports that differ in what they draw: events, rods, a spinning body, tyres on a road, redundant joints, ropes. */
const PLAYED = ["bouncing-ball", "chain", "gyroscope", "hmmwv", "slider-crank", "trebuchet"];
/** A tree, a loop, events, and stiff motion: motions of all examples are compared where models are tested. */
const COMPARED = ["bouncing-ball", "double-pendulum", "slider-crank", "stiff-pendulum"];

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const executablePath = findChromium();
let browser: Browser | undefined;

beforeAll(async () => {
  await line.installed();
  if (executablePath === undefined) return;
  browser = await chromium.launch({ executablePath, args: FLAGS });
});
afterAll(async () => {
  await browser?.close();
  line.remove();
});

/** Opens a written page, performs an action on it and returns the errors that occurred. */
async function opened(
  path: string,
  look: (page: Awaited<ReturnType<Browser["newPage"]>>) => Promise<void>,
): Promise<string[]> {
  // Small: pictures are drawn without a graphics card here.
  const page = await (browser as Browser).newPage({ viewport: { width: 480, height: 360 } });
  const address = pathToFileURL(join(line.folder, path)).href;
  const wrong: string[] = [];
  page.on("console", (message) => wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== address) wrong.push(`it asked for ${request.url()}`);
  });
  await page.goto(address);
  await look(page);
  await page.close();
  return wrong;
}

const read = (path: string) => readFileSync(join(line.folder, path), "utf8");

describe.each(examples)("%s", (name) => {
  test("runs and writes a report, a table and data", async () => {
    const { code, out, err } = await line.nodrift(["run", name]);
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toMatch(/status +(finished|event)/);
    expect(out).toMatch(/drift +largest constraint error/);
    const [report, table, data] = ["report.html", "motion.csv", "solution.json"].map((file) =>
      read(`${name}-results/${file}`),
    );
    expect(report.length).toBeLessThan(1_000_000);
    expect(report.includes('class="card animation"')).toBe(true);
    const [header, ...rows] = table.trimEnd().split("\r\n");
    const { times, columns, status } = JSON.parse(data) as {
      times: number[];
      columns: Record<string, (number | null)[]>;
      status: string;
    };
    expect(["finished", "event"]).toContain(status);
    expect(rows.length).toBe(times.length);
    expect(times.length).toBeGreaterThan(10);
    // Names may have commas, and are then in quotes.
    expect(header.match(/"[^"]*"|[^,]+/g)).toHaveLength(Object.keys(columns).length + 1);
    expect(rows.map((row) => Number(row.split(",")[0]))).toEqual(times);
    expect(Object.values(columns).every((column) => column.length === times.length)).toBe(true);
  });

  test("passes the check command", async () => {
    const { code, out, err } = await line.nodrift(["check", name, "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const found = JSON.parse(out) as Record<string, number> & {
      redundant: unknown[];
      start: { residual: number };
    };
    expect(found.rows - found.rank).toBeGreaterThanOrEqual(found.redundant.length > 0 ? 1 : 0);
    expect(6 * found.bodies - found.rank).toBe(found.degreesOfFreedom);
    expect(found.start.residual).toBeLessThan(1e-9);
  });
});

test.skipIf(executablePath === undefined).each(PLAYED)("%s plays in a browser", async (name) => {
  const wrong = await opened(`${name}-results/report.html`, async (page) => {
    const clock = () => page.locator("output.clock").textContent();
    const before = await clock();
    const picture = await page.locator("canvas").first().screenshot();
    await expect.poll(clock).not.toBe(before);
    // The motion is visible; the chain and the gyroscope are slow at first.
    await page.locator("input[type=range]").fill("600");
    const later = await page.locator("canvas").first().screenshot();
    expect(later.equals(picture)).toBe(false);
    expect(await page.locator("figure.plot canvas").count()).toBeGreaterThanOrEqual(3);
  });
  expect(wrong).toEqual([]);
});

test.each(COMPARED)("%s is solved by two methods that agree", async (name) => {
  const { code, out } = await line.nodrift([
    "compare",
    name,
    "--methods",
    "dp5,projection + rk4",
    "--tolerances=1e-6",
    "--steps=1e-5",
    "--until=0.004",
    "--json",
  ]);
  expect(code).toBe(0);
  const { runs } = JSON.parse(out) as { runs: { error: number; status: string }[] };
  expect(runs.map(({ status }) => status)).toEqual(["finished", "finished"]);
  for (const { error } of runs) expect(error).toBeLessThan(1e-5);
  expect(statSync(join(line.folder, `${name}-comparison.html`)).size).toBeLessThan(1e6);
});

describe("results of the command line", () => {
  test("the pen of the Peaucellier linkage stays on its line", async () => {
    await line.nodrift(["run", "peaucellier", "--formats", "json", "--out", "straight"]);
    const { columns } = JSON.parse(read("straight/solution.json")) as {
      columns: Record<string, number[]>;
    };
    const off = Math.max(...columns["off the line"].map(Math.abs));
    expect(off).toBeLessThan(1e-9);
    expect(Math.max(...columns["pen z"])).toBeGreaterThan(3);
  });

  test("the vehicle is where an independent implementation has it", async () => {
    const args = ["run", "hmmwv", "--tolerance=1e-5", "--until=2", "--formats=json", "--out=car"];
    const { code } = await line.nodrift(args);
    expect(code).toBe(0);
    const { times, columns } = JSON.parse(read("car/solution.json")) as {
      times: number[];
      columns: Record<string, number[]>;
    };
    const height = (time: number) =>
      columns["chassis height"][times.findIndex((t) => Math.abs(t - time) < 1e-9)];
    expect(Math.abs(height(0.6) - 0.721677)).toBeLessThan(1e-4);
    expect(Math.abs(height(1) - 0.706709)).toBeLessThan(1e-4);
    expect(Math.abs(height(2) - 0.709914)).toBeLessThan(1e-4);
  });

  test("balls bounce when they should", async () => {
    await line.nodrift(["run", "bouncing-ball", "--formats=json", "--out=ball"]);
    const { events } = JSON.parse(read("ball/solution.json")) as { events: { time: number }[] };
    const fall = Math.sqrt((2 * 1.9) / 9.81);
    expect(events[0].time).toBeCloseTo(fall, 10);
    expect(events[1].time).toBeCloseTo(fall * (1 + 2 * 0.8), 10);
  });
});

describe("the other commands", () => {
  test("examples are listed, copied, and not overwritten", async () => {
    const { out } = await line.nodrift(["examples"]);
    for (const name of examples) expect(out).toContain(name);
    expect((await line.nodrift(["examples", "pendulum"])).code).toBe(0);
    const copy = read("pendulum.json");
    const schema = (JSON.parse(copy) as { $schema: string }).$schema;
    expect(existsSync(join(line.folder, schema))).toBe(true);
    const again = await line.nodrift(["examples", "pendulum"]);
    expect(again.code).toBe(4);
    expect(again.err).toContain("exists; not overwritten");
    expect((await line.nodrift(["run", "pendulum.json", "--formats=none"])).code).toBe(0);
  });

  test("the schema is printed as it is published", async () => {
    const { out } = await line.nodrift(["schema"]);
    expect(JSON.parse(out)).toEqual(
      JSON.parse(read("node_modules/nodrift/dist/model-1.schema.json")),
    );
  });

  test("a table of a paper is reproduced, with a page", async () => {
    const { code, out } = await line.nodrift(["reproduce", "welch-table-2"]);
    expect(code).toBe(0);
    expect(out).toMatch(/\b0 missed/);
    expect(out).toContain("1.0856");
    expect(read("reproduction.html").includes("Welch")).toBe(true);
  });

  test.skipIf(executablePath === undefined)("pages of tables and comparisons open", async () => {
    for (const path of ["reproduction.html", "slider-crank-comparison.html"]) {
      const wrong = await opened(path, async (page) => {
        expect(await page.locator("table").count()).toBeGreaterThan(0);
      });
      expect(wrong).toEqual([]);
    }
  });

  test("kernels are measured", async () => {
    const { code, out } = await line.nodrift(["bench", "cholesky", "--quick"]);
    expect(code).toBe(0);
    expect(out).toMatch(/vs .*ml-matrix/);
  });

  test("check prints the coordinates and the reason for them", async () => {
    const { out } = await line.nodrift(["check", "two-four-bars"]);
    expect(out).toMatch(/coordinates +relative: a tree of \d+ joints/);
    const json = JSON.parse((await line.nodrift(["check", "two-four-bars", "--json"])).out);
    expect(json.integrated).toMatchObject({ kind: "relative", zeroRows: expect.any(Array) });
    expect(json.integrated.nodes).toHaveLength(json.bodies);
  });

  test("check prints the equilibrium and its joint reactions", async () => {
    const { code, out } = await line.nodrift(["check", "pendulum", "--json"]);
    expect(code).toBe(0);
    const { equilibrium, about } = JSON.parse(out) as {
      about: string;
      equilibrium: {
        stability: string;
        frequencies: number[];
        positions: Record<string, number[]>;
        reactions: Record<string, { force: number[] }>;
      };
    };
    expect([about, equilibrium.stability]).toEqual(["frozen state", "stable"]);
    expect(2 * Math.PI * equilibrium.frequencies[0]).toBeCloseTo(Math.sqrt(1.5 * 9.81), 8);
    expect(equilibrium.positions.rod[2]).toBeCloseTo(-0.5, 10);
    expect(equilibrium.reactions.hinge.force[2]).toBeCloseTo(9.81, 8);
  });

  test("counts only rows that act at the start of equations whose rows switch", async () => {
    const input = JSON.stringify({
      nodrift: 1,
      name: "rope",
      units: "SI",
      equations: {
        coordinates: ["x", "y"],
        mass: [1, 1],
        holonomic: { rope: "x^2 + y^2 - 1" },
        when: { rope: "x^2 + y^2 - 1" },
        start: { x: 0.6 },
      },
    });
    const { code, out } = await line.nodrift(["check", "-", "--json"], { input });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: ["rope"], start: { residual: 0 } });
  });

  test("models are read from standard input", async () => {
    const input = readFileSync("examples/pendulum.json", "utf8");
    const { code, out } = await line.nodrift(["check", "-"], { input });
    expect(code).toBe(0);
    expect(out).toMatch(/degrees of freedom +1$/m);
  });
});
