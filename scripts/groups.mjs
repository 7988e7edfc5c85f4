// Build graph: groups that are built together, with their inputs and commands. Paths and commands of the
// build are defined only here; `build.mjs` builds the groups that are out of date.
//
// A group is { name, after, inputs(), settings, outputs(), make(run) }: `after` names the groups whose results it
// reads, `settings` are inputs other than the contents of files, `run` starts a program and resolves to
// its output.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closureOf } from "./imports.mjs";
import { filesBelow } from "./stamps.mjs";

const GENERATED_PAGE = ["src/report/generated-page.ts", "src/draw/generated-style.ts"];
const PAGE = [
  "src/report/build-page.mjs",
  "src/report/page-script.ts",
  "src/report/report.css",
  "src/draw/draw.css",
];
const GENERATED_MODULES = /^src\/base\/wasm\/generated[^/]*\.ts$/;
const INLINE = ["assembly/inline.mjs", "assembly/encode.mjs"];
const TABLES_OF_BENCHES = "bench/tables.ts";

/** Modules with their own compiler options instead of those in asconfig.json. */
const BARE = {
  decoder: "-O3 --noAssert --runtime stub --importMemory --initialMemory 1 --use abort=",
  elementary: "-O3s --noAssert --runtime stub --noExportMemory --bindings raw --use abort=",
};

/**
 * The optimiser repeats its passes until nothing changes. Modules get 1 % smaller and their build takes twice as long, so only a package that is
 * packed is made so (`node scripts/build.mjs dist --converge`).
 */
const CONVERGE = process.argv.includes("--converge") ? ["--converge"] : [];

/** Transform for release modules whose data begin at the offset in asconfig.json. */
const LOW_MEMORY = "assembly/low-memory.mjs";

const packageFile = (name) => `node_modules/${name}/package.json`;
const COMPILER = packageFile("assemblyscript");

/** The entry file of a target: `bodies-release` is built from bodies.ts, `release` from index.ts. */
function entryOf(target) {
  return `assembly/${/^(?:(.*)-)?(?:debug|release)$/.exec(target)[1] ?? "index"}.ts`;
}

const outputsOf = (file) => ["wasm", "js", "d.ts"].map((ending) => file.replace(/wasm$/, ending));

/** One group for each target of asconfig.json, so that an edit rebuilds only the modules it reaches. */
function targetGroups() {
  const { targets, options } = JSON.parse(
    readFileSync(new URL("../asconfig.json", import.meta.url), "utf8"),
  );
  return Object.entries(targets).map(([target, own]) => {
    const transforms = own.memoryBase && own.optimizeLevel ? [LOW_MEMORY] : [];
    return {
      name: target,
      after: [],
      inputs: () => [...closureOf([entryOf(target)]), ...transforms, COMPILER],
      settings: { options, own, flags: flagsOf(own) },
      outputs: () => outputsOf(own.outFile),
      make: (run) =>
        run(
          "asc",
          entryOf(target),
          "--target",
          target,
          ...flagsOf(own),
          ...transforms.flatMap((path) => ["--transform", `./${path}`]),
        ),
    };
  });
}

const flagsOf = (target) => (target.optimizeLevel ? CONVERGE : []);

function bareGroups() {
  return Object.entries(BARE).map(([name, options]) => ({
    name,
    after: [],
    inputs: () => [...closureOf([`assembly/${name}.ts`]), COMPILER],
    settings: options,
    outputs: () => outputsOf(`build/${name}.wasm`).slice(0, options.includes("--bindings") ? 3 : 1),
    make: (run) =>
      run(
        "asc",
        `assembly/${name}.ts`,
        "--config",
        "none",
        ...options.split(" "),
        "-o",
        `build/${name}.wasm`,
      ),
  }));
}

