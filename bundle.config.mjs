// Few files: each one that is imported costs Node a millisecond or two, and a page a request. The memory of kernels
// and their loading are one file, which all else imports; what the other entries share, and the kernels of the core, is
// another. Nobody loads an entry who does not ask for it, nor a module of kernels that only another entry needs.
//
// The loader of AssemblyScript is inside: a page without bundler or import map imports these files as they are.

import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";

const BASE =
  /(assembly\/layout(?!-stiff)|assemblyscript\/loader|src\/base\/(errors|run-limits|rank-tolerance|memory\/(?!record|stiff-memory)|sparse\/(?!entry-list)|wasm\/(?!module|generated\.|(generated-)?(kernels|bodies|dense|stiff|elementary|lanes)\.)))/;

// Descriptions of mechanisms: what ready models and the compiler share, and nobody else wants.
const MODEL = /src\/model\/(?!expressions|compiled|symbolic)|src\/base\/algebra\/(portable-trigonometry|vectors)/;

// Methods that programs name, and equations of users: mechanisms with the default method load none of it.
const METHODS =
  /src\/(systems\/(equations\/(?!equations-types)|dense-parts)|run\/stepping\/simulate|methods\/(coupled|direct)\/|methods\/formulations\/(?!acceleration-level)|methods\/stabilisations\/(?!staged-projection))/;

// What entries share with code that `compile` loads for few models: a bundler can only move whole files.
const COMPILED =
  /src\/(formulas\/compiled\/(?!calculus)|base\/emit\/|systems\/formulas\/formula-module)/;
const IMPULSES = /src\/run\/contact\/impulses/;

// What compiled models and batches of them share, and nobody else wants.
const MECHANISM =
  /src\/(run\/bodies\/(?!linearise|probe\/pose-reading|simulation\/impact)|systems\/(relative|bodies\/(?!functions|plan\/(carriers|loops|table-builder|plan)\.))|base\/(loaded|algebra\/symmetric-inverse)\.)/;

// Modules of kernels that some entries want and the core does not.
const STIFF = /src\/base\/(memory\/stiff-memory|sparse\/entry-list|wasm\/(generated-)?stiff)/;
const DENSE = /src\/base\/wasm\/(generated-)?dense/;
const ELEMENTARY = /src\/base\/wasm\/(generated-)?elementary/;

// From models to drawings: what reports and views share. The core loads none of it.
const SCENE = /src\/(draw|report)\/(?!index|report|render|write-data|encode|generated-page|plots)/;

// Plain differential equations: what ready ones and `solve` share, and nobody else wants. They come last, so that what
// they are made of stays where all find it.
const ODE = /src\/systems\/ode\//;
const NOT_THESE = /^(?!.*src\/(systems\/ode|draw|report)\/)/;

/**
 * Marks the values of top-level constants as pure. package.json says so of whole files ("sideEffects"), which bundlers cannot
 * use for a file made of many: the list of all formulations kept every formulation in every program. Calls get the mark
 * itself. Reading a member and spreading a list could run code as well, and have no mark: such values are computed in a call
 * that has it.
 */
const pureConstants = {
  name: "pure-constants",
  renderChunk(code) {
    const parts = [];
    const visit = (node) => {
      if (Array.isArray(node)) return node.map(visit).some(Boolean);
      if (typeof node?.type !== "string" || /Function|Class/.test(node.type)) return false;
      const isCall = node.type === "CallExpression" || node.type === "NewExpression";
      if (isCall) parts.push([node.start, PURE]);
      const reads = Object.entries(node).filter(([key, part]) => visit(part) && key !== "callee");
      return reads.length > 0 || /^(MemberExpression|SpreadElement)$/.test(node.type);
    };
    for (const statement of this.parse(code).body) {
      const { declaration = statement } = statement;
      if (declaration?.type !== "VariableDeclaration") continue;
      for (const { init } of declaration.declarations) {
        if (init && visit(init)) parts.push([init.start, `${PURE}(() => (`, -1], [init.end, "))()"]);
      }
    }
    parts.sort(([a, , first = 0], [b, , second = 0]) => a - b || first - second);
    let end = 0;
    let marked = "";
    for (const [at, text] of parts) {
      marked += code.slice(end, at) + text;
      end = at;
    }
    return { code: marked + code.slice(end), map: null };
  },
};
const PURE = "/* @__PURE__ */ ";

