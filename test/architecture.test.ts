import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kernelCases } from "../bench/cases/index.js";
import { commands } from "../src/cli/commands/index.js";
import { cycleIn, readImports, upwardImports } from "./support/layers.js";
import { codeOf, importsOf, kernelNames, sourceFiles, textOf } from "./support/sources.js";

/** Modules of assembly/ and the modules each may import in addition to itself. A new one needs its line. */
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
  // The module of mechanisms, and the entry point that exports it.
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
  // Relative coordinates: they use the rows and forces of bodies, which do not depend on them.
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
    "forces",
    "derivatives",
    "implicit",
    "bodies",
  ],
  lanes: ["tree"],
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
  stiff: ["layout", "dense", "derivatives", "implicit", "tree"],
  index: ["math", "dense", "dynamics"],
  "dense.ts": ["math", "dense", "dynamics"],
  kernels: ["math", "dense", "sparse", "rotation", "dynamics", "implicit"],
  internals: ["implicit"],
};

/** Modules that are bundled separately from the entry points, which they import. */
const ABOVE = /^(campaign|papers\/(reproduce|jobs)|src\/(files|cli))\//;

/** Further imports allowed for these modules: small helpers that may be duplicated, and errors, which are not. */
const TWICE =
  /^src\/(base\/(errors|checking\/[\w-]+|algebra\/(vectors|portable-trigonometry)|wasm\/elementary)|interfaces\/\w+|formulas\/expressions\/(index|parser|scope)|model\/([\w-]+|(joints|forces)\/index|forces\/(elastic-law|road)|measured\/(formula-source|subjects|vocabulary))|run\/(stepping\/compatibility|solve\/setup\/option-checks)|report\/(index|numbers|summary))\.ts$/;

