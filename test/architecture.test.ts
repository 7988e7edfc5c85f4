import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kernelCases } from "../bench/cases/index.js";
import { dataFiles, isLong, longFiles } from "../bench/support/file-lengths.js";
import { cycleIn, houseOf, readHouse } from "../bench/support/house.js";
import { housePage, PAGE as PAGE_OF_HOUSE, PICTURE } from "../bench/support/house-page.js";
import { codeOf, importsOf, kernelNames, sourceFiles, textOf } from "../bench/support/sources.js";

/** Rooms of assembly/ and those each may import besides itself. A new room needs its line. */
const ASSEMBLY: Record<string, readonly string[]> = {
  layout: [],
  math: ["layout"],
  dense: ["layout", "math"],
  sparse: ["layout", "math", "dense"],
  rotation: ["layout", "math"],
  dynamics: ["layout", "math", "dense"],
  "layout-bodies": [],
  kinematics: ["layout", "layout-bodies", "math", "rotation"],
  constraints: ["layout", "layout-bodies", "math", "kinematics"],
  "layout-motor": [],
  forces: ["layout", "layout-bodies", "layout-motor", "math", "kinematics"],
  // The room of mechanisms, and the entry that exports them.
  bodies: [
    "layout",
    "layout-bodies",
    "math",
    "sparse",
    "rotation",
    "kinematics",
    "constraints",
    "forces",
    "tree",
  ],
  "layout-tree": [],
  // Relative coordinates: they use the rows and forces of bodies, which know nothing of them.
  tree: [
    "layout",
    "layout-bodies",
    "layout-stiff",
    "layout-tree",
    "math",
    "dense",
    "sparse",
    "rotation",
    "kinematics",
    "derivatives",
    "implicit",
    "bodies",
  ],
  decoder: ["math"],
  elementary: [],
  "layout-stiff": [],
  "layout-radau": [],
  // Derivatives of rows and forces, and implicit methods: with the entry that exports them.
  derivatives: [
    "layout",
    "layout-bodies",
    "layout-motor",
    "layout-stiff",
    "math",
    "kinematics",
    "constraints",
    "forces",
  ],
  implicit: [
    "layout",
    "layout-bodies",
    "layout-radau",
    "layout-stiff",
    "math",
    "dense",
    "kinematics",
  ],
  stiff: ["layout", "derivatives", "implicit", "tree"],
  index: ["math", "dense", "dynamics"],
  kernels: ["math", "dense", "sparse", "rotation", "dynamics", "implicit"],
  internals: ["implicit"],
};

/** Rooms that are bundled apart from the entries, on which they stand. */
const ABOVE = /^src\/tools\/(campaign|files|reproduce|cli)\//;

/** What those may take besides the entries: small things that may well be there twice, and errors, which are not. */
const TWICE =
  /^src\/(ground\/(errors|checking\/[\w-]+|algebra\/(vectors|portable-trigonometry)|wasm\/elementary)|seam\/\w+|describe\/(model\/[\w-]+|(joints|forces)\/index|forces\/(elastic-law|road)|expressions\/(index|parser|scope)|measured\/(formula-source|subjects|vocabulary))|run\/(stepping\/compatibility|solve\/setup\/option-checks)|tools\/report\/(index|numbers|summary))\.ts$/;

