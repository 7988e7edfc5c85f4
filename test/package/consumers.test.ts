import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeText } from "../../assembly/encode.mjs";
import { Project } from "../support/project.js";

const project = new Project();
let installation: string;

beforeAll(async () => {
  installation = await project.install((await project.pack()).tarball);
});
afterAll(() => project.remove());

/** The example of the documentation: prints the factor of a matrix. */
const EXAMPLE = `
const plan = new ArenaPlan();
const a = plan.reserve("A", 9);
const factor = plan.reserve("factor", choleskySlots(3));
const arena = plan.seal();
arena.floats(a).set([4, 2, 0, 2, 10, 3, 0, 3, 17]);
checkStatus("choleskyFactor", arena.kernels.choleskyFactor(3, a.address, 3, factor.address));
const diagonal = [0, 5, 10].map((i) => arena.floats(factor)[i]);
`;
const IMPORTS = 'import { ArenaPlan, checkStatus, choleskySlots, init } from "nodrift/kernels";';

/** A pendulum released from the horizontal: prints the error of its speed at the bottom, sqrt(2 g). */
const SOLVE = `
import { equations } from "nodrift";
import { solve } from "nodrift/solve";
const pendulum = equations({
  coordinates: ["x", "y"],
  mass: [1, 1],
  forces: () => [0, -9.81],
  holonomic: { rows: 1, value: ([x, y]) => [x * x + y * y - 1] },
});
const bottom = { when: ({ q: [x] }) => x, terminal: true };
const { status, end } = solve(pendulum, { span: [0, 2], q: [1, 0], tolerance: 1e-9, events: [bottom] });
console.log(status, Math.abs(Math.abs(end.v[0]) - Math.sqrt(2 * 9.81)) < 1e-7);
`;

// npm 11 warns of `prepare` in a tarball, though it does not run it there; npm 10 does neither.
test("installing runs no script, and npm warns of none", () => {
  expect(installation).toMatch(/added \d+ packages?/);
  expect(installation).not.toMatch(/script|nodrift@/i);
  const path = join(project.folder, "node_modules/nodrift/package.json");
  const { scripts } = JSON.parse(readFileSync(path, "utf8")) as { scripts: object };
  const onInstall = Object.keys(scripts).filter((name) => /install$|prepare$/.test(name));
  expect(onInstall).toEqual([]);
});

describe("Node", () => {
  test("solves a pendulum", async () => {
    project.write({ "solve.js": SOLVE });
    expect(await project.run(process.execPath, "solve.js")).toBe("event true\n");
  });

  test("runs the documented example", async () => {
    project.write({ "example.js": `${IMPORTS}${EXAMPLE}console.log(diagonal.join(" "));` });
    expect(await project.run(process.execPath, "example.js")).toBe("2 3 4\n");
  });

  test("reproduces a table", async () => {
    project.write({
      "reproduce.js": `import { reproductions } from "nodrift/reproduce";
        const table = reproductions.find(({ name }) => name === "yoon-sleigh");
        for await (const { verdict } of table.run()) console.log(verdict);`,
    });
    expect(await project.run(process.execPath, "reproduce.js")).toBe("checked\n".repeat(5));
  });

  test("finds the .wasm file by its name, and loads it", async () => {
    project.write({
      "resolve.js": `import { init } from "nodrift";
        const address = import.meta.resolve("nodrift/nodrift.wasm");
        console.log(address.startsWith("file:"), (await init(address)) === (await init()));`,
    });
    expect(await project.run(process.execPath, "resolve.js")).toBe("true true\n");
  });

  test("finds package.json, and nothing that is not exported", async () => {
    project.write({
      "deep.js": `import manifest from "nodrift/package.json" with { type: "json" };
        const code = await import("nodrift/dist/index.js").catch((error) => error.code);
        console.log(manifest.name, code);`,
    });
    const output = await project.run(process.execPath, "--no-warnings", "deep.js");
    expect(output).toBe("nodrift ERR_PACKAGE_PATH_NOT_EXPORTED\n");
  });

  test("the package has no dependency", () => {
    const installed = readdirSync(join(project.folder, "node_modules")).filter((n) => n[0] !== ".");
    expect(installed).toEqual(["nodrift"]);
  });
});

