// Builds the pages: gallery and playground, with the models and the schemas they fetch. `outDir` is given by the build.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, parse, resolve } from "node:path";
import { defineConfig, runnerImport } from "vite";

const root = import.meta.dirname;
const repository = resolve(root, "..");
const { compilerOptions } = JSON.parse(readFileSync(`${repository}/tsconfig.tools.json`, "utf8"));
const alias = Object.entries(compilerOptions.paths).map(([name, [path]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(repository, path),
}));

/** The package as it was built, for what runs now. */
const built = [
  { find: /^nodrift$/, replacement: `${repository}/dist/index.js` },
  { find: /^nodrift\/(\w+)$/, replacement: `${repository}/dist/$1.js` },
];

/** Model files and the schema, under the names that the pages fetch. */
const data = {
  name: "data",
  async generateBundle() {
    const { module } = await runnerImport(`${root}/models/index.ts`, { resolve: { alias: built } });
    for (const [name, make] of Object.entries(module.models)) {
      const source = module.textOf(make());
      this.emitFile({ type: "asset", fileName: `models/${name}.json`, source });
    }
    const folder = `${repository}/examples`;
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
      const source = readFileSync(`${folder}/${file}`);
      this.emitFile({ type: "asset", fileName: `models/${file}`, source });
    }
    for (const fileName of ["model-1.schema.json", "equations-1.schema.json"]) {
      const source = readFileSync(`${repository}/dist/${fileName}`);
      this.emitFile({ type: "asset", fileName, source });
    }
  },
};

/**
 * Programs of workers are entries of the same build, so that pages and workers share their files: vite would give each
 * worker a copy of the package of its own. In the package the program of live models lies beside what starts it;
 * among the sources it does not.
 */
const workers = {
  name: "workers",
  enforce: "pre",
  transform(code, id) {
    const moved = id.endsWith("/worker/near/host.ts")
      ? code.replace('"./worker-thread.js"', '"../thread/worker-thread.ts"')
      : code;
    if (!moved.includes("new Worker(new URL(")) return undefined;
    return moved.replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (text, path) => {
      const file = resolve(dirname(id), path);
      // Examples in comments name files of users.
      if (!existsSync(file)) return text;
      const reference = this.emitFile({ type: "chunk", id: file, name: parse(file).name });
      return `import.meta.ROLLUP_FILE_URL_${reference}`;
    });
  },
};

/**
 * Modules that few runs need, as files of their own: kernels of implicit methods, and elementary functions of formulas. A
 * run finds in the middle of a step that it wants them, and steps do not wait: workers may read at once.
 */
const lateKernels = {
  name: "late-kernels",
  transform(code, id) {
    if (!LATE.some((name) => id.endsWith(`/ground/wasm/${name}.ts`))) return undefined;
    const [whole, text] = /text: \(\) =>\s*("(?:[^"\\]|\\.)*")/.exec(code);
    const name = `${parse(id).name}.txt`;
    const asset = this.emitFile({ type: "asset", name, source: JSON.parse(text) });
    const late = `text: () => textAt(import.meta.ROLLUP_FILE_URL_${asset})`;
    return `import { textAt } from "${root}/play/text-at.ts";\n${code.replace(whole, () => late)}`;
  },
};
const LATE = ["generated-stiff", "generated-elementary"];

/** Without the documentation there is nothing behind its links. */
const withoutDocs = {
  name: "without-docs",
  transformIndexHtml: (html) => html.replaceAll(/\s*<a class="docs-link"[^\n]*/g, ""),
};

/** `--mode site`: with the documentation, whose pages are made from a template. */
export default defineConfig(({ mode }) => ({
  root,
  base: "./",
  publicDir: false,
  logLevel: "warn",
  resolve: { alias },
  plugins:
    mode === "site" ? [data, workers, lateKernels] : [data, workers, lateKernels, withoutDocs],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // Pages name what they begin with. Where scripts import more, there may be no document to name it in: workers have none.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, found, { hostType }) => (hostType === "html" ? found : []),
    },
    chunkSizeWarningLimit: 2000,
    emptyOutDir: true,
    // Libraries that are inside must bring their licences.
    license: { fileName: "THIRD-PARTY.md" },
    rolldownOptions: {
      input: {
        index: `${root}/index.html`,
        play: `${root}/play.html`,
        ...(mode === "site" && { docs: `${root}/docs/template.html` }),
      },
    },
  },
}));
