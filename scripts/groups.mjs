// What the build makes: groups that are made together, what each is made from, and how. Paths and commands of the
// build stand here and nowhere else; `build.mjs` makes the groups that are out of date.
//
// A group is { name, after, inputs(), settings, outputs(), make(run) }: `after` names the groups whose results it
// reads, `settings` are values that matter besides the contents of files, `run` starts a program and resolves to what
// it printed.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closureOf } from "./imports.mjs";
import { filesBelow } from "./stamps.mjs";

const GENERATED_PAGE = "src/tools/report/generated-page.ts";
const PAGE = [
  "src/tools/report/build-page.mjs",
  "src/tools/report/page/main.ts",
  "src/tools/report/page/page.css",
];
const GENERATED_MODULES = /^src\/ground\/wasm\/generated[^/]*\.ts$/;
const INLINE = ["assembly/inline.mjs", "assembly/encode.mjs"];
const TABLES_OF_BENCHES = "bench/tables.ts";

/** Modules with options of their own: asconfig.json's would not do for them. */
const BARE = {
  decoder: "-O3 --noAssert --runtime stub --importMemory --initialMemory 1 --use abort=",
  elementary: "-O3s --noAssert --runtime stub --noExportMemory --bindings raw --use abort=",
};

/** For release modules whose data begin where asconfig.json says. */
const LOW_MEMORY = "assembly/low-memory.mjs";

const packageFile = (name) => `node_modules/${name}/package.json`;
const COMPILER = packageFile("assemblyscript");

/** The entry of a target: `bodies-release` is made from bodies.ts, `release` from index.ts. */
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
      settings: { options, own },
      outputs: () => outputsOf(own.outFile),
      make: (run) =>
        run(
          "asc",
          entryOf(target),
          "--target",
          target,
          ...transforms.flatMap((path) => ["--transform", `./${path}`]),
        ),
    };
  });
}

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

/** The release modules as texts, which the package is made with. */
function inlineGroup(modules) {
  const shipped = modules.filter(({ name }) => !name.endsWith("debug"));
  return {
    name: "inline",
    after: shipped.map(({ name }) => name),
    inputs: () => [...INLINE, ...shipped.flatMap(({ outputs }) => outputs())],
    outputs: () => filesBelow("src/ground/wasm", GENERATED_MODULES),
    make: (run) => run("node", "assembly/inline.mjs"),
  };
}

/** What runs in pages of reports, as text. */
const pageGroup = {
  name: "page",
  after: [],
  inputs: () =>
    [...closureOf(PAGE), packageFile("rolldown"), packageFile("uplot")].filter(
      (path) => path !== GENERATED_PAGE,
    ),
  outputs: () => [GENERATED_PAGE],
  make: (run) => run("node", PAGE[0]),
};

/** The package as it is published. */
const distGroup = {
  name: "dist",
  after: ["inline", "page"],
  inputs: () => [
    ...filesBelow("src"),
    ...filesBelow("assembly", /^assembly\/(layout[^/]*|portable\.d)\.ts$/),
    ...closureOf([TABLES_OF_BENCHES]).filter((path) => path.startsWith("bench/")),
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

/** Benches and figures, which run on dist. Their types are checked with those of the tests. */
const benchGroup = {
  name: "bench",
  after: [],
  inputs: () => [
    ...filesBelow("bench", /\.ts$/).filter((path) => !path.startsWith("bench/peers/")),
    packageFile("typescript"),
    "tsconfig.bench.json",
    "tsconfig.json",
    "tsconfig.tools.json",
  ],
  outputs: () => filesBelow("build/bench"),
  async make(run) {
    rmSync("build/bench", { recursive: true, force: true });
    await run("tsc", "-p", "tsconfig.bench.json");
  },
};

const modules = [...targetGroups(), ...bareGroups()];

/** All of them; none stands before one it is made after. */
export const groups = [...modules, inlineGroup(modules), pageGroup, distGroup, benchGroup];

/** Names for several groups together, for the command line. */
export const sets = {
  wasm: [...modules.map(({ name }) => name), "inline"],
  /** What types, style and the tests of the sources need. */
  sources: [...modules.map(({ name }) => name), "inline", "page"],
  all: groups.map(({ name }) => name),
};