/** Libraries by the rooms that bring them along. Nobody else loads them. */
const LIBRARIES: readonly (readonly [room: RegExp, libraries: RegExp])[] = [
  [/^src\/tools\/campaign\//, /^(node:\w+|tinypool)$/],
  [/^src\/tools\/files\//, /^(valibot|@valibot\/to-json-schema)$/],
  [/^src\/tools\/cli\//, /^(node:\w+|cli-progress)$/],
  [/^src\/tools\/report\/page\//, /^uplot$/],
  [/^src\/tools\/view\//, /^three(\/addons\/.*)?$/],
];

/** Tests of what the package does not export, with the files they reach for. */
const INTERNALS: Record<string, readonly string[]> = {
  "test/campaign/designs.test.ts": [
    "src/tools/campaign/design/normal.ts",
    "src/tools/campaign/design/sobol.ts",
  ],
  "test/campaign/docs.test.ts": [
    "src/tools/campaign/definition/define.ts",
    "src/tools/campaign/definition/json-schema.ts",
  ],
  "test/campaign/journal.test.ts": ["src/tools/campaign/definition/define.ts"],
  "test/campaign/killed.test.ts": ["src/tools/campaign/cases/result.ts"],
  "test/files/json-tree.test.ts": ["src/tools/files/text/json-tree.ts"],
  "test/report/report.test.ts": [
    "src/tools/report/page-data.ts",
    "src/tools/report/page/decode.ts",
  ],
  "test/view/batches.test.ts": [
    "src/ground/algebra/vectors.ts",
    "src/tools/view/batches.ts",
    "src/tools/view/kit.ts",
  ],
  "test/view/sharpness.test.ts": ["src/tools/view/sharpness.ts"],
  "test/view/pieces.test.ts": [
    "src/tools/report/page/name-places.ts",
    "src/tools/view/hull.ts",
    "src/tools/view/options.ts",
    "src/tools/view/sliders.ts",
  ],
  "test/view/subject.test.ts": [
    "src/tools/view/feeds.ts",
    "src/tools/view/picture.ts",
    "src/tools/view/source.ts",
    "src/tools/view/subject.ts",
    "src/tools/view/tints.ts",
  ],
  "test/registries.test.ts": ["assembly/layout-bodies.ts"],
  "test/solve/adams-weights.test.ts": ["src/methods/integrators/adams/adams-weights.ts"],
  "test/solve/radau-coefficients.test.ts": ["src/methods/integrators/radau/radau-coefficients.ts"],
  "test/solve/rodas-coefficients.test.ts": ["src/methods/integrators/rodas/rodas-coefficients.ts"],
  "test/solve/ros3.test.ts": ["src/methods/integrators/ros3/ros3-coefficients.ts"],
  "test/expressions/support/room.ts": [
    "src/describe/expressions/graph.ts",
    "src/describe/expressions/index.ts",
    "src/ground/wasm/elementary.ts",
  ],
  "test/formulas/support/compiled.ts": [
    "src/describe/compiled/calculus.ts",
    "src/describe/compiled/compile.ts",
    "src/describe/compiled/function-spec.ts",
    "src/describe/compiled/interpreter.ts",
    "src/describe/compiled/table-writer.ts",
    "src/describe/expressions/algebra.ts",
    "src/describe/expressions/graph.ts",
    "src/describe/expressions/operations.ts",
    "src/describe/expressions/parser.ts",
    "src/describe/expressions/table.ts",
    "src/describe/symbolic/symbol-table.ts",
    "src/ground/wasm/elementary.ts",
  ],
  "test/files/docs.test.ts": ["src/tools/files/schema/json-schema.ts"],
  "test/files/equations.test.ts": ["src/tools/files/schema/json-schema.ts"],
  "test/files/schema.test.ts": [
    "src/tools/files/schema/descriptions.ts",
    "src/tools/files/schema/json-schema.ts",
  ],
  "test/text.test.ts": ["assembly/encode.mjs", "src/ground/wasm/text.ts"],
  "test/browser/report.test.ts": ["src/tools/report/index.ts"],
  "test/browser/same-page.test.ts": ["src/tools/report/index.ts"],
  "test/browser/support/blocks.ts": ["src/tools/report/index.ts"],
  "test/report/encoding.test.ts": ["src/tools/report/encode.ts", "src/tools/report/page/decode.ts"],
  "test/report/absences.test.ts": ["src/tools/report/index.ts"],
  "test/report/page.test.ts": ["src/tools/report/index.ts"],
  "test/report/reduce.test.ts": ["src/tools/report/reduce.ts"],
  "test/report/scene.test.ts": ["src/tools/report/index.ts"],
  "test/report/support.ts": ["src/tools/report/index.ts"],
  "test/memory.test.ts": ["assembly/encode.mjs"],
  "test/relative/explicit-stages.test.ts": [
    "assembly/layout-tree.ts",
    "src/systems/relative/system/system.ts",
  ],
  "test/relative/stages.test.ts": [
    "src/ground/memory/stiff-memory.ts",
    "src/seam/index.ts",
    "src/systems/relative/system/system.ts",
  ],
  "test/relative/support/tree-state.ts": [
    "assembly/layout-tree.ts",
    "src/ground/memory/stiff-memory.ts",
    "src/seam/index.ts",
    "src/systems/relative/system/system.ts",
  ],
  "test/relative/kernels.test.ts": [
    "assembly/layout-tree.ts",
    "src/systems/relative/system/system.ts",
  ],
  "test/relative/plan.test.ts": [
    "assembly/layout-tree.ts",
    "src/systems/relative/plan/joint-coordinates.ts",
    "src/systems/relative/plan/plan-tree.ts",
    "src/systems/relative/plan/tree-plan.ts",
  ],
  "test/relative/plan-cuts.test.ts": ["src/systems/relative/plan/plan-tree.ts"],
  "test/relative/plan-release.test.ts": [
    "assembly/layout-tree.ts",
    "src/systems/relative/plan/joint-coordinates.ts",
    "src/systems/relative/plan/plan-tree.ts",
    "src/systems/relative/plan/tree-plan.ts",
  ],
  "test/relative/plan-seats.test.ts": [
    "src/systems/relative/plan/joint-coordinates.ts",
    "src/systems/relative/plan/plan-tree.ts",
  ],
  "test/support/naive-tree.ts": [
    "assembly/layout-tree.ts",
    "src/ground/algebra/vectors.ts",
    "src/systems/relative/plan/tree-plan.ts",
  ],
  "test/bodies-forces/support/layout.ts": ["assembly/layout-bodies.ts", "assembly/layout-motor.ts"],
  "test/support/hidden-coordinates.ts": [
    "src/run/bodies/simulation/body-source.ts",
    "src/run/bodies/simulation/simulation.ts",
  ],
  "test/support/body-harness.ts": ["assembly/layout-bodies.ts"],
  "test/support/sparse-lu.ts": ["assembly/layout-stiff.ts"],
  "test/support/stiff-module.ts": ["src/ground/wasm/generated-stiff.ts"],
  "test/mechanisms/force-derivatives.test.ts": [
    "src/systems/bodies/functions/functions-without-derivatives.ts",
    "src/ground/memory/stiff-memory.ts",
  ],
  "test/model/portable.test.ts": ["src/ground/algebra/portable-trigonometry.ts"],
  "test/model/support.ts": ["assembly/layout-bodies.ts"],
  "test/package/consumers.test.ts": ["assembly/encode.mjs"],
  "test/reproduce/entries.test.ts": ["src/tools/reproduce/judging/entries.ts"],
  "test/solve/power.test.ts": ["src/ground/algebra/portable-power.ts"],
  "test/solve/sparse-matrix.test.ts": [
    "src/ground/run-limits.ts",
    "src/methods/newton/sparse-lu.ts",
  ],
  "test/solve/step-rules.test.ts": [
    "src/methods/integrators/adams/adams-order.ts",
    "src/methods/integrators/sdirk/sdirk-rule.ts",
  ],
  "test/kernels/radau.test.ts": [
    "assembly/layout-radau.ts",
    "src/methods/integrators/radau/radau-coefficients.ts",
  ],
  "test/kernels/radau-rule.test.ts": ["assembly/layout-radau.ts"],
  "test/kernels/radau-steps.test.ts": [
    "assembly/layout.ts",
    "assembly/layout-radau.ts",
    "src/ground/emit/module-writer.ts",
    "src/methods/integrators/radau/radau-coefficients.ts",
  ],
  "test/kernels/sparse-lu-sign.test.ts": ["src/ground/sparse/irreducible.ts"],
  "test/kernels/qr.test.ts": ["assembly/layout.ts"],
  "test/solve/direct-linearisation.test.ts": [
    "src/methods/direct/linearisation.ts",
    "src/seam/index.ts",
  ],
  "test/solve/direct-mechanisms.test.ts": ["src/methods/direct/linearisation.ts"],
  "test/solve/power-matrix.test.ts": ["src/methods/newton/power-matrix.ts"],
  "test/solve/support/bound-state-space.ts": [
    "src/methods/state-space/pi-form.ts",
    "src/methods/state-space/state-space.ts",
  ],
  "test/solve/events-oscillation.test.ts": ["src/ground/memory/checksum.ts"],
};

const LAYOUT = "assembly/layout.ts";
const BODY_LAYOUT = "assembly/layout-bodies.ts";
const MOTOR_LAYOUT = "assembly/layout-motor.ts";
const STIFF_LAYOUT = "assembly/layout-stiff.ts";
const RADAU_LAYOUT = "assembly/layout-radau.ts";
const TREE_LAYOUT = "assembly/layout-tree.ts";
/** The lists of exports: of the modules that methods call, and of all that are shipped. */
const MODULES = ["assembly/index.ts", "assembly/bodies.ts", "assembly/stiff.ts"];
const SHIPPED = [...MODULES, "assembly/kernels.ts"];
const PAGE = "src/tools/report/page/";
const assembly = sourceFiles("assembly").filter((path) => /(?<!\.d)\.ts$/.test(path));
const src = sourceFiles("src");
const kernels = assembly.filter((path) => path !== LAYOUT);
const tools = [...sourceFiles("bench"), ...sourceFiles("test")];

/** The folder below the top one, or the file without its ending. */
function roomOf(path: string): string {
  return path.split("/")[1].replace(/\.ts$/, "");
}

const isGenerated = (path: string) =>
  /^src\/(ground\/wasm\/generated(-bodies|-decoder|-elementary|-kernels|-stiff)?|tools\/report\/generated-page)\.ts$/.test(
    path,
  );

describe("imports", () => {
  test("are read at all", () => {
    expect(importsOf("src/ground/memory/arena.ts")).toEqual([
      "@assemblyscript/loader",
      LAYOUT,
      "src/ground/checking/index.ts",
      "src/ground/errors.ts",
      "src/ground/wasm/generated.ts",
    ]);
    expect(importsOf("assembly/index.ts")).toContain("assembly/dense/cholesky-solve.ts");
    expect(importsOf("test/support/worker.mjs")).toContain("nodrift/kernels");
  });

  test("point at files that exist", () => {
    const missing = [...assembly, ...src, ...tools].flatMap((path) =>
      importsOf(path)
        .filter((target) => /\.(ts|mjs|json)$/.test(target) && !isGenerated(target))
        .filter((target) => !existsSync(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(missing).toEqual([]);
  });

  test("of assembly/ stay inside and follow the order of the rooms", () => {
    expect(strays(assembly, "assembly", ASSEMBLY)).toEqual([]);
  });

  test("of src/ stay inside but for the layouts and the libraries of a room", () => {
    const outside = [
      LAYOUT,
      BODY_LAYOUT,
      MOTOR_LAYOUT,
      STIFF_LAYOUT,
      RADAU_LAYOUT,
      TREE_LAYOUT,
      "@assemblyscript/loader",
    ];
    const leaving = src
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => !target.startsWith("src/") && !outside.includes(target))
          .filter((target) => !LIBRARIES.some(([r, l]) => r.test(path) && l.test(target)))
          .map((target) => `${path} imports ${target}`),
      );
    expect(leaving).toEqual([]);
    expect(src.flatMap(importsOf)).toContain(LAYOUT);
  });

  test("of src/ never go to a higher storey, and rooms form no cycle", () => {
    const house = readHouse();
    expect(house.rooms.length).toBeGreaterThan(30);
    expect(house.upward).toEqual([]);
    expect(house.cycle).toEqual([]);
  });

  test("of src/ are what docs/ARCHITECTURE.md and its picture show: npm run docs", () => {
    const { page, picture } = housePage();
    expect(textOf(PAGE_OF_HOUSE)).toBe(page);
    expect(textOf(PICTURE)).toBe(picture);
  });

  test("that go up, across or round are found", () => {
    const [method, system, memory] = ["methods/a/x", "systems/b/y", "ground/c/z"].map(
      (name) => `src/${name}.ts`,
    );
    const go = (from: string, to: string) =>
      houseOf([method, system, memory], [{ from, to }]).upward;
    expect(go(method, memory)).toEqual([]);
    expect(go(memory, method)).toHaveLength(1);
    expect(go(method, system)).toHaveLength(1);
    const ring = ["run/a/x", "run/b/y"].map((name) => `src/${name}.ts`);
    const round = [ring, [...ring].reverse()].map(([from, to]) => ({ from, to }));
    expect(houseOf(ring, round).cycle).toHaveLength(3);
  });

  test("of what runs in pages stay in its room; nobody imports it but views, which run there too", () => {
    const inPages = src.filter((path) => path.startsWith(PAGE));
    expect(inPages.length).toBeGreaterThan(5);
    const report = /^src\/tools\/report\//;
    const leaving = inPages.filter((path) =>
      importsOf(path).some((target) => target.startsWith("src/") && !report.test(target)),
    );
    expect(leaving).toEqual([]);
    const reaching = [...src, ...tools].filter(
      (path) =>
        !path.startsWith(PAGE) &&
        !path.startsWith("src/tools/view/") &&
        importsOf(path).some((target) => target.startsWith(PAGE)),
    );
    expect(reaching.filter((path) => !INTERNALS[path])).toEqual([]);
  });

  // Their bundles leave the entries outside. What is not one of them would be in two files, and be two things.
  test("of what stands on the entries reach the others by these only", () => {
    const reaching = src
      .filter((path) => ABOVE.test(path))
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => target.startsWith("src/") && !ABOVE.test(target))
          .filter((target) => !/^src\/(\w+|tools\/\w+\/index)\.ts$/.test(target))
          .filter((target) => !TWICE.test(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(reaching).toEqual([]);
  });

  test("form no cycle", () => {
    const graph = new Map([...assembly, ...src, ...tools].map((path) => [path, importsOf(path)]));
    expect(cycleIn(graph)).toEqual([]);
    const ring = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
    expect(cycleIn(new Map(Object.entries(ring)))).toEqual(["b", "d", "b"]);
  });

  test("of bench/ and test/ reach the package by its name only", () => {
    const reaching = tools.flatMap((path) =>
      importsOf(path)
        .filter((target) => /^(src|assembly|dist|build)\//.test(target))
        .filter((target) => !INTERNALS[path]?.includes(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(reaching).toEqual([]);
  });

  test("of bench/ do not touch test/", () => {
    const reaching = sourceFiles("bench").filter((path) =>
      importsOf(path).some((target) => target.startsWith("test/")),
    );
    expect(reaching).toEqual([]);
  });
});

describe("files", () => {
  test("of assembly/ and src/ have at most 400 lines, but for data", () => {
    expect(longFiles()).toEqual([]);
    expect(dataFiles.filter((path) => !isLong(textOf(path)))).toEqual([]);
    expect(["\n".repeat(399), "\n".repeat(400)].map((lines) => isLong(`${lines}x\n`))).toEqual([
      false,
      true,
    ]);
  });

  // biome knows no decorators on functions, so it does not see the kernels.
  test("of assembly/ keep to 100 columns, without tabs or spaces at the end", () => {
    const bad = assembly.flatMap((path) =>
      textOf(path)
        .split("\n")
        .flatMap((line, i) =>
          line.length > 100 || /\t|\s$/.test(line) ? [`${path}:${i + 1}`] : [],
        ),
    );
    expect(bad).toEqual([]);
  });

  test("and folders that CONTRIBUTING.md names exist", () => {
    const rows = textOf("CONTRIBUTING.md").matchAll(/^\| ((?:\w+\/)+) \|(.*)\|$/gm);
    const named = [...rows].flatMap(([, folder, text]) => [
      folder,
      ...[...text.matchAll(/(?<![\w/])(\w+)\/ ?\(/g)].map(([, inner]) => `${folder}${inner}`),
    ]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("kernels", () => {
  test("of users are the exports of assembly/kernels.ts, and each is in some case and the other way round", () => {
    const exercised = new Set(kernelCases.flatMap((kernelCase) => kernelCase.kernels));
    expect(kernelNames().length).toBeGreaterThan(0);
    expect([...exercised].sort()).toEqual(kernelNames().sort());
  });

  test("that assembly/stiff.ts exports are each called in some test of kernels", () => {
    // Kernels of trees work in the memory of a whole system: test/relative compares what systems make of them.
    const names = kernelNames("assembly/stiff.ts").filter((name) => !name.startsWith("tree"));
    expect(names.length).toBeGreaterThan(0);
    const calls = tools
      .filter((path) => /^test\/(kernels|bodies-\w+|support)\//.test(path))
      .map(codeOf)
      .join("\n");
    expect(names.filter((name) => !new RegExp(`kernels\\.${name}\\b`).test(calls))).toEqual([]);
  });

  test("have no name twice", () => {
    for (const file of SHIPPED) {
      expect(new Set(kernelNames(file)).size).toBe(kernelNames(file).length);
    }
  });

  test("that methods share their memory with are in one of their modules only", () => {
    const together = MODULES.flatMap((file) => kernelNames(file));
    expect(together.filter((name, index) => together.indexOf(name) !== index)).toEqual([]);
  });

  test("are each called by something in src, but for those of nodrift/kernels", () => {
    expect(uncalled(src.map(codeOf).join("\n"))).toEqual([]);
    expect(uncalled("kernels.axpy(n)")).not.toContain("axpy");
    expect(uncalled("kernels.axpy(n)")).toContain("luFactor");
  });

  test("take twelve arguments at most", () => {
    const long = assembly.flatMap((path) =>
      [...codeOf(path).matchAll(/\bfunction (\w+)\s*\(([^)]*)\)/g)]
        .filter(([, , list]) => list.split(",").filter((part) => part.trim()).length > 12)
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(long).toEqual([]);
  });

  test("read and write memory through math/ only", () => {
    const raw = /\b(load|store)\s*<|\bv128\s*\.\s*(load|store)|\bmemory\s*\.\s*(copy|fill)/;
    const outside = kernels.filter((path) => roomOf(path) !== "math" && raw.test(codeOf(path)));
    expect(outside).toEqual([]);
    expect(raw.test(codeOf("assembly/math/slots.ts"))).toBe(true);
  });

  // Static data is tested to end below the arena; `memory.data` without values would not show there.
  test("allocate nothing and keep no state", () => {
    const allocates = /\bnew\s|\bmemory\s*\.\s*grow|\bheap\s*\.|\bStaticArray\b/;
    const state = /^(export )?let\s|^(export )?var\s/m;
    const bad = assembly.filter((path) => allocates.test(codeOf(path)) || state.test(codeOf(path)));
    expect(bad).toEqual([]);
  });
});

test("there is no any, and no relaxed SIMD", () => {
  const any = /(:|<|\bas|,|\||=)\s*any\b(?!\w|\s*[(:])/;
  const found = [...assembly, ...src, ...sourceFiles("bench")].filter((path) =>
    [any, /relaxed_/].some((pattern) => pattern.test(codeOf(path))),
  );
  expect(found).toEqual([]);
  expect(any.test("let x: any;")).toBe(true);
  expect(any.test("Record<string, any>")).toBe(true);
});

/** Kernels of methods that a text of code does not call. */
function uncalled(code: string): string[] {
  const called = new Set([...code.matchAll(/\bkernels\s*\.\s*(\w+)\(/g)].map(([, name]) => name));
  return MODULES.flatMap((file) => kernelNames(file)).filter((name) => !called.has(name));
}

/** Imports of a folder that leave it or break the order of its rooms. */
function strays(
  files: readonly string[],
  top: string,
  rooms: Record<string, readonly string[]>,
  outside: readonly string[] = [],
): string[] {
  return files.flatMap((path) => {
    const room = roomOf(path);
    if (!(room in rooms)) return [`${path} is in a room that has no place in the order`];
    return importsOf(path)
      .filter((target) => !outside.includes(target))
      .filter((target) => {
        const inside = target.startsWith(`${top}/`);
        return !inside || (roomOf(target) !== room && !rooms[room].includes(roomOf(target)));
      })
      .map((target) => `${path} imports ${target}`);
  });
}