/** The release modules as texts, which the package contains. */
function inlineGroup(modules) {
  const shipped = modules.filter(({ name }) => !/debug$|^internals/.test(name));
  return {
    name: "inline",
    after: shipped.map(({ name }) => name),
    inputs: () => [...INLINE, ...shipped.flatMap(({ outputs }) => outputs())],
    outputs: () => filesBelow("src/base/wasm", GENERATED_MODULES),
    make: (run) => run("node", "assembly/inline.mjs"),
  };
}

/** The script of report pages, as text. */
const pageGroup = {
  name: "page",
  after: [],
  inputs: () =>
    [...closureOf(PAGE), packageFile("rolldown"), packageFile("uplot")].filter(
      (path) => !GENERATED_PAGE.includes(path),
    ),
  outputs: () => GENERATED_PAGE,
  make: (run) => run("node", PAGE[0]),
};

/** The package as it is published. */
const distGroup = {
  name: "dist",
  after: ["inline", "page"],
  inputs: () => [
    ...filesBelow("src"),
    ...filesBelow("campaign"),
    ...filesBelow("papers"),
    ...filesBelow("assembly", /^assembly\/(layout[^/]*|portable\.d)\.ts$/),
    ...closureOf([TABLES_OF_BENCHES]),
    ...INLINE,
    ...filesBelow("site", /^site\/(?!docs\/)/),
    ...filesBelow("examples"),
    "bundle.config.mjs",
    "package.json",
    "package-lock.json",
    "tsconfig.build.json",
    "tsconfig.json",
  ],
  outputs: () => filesBelow("dist"),
  async make(run) {
    rmSync("dist", { recursive: true, force: true });
    await run("tsc", "-p", "tsconfig.build.json");
    await run("node", "assembly/inline.mjs", "typings");
    await run("rolldown", "--config", "bundle.config.mjs");
    const styles = ["node_modules/uplot/dist/uPlot.min.css", "src/draw/draw.css"];
    writeFileSync("dist/draw.css", styles.map((path) => readFileSync(path, "utf8")).join("\n"));
    writeFileSync("dist/model-1.schema.json", await run("node", "dist/cli.js", "schema"));
    const schema = await run("node", "dist/cli.js", "schema", "--campaign");
    writeFileSync("dist/campaign-1.schema.json", schema);
    const equations = await run("node", "dist/cli.js", "schema", "--equations");
    writeFileSync("dist/equations-1.schema.json", equations);
    await run(
      "vite",
      "build",
      "--config",
      "site/vite.config.mjs",
      "--outDir",
      resolve("dist/play"),
    );
  },
};

/** Programs that run on dist: benchmarks, figures and generators of pages. Their types are checked with those of the tests. */
const PROGRAMS = ["bench", "docs/make"];
const BUILT_PROGRAMS = ["build/bench", "build/docs", "build/test"];
const benchGroup = {
  name: "bench",
  after: [],
  inputs: () => [
    ...closureOf(PROGRAMS.flatMap((folder) => filesBelow(folder, /\.ts$/))),
    packageFile("typescript"),
    "tsconfig.bench.json",
    "tsconfig.json",
    "tsconfig.tools.json",
  ],
  outputs: () => BUILT_PROGRAMS.flatMap((folder) => filesBelow(folder)),
  async make(run) {
    for (const folder of BUILT_PROGRAMS) rmSync(folder, { recursive: true, force: true });
    await run("tsc", "-p", "tsconfig.bench.json");
  },
};

const modules = [...targetGroups(), ...bareGroups()];

/** All groups, in an order in which dependencies come first. */
export const groups = [...modules, inlineGroup(modules), pageGroup, distGroup, benchGroup];

/** Names for several groups together, for the command line. */
export const sets = {
  wasm: [...modules.map(({ name }) => name), "inline"],
  /** Inputs of the checks of types and style and of the tests of the sources. */
  sources: [...modules.map(({ name }) => name), "inline", "page"],
  all: groups.map(({ name }) => name),
};