/** A mechanism, typed: what must compile and what must not. */
const BODIES = `
import { rk4, projection, udwadiaKalaba } from "nodrift";
import { compile, model, rod, type BodySimulation, type Joint, type Model, linearise } from "nodrift/bodies";
const m: Model = model({ gravity: [0, 0, -9.81] });
const arm = m.body({ name: "arm", mass: 1, shape: rod({ length: 1 }), position: [0.5, 0, 0] });
const hinge: Joint = m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
m.driveAngle({ joint: hinge, angle: (t) => t });
m.userForce({ bodies: [arm], apply: ([motion], [load], t) => { if (motion && load) load.force[0] = t; } });
const method = { formulation: udwadiaKalaba(), stabilisation: projection(), integrator: rk4() };
const simulation: BodySimulation = (await compile(m)).simulate({ step: 1e-3, method });
export const force: readonly [number, number, number] = simulation.joint(hinge.name).force({ frame: "joint" });
export const [lowest] = linearise(simulation).frequencies;
// @ts-expect-error: a body has mass
m.body({ shape: rod({ length: 1 }) });
// @ts-expect-error: two bodies
m.spherical({ between: [arm], at: [0, 0, 0] });
// @ts-expect-error: three numbers
m.spherical({ between: [m.ground, arm], at: [0, 0] });
// @ts-expect-error: no such option
m.spring({ between: [m.ground, arm], stifness: 3 });
`;

/** A solution, typed. */
const SOLUTION = `
import { compile, model, type BodyState, type CompiledModel } from "nodrift/bodies";
import { dop853, solve, start, type Run, type RunSnapshot, type Solution } from "nodrift/solve";
const m = model();
m.body({ name: "arm", mass: 1, inertia: [1, 1, 1] });
const system: CompiledModel = await compile(m);
const solution: Solution<BodyState> = solve(system, { span: [0, 1], integrator: dop853() });
export const height: number = solution.at(0.5).body("arm").position[2];
export const [x]: readonly (Float64Array | undefined)[] = solution.body("arm").position;
const run: Run<BodyState> = start(system, { span: [0, 1] });
export const saved: RunSnapshot = run.save();
// @ts-expect-error: no such option
solve(system, { span: [0, 1], tolerence: 1e-6 });
`;

/** A table, typed. */
const TABLE = `
import { reproductions, type Entry, type Verdict } from "nodrift/reproduce";
const verdicts: Verdict[] = [];
for await (const { verdict, note } of reproductions[0]?.run() ?? []) if (note) verdicts.push(verdict);
export const differenceOf = ({ reference, printed, difference }: Entry): number =>
  reference === undefined && printed === undefined ? 0 : difference;
`;

describe("TypeScript", () => {
  test.each(["nodenext", "bundler"])(
    "compiles strictly by moduleResolution %s",
    async (resolution) => {
      project.write({
        "example.ts": `${IMPORTS}${EXAMPLE}
        import { NodriftError, Status, statusCode, type Kernels, type Segment } from "nodrift/kernels";
        const segment: Segment = a;
        const kernels: Kernels = arena.kernels;
        const status: Status = statusCode(kernels.checkFinite(segment.slots, segment.address));
        export const sum: number = diagonal.reduce((x = 0, y = 0) => x + y, 0) ?? status;
        export const module: WebAssembly.Module = await init();
        // @ts-expect-error: sizes are numbers
        kernels.checkFinite("3", segment.address);
        // @ts-expect-error: null is no source
        await init(null);
        export const code = (error: NodriftError): "LOAD" | "other" => error.code === "LOAD" ? "LOAD" : "other";`,
        "bodies.ts": BODIES,
        "solution.ts": SOLUTION,
        "table.ts": TABLE,
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            target: "ES2022",
            module: resolution === "bundler" ? "esnext" : "nodenext",
            moduleResolution: resolution,
            lib: ["ES2022", "DOM"],
            types: [],
            strict: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            skipLibCheck: false,
            noEmit: true,
          },
          files: ["example.ts", "bodies.ts", "solution.ts", "table.ts"],
        }),
      });
      expect(await project.tool("tsc", "-p", ".")).toBe("");
    },
  );
});

