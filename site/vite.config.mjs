// Builds the pages: gallery and playground, with the models and the schemas they fetch. `outDir` is given by the build.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
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

/** In the package the program of workers lies beside what starts it; among the sources it does not. */
const workerProgram = {
  name: "worker-program",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("/worker/near/host.ts")
      ? code.replace('"./worker-thread.js"', '"../thread/worker-thread.ts"')
      : undefined,
};

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
  plugins: mode === "site" ? [data, workerProgram] : [data, workerProgram, withoutDocs],
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