const core = {
  plugins: [pureConstants],
  input: {
    core: "src/core.ts",
    analysis: "src/analysis/index.ts",
    batch: "src/batch/index.ts",
    bodies: "src/bodies.ts",
    draw: "src/draw/index.ts",
    formulas: "src/formulas.ts",
    kernels: "src/kernels.ts",
    mechanisms: "papers/mechanisms/index.ts",
    report: "src/report/report.ts",
    solve: "src/solve.ts",
    view: "src/view/index.ts",
  },
  // Optional: users install it where they view.
  external: [/^three(\/|$)/],
  preserveEntrySignatures: "allow-extension",
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        { name: "base", test: BASE, priority: 2 },
        { name: "model", test: MODEL, priority: 2 },
        { name: "stiff", test: STIFF, priority: 2 },
        { name: "dense", test: DENSE, priority: 2 },
        { name: "elementary", test: ELEMENTARY, priority: 2 },
        ...Object.entries({ methods: METHODS, compiled: COMPILED, impulses: IMPULSES, mechanism: MECHANISM }).map(
          ([name, test]) => ({
            name,
            test,
            minShareCount: 2,
            priority: 2,
            includeDependenciesRecursively: false,
          }),
        ),
        { name: "shared", test: NOT_THESE, minShareCount: 2, priority: 1 },
        { name: "ode", test: ODE, priority: 0 },
        { name: "scene", test: SCENE, priority: 0 },
      ],
    },
  },
};

// What stands on the entries above: it imports these files, and brings its libraries inside. The core never
// loads any of it. Errors must be of the same class everywhere, so they come from the core.
const ENTRIES = new Map([
  ...Object.entries(core.input).map(([name, path]) => [path, `./${name}.js`]),
  ["src/base/errors.ts", "./core.js"],
  ["src/index.ts", "./index.js"],
]);

/** Names of the package as benches write them. */
const NAMES = new Map(
  ["index", ...Object.keys(core.input)].map((name) => [
    name === "index" ? "nodrift" : `nodrift/${name}`,
    `./${name}.js`,
  ]),
);

const onEntries = {
  name: "on-entries",
  async resolveId(source, importer) {
    if (NAMES.has(source)) return { id: NAMES.get(source), external: "relative" };
    if (!source.startsWith(".") || importer === undefined) return null;
    const found = await this.resolve(source, importer, { skipSelf: true });
    const entry = found && ENTRIES.get(relative(process.cwd(), found.id).replaceAll("\\", "/"));
    return entry ? { id: entry, external: true } : null;
  },
};

/** Libraries inside of the core, and of the text of pages: this bundle does not see them. */
const UNSEEN = ["node_modules/@assemblyscript/loader", "node_modules/uplot"];

/** Packages that come without the text of their licence, and where the same text lies. */
const APACHE = "node_modules/assemblyscript/LICENSE";
const WITHOUT_LICENCE = {
  "@assemblyscript/loader": [APACHE, "node_modules/assemblyscript/NOTICE"],
};

/** Libraries that are inside must bring their licences. */
const licences = {
  name: "licences",
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const folders = modules
      .map((id) => relative(process.cwd(), id).replaceAll("\\", "/"))
      .flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []);
    const texts = [...new Set([...folders, ...UNSEEN])].sort().map(licenceOf);
    this.emitFile({ type: "asset", fileName: "THIRD-PARTY.md", source: texts.join("\n") });
  },
};

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const own = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice)/i.test(entry));
  const files = WITHOUT_LICENCE[name] ?? own.map((entry) => `${folder}/${entry}`);
  if (files.length === 0) throw new Error(`${name} is bundled and has no text of its licence`);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  return `## ${name} ${version} (${license})\n\n${texts.join("\n")}`;
}

const upper = {
  platform: "node",
  input: {
    // The names of other entries: a program without a bundler that imports one of these loads less.
    index: "src/index.ts",
    campaign: "campaign/index.ts",
    // Processes of campaigns: ours, and the file that tinypool starts them with, where its own code looks for it.
    "campaign-worker": "campaign/engine/pool-worker.ts",
    "entry/process": "node_modules/tinypool/dist/entry/process.js",
    compare: "src/compare/compare.ts",
    files: "src/files/index.ts",
    reproduce: "papers/reproduce/index.ts",
    // For figures of this repository: "#experiments" of package.json.
    experiments: "papers/reproduce/experiments/index.ts",
    cli: "src/cli/host/main.ts",
    "cli-worker": "src/cli/host/worker.ts",
    "job-worker": "papers/jobs/job-worker.ts",
    contests: "bench/tables.ts",
    // Pages and their workers: the file that `spawn` starts, and what it is made of, for programs of users.
    worker: "src/worker/index.ts",
    "worker-serve": "src/worker/serve.ts",
    "worker-thread": "src/worker/thread/worker-thread.ts",
  },
  // Optional: users install them where they are wanted.
  external: [/^node:/, "bullmq", "pg", "ioredis", "hyparquet-writer"],
  plugins: [onEntries, licences],
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "part-[name].js",
    banner: (chunk) => (chunk.name === "cli" ? "#!/usr/bin/env node" : ""),
  },
};

export default [core, upper];