/** External libraries by the only module that may import them. */
const LIBRARIES: readonly (readonly [room: RegExp, libraries: RegExp])[] = [
  [/^campaign\//, /^(node:\w+|tinypool)$/],
  [/^papers\/jobs\//, /^node:\w+$/],
  [/^src\/cli\//, /^(node:\w+|cli-progress)$/],
  [/^src\/draw\/plots\.ts$/, /^uplot$/],
  [/^src\/view\//, /^three(\/addons\/.*)?$/],
];

const LAYOUT = "assembly/layout.ts";
const BODY_LAYOUT = "assembly/layout-bodies.ts";
const MOTOR_LAYOUT = "assembly/layout-motor.ts";
const STIFF_LAYOUT = "assembly/layout-stiff.ts";
const RADAU_LAYOUT = "assembly/layout-radau.ts";
const TREE_LAYOUT = "assembly/layout-tree.ts";
/** The lists of exports: of the modules that methods call, and of all that are shipped. */
const MODULES = ["index", "dense", "bodies", "stiff", "lanes"].map((name) => `assembly/${name}.ts`);
const SHIPPED = [...MODULES, "assembly/kernels.ts"];
const PAGE = "src/report/page-script.ts";
const assembly = sourceFiles("assembly").filter((path) => /(?<!\.d)\.ts$/.test(path));
const src = ["src", "campaign", "papers"].flatMap(sourceFiles);
const kernels = assembly.filter((path) => path !== LAYOUT);
/** Programs that run on the built package, with the files of test/ that they import. */
const programs = ["bench", "docs/make"].flatMap(sourceFiles);
for (const path of programs) {
  const fixtures = importsOf(path).filter((target) => target.startsWith("test/"));
  programs.push(...fixtures.filter((target) => !programs.includes(target)));
}
const tools = [...new Set([...programs, ...sourceFiles("test")])];

/** The folder below the top one, or the file: without its ending, unless a folder with other imports has that name. */
function roomOf(path: string): string {
  const [, room] = path.split("/");
  return room === "dense.ts" ? room : room!.replace(/\.ts$/, "");
}

const isGenerated = (path: string) =>
  /^src\/(base\/wasm\/generated(-bodies|-decoder|-dense|-elementary|-kernels|-lanes|-stiff)?|report\/generated-page|draw\/generated-style)\.ts$/.test(
    path,
  );

describe("imports", () => {
  test("the sources are read at all", () => {
    expect(importsOf("src/base/memory/arena.ts")).toEqual([
      LAYOUT,
      "src/base/checking/index.ts",
      "src/base/errors.ts",
      "src/base/wasm/generated.ts",
    ]);
    expect(importsOf("assembly/dense.ts")).toContain("assembly/dense/cholesky.ts");
    expect(importsOf("test/support/worker.mjs")).toContain("nodrift/kernels");
  });

  test("every import refers to an existing file", () => {
    const missing = [...assembly, ...src, ...tools].flatMap((path) =>
      importsOf(path)
        .filter((target) => /\.(ts|mjs|json)$/.test(target) && !isGenerated(target))
        .filter((target) => !existsSync(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(missing).toEqual([]);
  });

  test("assembly/ imports only itself, in the order of its modules", () => {
    expect(strays(assembly, "assembly", ASSEMBLY)).toEqual([]);
  });

  test("src/ imports only itself, the layouts and the libraries of a module", () => {
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
          .filter((target) => !/^(src|campaign|papers)\//.test(target))
          .filter((target) => !outside.includes(target))
          .filter((target) => !LIBRARIES.some(([r, l]) => r.test(path) && l.test(target)))
          .map((target) => `${path} imports ${target}`),
      );
    expect(leaving).toEqual([]);
    expect(src.flatMap(importsOf)).toContain(LAYOUT);
  });

  test("src/ never imports from a higher layer", () => {
    const imports = readImports();
    expect(imports.length).toBeGreaterThan(1000);
    expect(upwardImports(imports)).toEqual([]);
  });

  test("only the command line in src/ imports campaign/ and papers/", () => {
    const reaching = src.filter(
      (path) =>
        /^src\/(?!cli\/)/.test(path) &&
        importsOf(path).some((target) => /^(campaign|papers)\//.test(target)),
    );
    expect(reaching).toEqual([]);
  });

  test("imports that go up or across are detected", () => {
    const [method, system, memory] = ["methods/a/x", "interfaces/b", "base/c/z"].map(
      (name) => `src/${name}.ts`,
    );
    const upward = (from: string, to: string) => upwardImports([{ from, to }]);
    expect(upward(method, memory)).toEqual([]);
    expect(upward(memory, method)).toHaveLength(1);
    expect(upward(method, "src/model/x.ts")).toHaveLength(1);
    expect(upward(system, "src/formulas/a/x.ts")).toHaveLength(1);
    expect(() => upward("src/elsewhere/x.ts", memory)).toThrow("layers.ts");
  });

  test("page scripts import only pictures and the encoding of pages, so that pages stay small", () => {
    const inPages = new Set([PAGE]);
    for (const path of inPages) {
      const values = textOf(path).replaceAll(/^import type [^;]*;/gm, "");
      for (const target of importsOf(path)) {
        const name = target.split("/").at(-1)?.replace(/\.ts$/, "");
        if (values.includes(`/${name}.js"`)) inPages.add(target);
      }
    }
    expect(inPages.size).toBeGreaterThan(10);
    expect([...inPages].filter((path) => !/^src\/(draw|report)\//.test(path))).toEqual([]);
  });

  test("the site imports the package by its public entries only", () => {
    const pages = sourceFiles("site").filter((path) => path.endsWith(".ts"));
    expect(pages.length).toBeGreaterThan(20);
    const reaching = pages.flatMap((path) =>
      [...textOf(path).matchAll(/(?:from|import\(?|new URL\()\s*"([^"]+)"/g)]
        .map(([, target]) => target)
        .filter((target) => /(^|\/)(src|assembly|papers|campaign|dist)\//.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(reaching).toEqual([]);
  });

  // Their bundles exclude the entry points. Any other import would be duplicated in two bundles.
  test("modules on top of the entry points import others only through these", () => {
    const reaching = src
      .filter((path) => ABOVE.test(path))
      .flatMap((path) =>
        importsOf(path)
          .filter((target) => /^(src|papers)\//.test(target) && !ABOVE.test(target))
          .filter((target) => !/^(src|papers)\/(\w+|\w+\/index)\.ts$/.test(target))
          .filter((target) => !TWICE.test(target))
          .map((target) => `${path} imports ${target}`),
      );
    expect(reaching).toEqual([]);
  });

  test("imports form no cycle", () => {
    const graph = new Map([...assembly, ...src, ...tools].map((path) => [path, importsOf(path)]));
    expect(cycleIn(graph)).toEqual([]);
    const ring = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
    expect(cycleIn(new Map(Object.entries(ring)))).toEqual(["b", "d", "b"]);
  });

  test("bench/ and docs/make/ reach the package only by its name, and no test runner", () => {
    const reaching = programs.flatMap((path) =>
      importsOf(path)
        .filter((target) => /^((src|assembly|campaign|papers|dist|build)\/|vitest$)/.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(reaching).toEqual([]);
    expect(programs).toContain("test/support/random.ts");
  });

  test("bench/ and docs/make/ import only fixtures and the reference engine of test/", () => {
    const imported = ["bench", "docs/make"].flatMap(sourceFiles).flatMap(importsOf);
    const others = imported.filter((target) => /^test\/(?!support\/|reference\/)/.test(target));
    expect(others).toEqual([]);
  });
});

describe("files", () => {
  // biome does not support decorators on functions, so it does not check the kernels.
  test("files of assembly/ keep to 100 columns, without tabs or trailing spaces", () => {
    const bad = assembly.flatMap((path) =>
      textOf(path)
        .split("\n")
        .flatMap((line, i) =>
          line.length > 100 || /\t|\s$/.test(line) ? [`${path}:${i + 1}`] : [],
        ),
    );
    expect(bad).toEqual([]);
  });

  test("files and folders named in CONTRIBUTING.md exist", () => {
    const rows = textOf("CONTRIBUTING.md").matchAll(/^\| ((?:\w+\/)+) \|(.*)\|$/gm);
    const named = [...rows].flatMap(([, folder, text]) => [
      folder,
      ...[...text.matchAll(/(?<![\w/])(\w+)\/ ?\(/g)].map(([, inner]) => `${folder}${inner}`),
    ]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** Folders of what tests use, and of tests of the package as a whole. */
const WHOLE = ["browser", "engines", "oracles", "package", "reference", "support"];

test("a folder of test/ has the name of the folder or file of sources that it tests", () => {
  const folders = (paths: readonly string[]) => [
    ...new Set(paths.flatMap((path) => path.split("/"))),
  ];
  const roots = ["src", "assembly", "campaign", "papers", "bench", "docs", "site", "examples"];
  const names = folders(roots.flatMap(sourceFiles)).map((name) => name.replace(/\..*$/, ""));
  const named = new Set([...names, ...roots, ...WHOLE]);
  const tested = sourceFiles("test").flatMap((path) => path.split("/").slice(1, -1).slice(0, 1));
  expect([...new Set(tested)].filter((folder) => !named.has(folder))).toEqual([]);
});

describe("kernels", () => {
  test("assembly/kernels.ts exports exactly the kernels of the cases", () => {
    const exercised = new Set(kernelCases.flatMap((kernelCase) => kernelCase.kernels));
    expect(kernelNames().length).toBeGreaterThan(0);
    expect([...exercised].sort()).toEqual(kernelNames().sort());
  });

  test("every export of assembly/stiff.ts is called in a kernel test", () => {
    // Kernels of trees work in the memory of a complete system: test/relative compares the results of systems.
    const names = kernelNames("assembly/stiff.ts").filter((name) => !name.startsWith("tree"));
    expect(names.length).toBeGreaterThan(0);
    const calls = tools
      .filter((path) => /^test\/(kernels|bodies|forces|support)\//.test(path))
      .map(codeOf)
      .join("\n");
    expect(names.filter((name) => !new RegExp(`kernels\\.${name}\\b`).test(calls))).toEqual([]);
  });

  test("kernel names are unique", () => {
    for (const file of SHIPPED) {
      expect(new Set(kernelNames(file)).size).toBe(kernelNames(file).length);
    }
  });

  test("a kernel that shares memory with methods is in only one of their modules, but for LU", () => {
    const together = MODULES.flatMap((file) => kernelNames(file));
    const twice = together.filter((name, index) => together.indexOf(name) !== index);
    // See assembly/stiff.ts.
    expect(twice).toEqual(["fullPivotLuFactor", "luFactor", "luSolve"]);
  });

  test("every kernel is called in src, except those of nodrift/kernels", () => {
    expect(uncalled(src.map(codeOf).join("\n"))).toEqual([]);
    expect(uncalled("kernels.axpy(n)")).not.toContain("axpy");
    expect(uncalled("kernels.axpy(n)")).toContain("luFactor");
  });

  test("kernels take at most twelve arguments", () => {
    const long = assembly.flatMap((path) =>
      [...codeOf(path).matchAll(/\bfunction (\w+)\s*\(([^)]*)\)/g)]
        .filter(([, , list]) => list.split(",").filter((part) => part.trim()).length > 12)
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(long).toEqual([]);
  });

  test("kernels read and write memory only through math/", () => {
    const raw = /\b(load|store)\s*<|\bv128\s*\.\s*(load|store)|\bmemory\s*\.\s*(copy|fill)/;
    const outside = kernels.filter((path) => roomOf(path) !== "math" && raw.test(codeOf(path)));
    expect(outside).toEqual([]);
    expect(raw.test(codeOf("assembly/math/slots.ts"))).toBe(true);
  });

  // Static data is tested to end below the arena, which does not cover `memory.data` without values.
  test("kernels allocate nothing and keep no state", () => {
    const allocates = /\bnew\s|\bmemory\s*\.\s*grow|\bheap\s*\.|\bStaticArray\b/;
    const state = /^(export )?let\s|^(export )?var\s/m;
    const bad = assembly.filter((path) => allocates.test(codeOf(path)) || state.test(codeOf(path)));
    expect(bad).toEqual([]);
  });
});

test("sources contain no `any` and no relaxed SIMD", () => {
  const any = /(:|<|\bas|,|\||=)\s*any\b(?!\w|\s*[(:])/;
  const found = [...assembly, ...src, ...["bench", "docs/make"].flatMap(sourceFiles)].filter(
    (path) => [any, /relaxed_/].some((pattern) => pattern.test(codeOf(path))),
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

/** Imports of a folder that leave it or violate the order of its modules. */
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

describe.each(Object.keys(commands))("the command %s", (name) => {
  test("every command has a line in docs/command-line.md", () => {
    expect(textOf("docs/command-line.md")).toMatch(new RegExp(`^\\| \`${name}[ \`]`, "m"));
  });

  test("every command is called by a test", () => {
    const files = ["test/cli", "test/campaign"].flatMap(sourceFiles);
    const call = new RegExp(`["\`]${name}["\` ]`);
    expect(files.filter((path) => call.test(textOf(path)))).not.toEqual([]);
  });
});