describe("Vite", () => {
  /** Bundles index.html of a folder without configuration, and returns the files. */
  async function bundle(folder: string): Promise<Record<string, Buffer>> {
    const root = join(project.folder, folder);
    await build({ root, configFile: false, logLevel: "error" });
    const made = join(root, "dist");
    const names = readdirSync(made, { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => /\.\w+$/.test(name));
    return Object.fromEntries(files.map((name) => [name, readFileSync(join(made, name))]));
  }
  const textOf = (files: Record<string, Buffer>) => Object.values(files).join("\n");

  test("builds a page", async () => {
    project.write({
      "page/index.html": '<script type="module" src="./main.js"></script>',
      "page/main.js": `${IMPORTS}init().then(() => {${EXAMPLE}document.title = diagonal.join();});`,
    });
    const files = await bundle("page");
    expect(Object.keys(files).filter((name) => name.endsWith(".js"))).toHaveLength(1);
    expect(textOf(files)).not.toMatch(/__vite-browser-external|from"nodrift"/);
  });

  test("makes a bundle that solves", async () => {
    project.write({ "bundled/main.js": SOLVE });
    const root = join(project.folder, "bundled");
    const lib = { entry: "main.js", formats: ["es" as const], fileName: "made" };
    await build({ root, configFile: false, logLevel: "error", build: { lib } });
    const made = join("bundled", "dist", "made.js");
    expect(readFileSync(join(project.folder, made), "utf8")).not.toMatch(/from ?"nodrift/);
    expect(await project.run(process.execPath, made)).toBe("event true\n");
  });

  test("builds a page with a worker", async () => {
    project.write({
      "worker/index.html": '<script type="module" src="./main.js"></script>',
      "worker/main.js": `import { init } from "nodrift";
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        init().then((module) => worker.postMessage(module));`,
      "worker/worker.js": `${IMPORTS}
        onmessage = async ({ data }) => { await init(data); ${EXAMPLE} postMessage(diagonal); };`,
    });
    const scripts = Object.keys(await bundle("worker")).filter((name) => name.endsWith(".js"));
    expect(scripts).toHaveLength(2);
    expect(scripts.filter((name) => /worker-/.test(name))).toHaveLength(1);
  });

  test("copies the .wasm file where a page asks for its address", async () => {
    project.write({
      "address/index.html": '<script type="module" src="./main.js"></script>',
      "address/main.js": `import { init } from "nodrift";
        import address from "nodrift/nodrift.wasm?url";
        init(address).then(() => { document.title = "loaded"; });`,
    });
    const files = await bundle("address");
    // Vite makes small files part of the script.
    const inside = textOf(files).includes("data:application/wasm;base64,");
    expect(inside || Object.keys(files).some((name) => name.endsWith(".wasm"))).toBe(true);
  });

  test("leaves out what a page does not use", async () => {
    project.write({
      "shaken/index.html": '<script type="module" src="./main.js"></script>',
      "shaken/main.js": 'import { Status } from "nodrift/kernels"; document.title = Status[1];',
    });
    const files = await bundle("shaken");
    expect(textOf(files)).toContain("DEFICIENT");
    expect(textOf(files)).not.toContain("WebAssembly");
  });

  // Sizes are those of test/support/entry-sizes.ts: `npm run figures`.
  test.each([
    ["equations, simulate", ["release", "dense-release"]],
    ["compile, model", ["release", "bodies-release"]],
    ["udwadiaKalaba", ["dense-release"]],
    ["solve", ["stiff-release"]],
  ])("a program that imports { %s } has only the kernels it uses", async (names, modules) => {
    project.write({
      "used/index.html": '<script type="module" src="./main.js"></script>',
      "used/main.js": `import { ${names} } from "nodrift"; globalThis.used = [${names}];`,
    });
    const script = textOf(await bundle("used"));
    const all = [
      "release",
      "bodies-release",
      "dense-release",
      "kernels-release",
      "lanes-release",
      "stiff-release",
    ];
    const inside = all.filter((name) => {
      const { text } = encodeText(readFileSync(`build/${name}.wasm`));
      return script.includes(text);
    });
    expect(inside).toEqual(modules);
  });
});

// Webpack warns of both: "Critical dependency: the request of a dependency is an expression".
test("no file for browsers has a request that bundlers cannot follow", () => {
  const folder = join(project.folder, "node_modules/nodrift/dist");
  const entries = ["index", "bodies", "solve", "formulas", "files", "view", "report", "worker"];
  const reached = new Set(
    [...entries, "worker-thread", "worker-serve"].map((name) => `${name}.js`),
  );
  // Names added during the iteration are visited too.
  for (const name of reached) {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(/^\s*\*.*$/gm, "");
    for (const [, other] of text.matchAll(/from "\.\/([^"]+)"/g)) reached.add(other!);
    const urls = [...text.matchAll(/new URL\(([^,()]*),\s*import\.meta\.url\)/g)];
    expect(
      urls.map(([, address]) => address).filter((each) => !/^["'`][^$]*$/.test(each!)),
    ).toEqual([]);
    const imports = [...text.matchAll(/\bimport\(([^)]*)\)/g)].map(([, what]) => what!.trim());
    expect(imports.filter((what) => !/^["']|webpackIgnore: true/.test(what))).toEqual([]);
  }
  expect(reached.size).toBeGreaterThan(15);
});
